package io.ojs.client.internal;

import io.ojs.internal.trace.JobSpan;

/**
 * A job that is being enqueued, with its span.
 *
 * @param encoded the job, ready to be sent
 * @param span the span of enqueueing it
 */
public record TracedJob(EncodedJob encoded, JobSpan span) {
}
