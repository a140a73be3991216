package io.ojs.crypto;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Encoded arguments, and what it takes to decode them.
 *
 * @param data the bytes
 * @param encodings what was done to them, first to last; empty for plain JSON
 * @param keyId the key that they were encrypted with; {@code null} if they were not
 * @param boundTo the fields of the job that the ciphertext is bound to, with their
 * values: it is decrypted with the same ones only; empty if it is bound to none
 */
public record Payload(byte[] data, List<String> encodings, @Nullable String keyId, Map<String, String> boundTo) {
}
