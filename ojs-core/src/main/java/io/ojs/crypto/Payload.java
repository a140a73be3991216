package io.ojs.crypto;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Encoded arguments, and what it takes to decode them.
 *
 * @param data the bytes
 * @param encodings what was done to them, first to last; empty for plain JSON
 * @param keyId the key that they were encrypted with; {@code null} if they were not
 */
public record Payload(byte[] data, List<String> encodings, @Nullable String keyId) {
}
