package io.ojs.webhook.internal;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import io.ojs.OjsException;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.crypto.internal.Payload;
import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.log.SafeLogger;
import io.ojs.webhook.InvalidWebhookException;
import io.ojs.webhook.Webhook;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Creates secrets, and encrypts them for the database if there are keys.
 */
public final class WebhookSecrets {

	private static final Logger logger = SafeLogger.of(WebhookSecrets.class);

	/** The prefix of generated secrets. */
	public static final String PREFIX = "whsec_";

	/** The smallest number of characters of a secret. */
	public static final int MIN_LENGTH = 16;

	/** The largest number of characters of a secret. */
	public static final int MAX_LENGTH = 255;

	private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]+");

	private static final int RANDOM_BYTES = 32;

	/**
	 * Binds the ciphertext to its purpose, so that it cannot be used as anything else.
	 */
	private static final Map<String, String> BOUND_TO = Map.of("kind", "webhook_secret");

	/** The prefix of unencrypted secrets; an encrypted one is a JSON object. */
	private static final String PLAIN = "plain:";

	private final JobEncryption encryption;

	private final SecureRandom random = new SecureRandom();

	private final JsonObjects json = new JsonObjects();

	/**
	 * Creates the secrets.
	 * @param encryption encrypts secrets, if it has keys
	 */
	public WebhookSecrets(JobEncryption encryption) {
		this.encryption = encryption;
	}

	String make() {
		byte[] bytes = new byte[RANDOM_BYTES];
		this.random.nextBytes(bytes);
		return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	static String checked(String secret) {
		if (secret.length() < MIN_LENGTH || secret.length() > MAX_LENGTH || !VISIBLE.matcher(secret).matches()) {
			throw new InvalidWebhookException("secret", secret.length() + " characters",
					"must be %d to %d visible characters of ASCII".formatted(MIN_LENGTH, MAX_LENGTH));
		}
		return secret;
	}

	/** Returns a secret in the form for the database. */
	String seal(String secret) {
		if (!this.encryption.hasKeys()) {
			return PLAIN + secret;
		}
		Payload payload = this.encryption.encode(secret.getBytes(StandardCharsets.UTF_8), BOUND_TO);
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("data", Base64.getEncoder().encodeToString(payload.data()));
		object.put("encodings", payload.encodings());
		object.put("key_id", payload.keyId());
		return new String(this.json.write(object), StandardCharsets.UTF_8);
	}

	/**
	 * Returns a secret from the form in the database.
	 * @throws io.ojs.crypto.UnknownKeyException if its key is not known here
	 * @throws io.ojs.crypto.UndecryptableException if its key does not decrypt it
	 */
	private String open(String kept) {
		if (kept.startsWith(PLAIN)) {
			return kept.substring(PLAIN.length());
		}
		Map<String, @Nullable Object> object = this.json.read(kept.getBytes(StandardCharsets.UTF_8));
		List<String> encodings = new ArrayList<>();
		if (object.get("encodings") instanceof List<?> names) {
			names.forEach((name) -> encodings.add(String.valueOf(name)));
		}
		Payload payload = new Payload(Base64.getDecoder().decode(String.valueOf(object.get("data"))), encodings,
				(object.get("key_id") instanceof String id) ? id : null, BOUND_TO);
		return new String(this.encryption.decode(payload), StandardCharsets.UTF_8);
	}

	/**
	 * Returns the secrets that sign now: the current one, and the previous one until it
	 * expires.
	 */
	List<String> of(Subscription subscription, Instant now) {
		List<String> secrets = new ArrayList<>();
		secrets.add(open(subscription.secret()));
		Instant until = subscription.webhook().previousSecretUntil();
		if (subscription.previousSecret() != null && until != null && now.isBefore(until)) {
			previous(subscription.webhook(), subscription.previousSecret()).ifPresent(secrets::add);
		}
		return secrets;
	}

	/**
	 * Returns the previous secret if it can be decrypted. Receivers that have the new one
	 * do not need it.
	 */
	private Optional<String> previous(Webhook webhook, String kept) {
		try {
			return Optional.of(open(kept));
		}
		catch (OjsException ex) {
			logger.warn("Deliveries of {} are signed by its new secret alone: the previous one cannot be opened",
					webhook.id(), ex);
			return Optional.empty();
		}
	}

}
