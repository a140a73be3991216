package io.ojs.webhook.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature of a delivery, which proves its origin to the receiver (OJS Webhooks
 * §8.1).
 */
public final class WebhookSignature {

	/** The header with the signatures. */
	public static final String HEADER = "X-OJS-Signature";

	/** The header with the signed time, in seconds since 1970. */
	public static final String TIMESTAMP_HEADER = "X-OJS-Timestamp";

	private static final String ALGORITHM = "HmacSHA256";

	private WebhookSignature() {
	}

	/**
	 * Signs a body.
	 * @param timestamp the time, in seconds since 1970
	 * @return the value of the header; several signatures are separated by commas
	 */
	public static String of(List<String> secrets, long timestamp, byte[] body) {
		return secrets.stream()
			.map((secret) -> "sha256=" + hex(secret, timestamp, body))
			.collect(Collectors.joining(","));
	}

	private static String hex(String secret, long timestamp, byte[] body) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
			mac.update((timestamp + ".").getBytes(StandardCharsets.US_ASCII));
			return HexFormat.of().formatHex(mac.doFinal(body));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java has " + ALGORITHM + ".", ex);
		}
	}

}
