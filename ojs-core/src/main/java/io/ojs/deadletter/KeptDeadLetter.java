package io.ojs.deadletter;

import io.ojs.store.StoredJob;

/**
 * A dead letter of the store, with its bytes.
 *
 * @param stored the job with its errors, discarded
 * @param body its envelope, as it was published
 */
public record KeptDeadLetter(StoredJob stored, byte[] body) {
}
