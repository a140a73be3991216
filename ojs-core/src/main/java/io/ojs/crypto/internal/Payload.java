package io.ojs.crypto.internal;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Encoded arguments, with the information to decode them.
 *
 * @param data the bytes
 * @param encodings the encodings, in the order in which they were applied; empty for
 * plain JSON
 * @param keyId the id of the key that encrypted them; {@code null} if they are not
 * encrypted
 * @param boundTo the fields of the job to which the ciphertext is bound, with their
 * values: it can be decrypted only with the same ones; empty for none
 */
public record Payload(byte[] data, List<String> encodings, @Nullable String keyId, Map<String, String> boundTo) {
}
