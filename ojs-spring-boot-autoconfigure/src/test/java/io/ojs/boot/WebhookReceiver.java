package io.ojs.boot;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/**
 * What the page about webhooks shows to those who receive them.
 */
final class WebhookReceiver {

	private WebhookReceiver() {
	}

	// begin
	/**
	 * Whether a request was signed with the secret, within the last five minutes.
	 */
	static boolean isGenuine(String secret, @Nullable String timestamp, @Nullable String signatures, byte[] body)
			throws GeneralSecurityException {
		if (timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")) {
			return false;
		}
		Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), Instant.now());
		if (age.abs().compareTo(Duration.ofMinutes(5)) > 0) {
			return false;
		}
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
		mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
		byte[] expected = ("sha256=" + HexFormat.of().formatHex(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
		boolean genuine = false;
		for (String signature : signatures.split(",")) {
			// In the same time, wherever the first difference is.
			genuine |= MessageDigest.isEqual(expected, signature.strip().getBytes(StandardCharsets.UTF_8));
		}
		return genuine;
	}
	// end

}
