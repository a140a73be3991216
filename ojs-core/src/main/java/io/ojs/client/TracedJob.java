package io.ojs.client;

import io.ojs.trace.JobSpan;

/**
 * A job on its way.
 *
 * @param encoded the job, ready to be sent
 * @param span is about sending it
 */
public record TracedJob(EncodedJob encoded, JobSpan span) {
}
