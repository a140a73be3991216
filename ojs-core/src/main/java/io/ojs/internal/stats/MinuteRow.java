package io.ojs.internal.stats;

import java.time.Instant;

/**
 * The numbers of one process in one step of time.
 *
 * @param stepSeconds the length of the step: one of {@link MinuteStore#STEPS}
 * @param at the beginning of the step, a multiple of its length since 1970
 */
public record MinuteRow(int stepSeconds, Instant at, JobGroup group, Numbers numbers) {
}
