package io.ojs.sample;

import java.time.Instant;

/**
 * A line of the event log.
 *
 * @param at when
 * @param event the name of the event, such as {@code job.retrying}
 * @param jobId the job
 * @param type its type
 * @param photoId its photo
 * @param detail what else there is to say
 */
record LogEntry(Instant at, String event, String jobId, String type, String photoId, String detail) {
}
