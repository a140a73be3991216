package io.ojs.store.internal.attempt;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a job, as its worker last reported it.
 *
 * @param value 0.0 to 1.0
 * @param message what the job is doing, for people to read
 * @param data any other value that the worker reported; a JSON value
 * @param at when the worker reported it
 */
public record Progress(double value, @Nullable String message, @Nullable Object data, Instant at) {
}
