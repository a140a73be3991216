package io.ojs.deadletter.internal;

import io.ojs.store.StoredJob;

/**
 * A dead letter in the store.
 *
 * @param stored the job, discarded, with its errors
 * @param body its envelope, as it was published
 */
public record KeptDeadLetter(StoredJob stored, byte[] body) {
}
