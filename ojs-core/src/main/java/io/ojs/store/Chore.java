package io.ojs.store;

import java.time.Duration;

/**
 * Something that is done again and again.
 *
 * @param what what cannot be done if it fails, for the log: a sentence without its end
 * @param interval how long to pause after each time; changed by a quarter at random, so
 * that instances do not do it at the same moment
 * @param action does it; what it throws is logged once, and it is tried again later
 */
public record Chore(String what, Duration interval, Runnable action) {
}
