package io.ojs.sample;

import java.time.Instant;

/**
 * A line of the event log.
 *
 * @param at the time of the event
 * @param event the name of the event, such as {@code job.retrying}
 * @param jobId the id of the job
 * @param type the type of the job
 * @param photoId the photo of the job
 * @param detail details of the event
 */
record LogEntry(Instant at, String event, String jobId, String type, String photoId, String detail) {
}
