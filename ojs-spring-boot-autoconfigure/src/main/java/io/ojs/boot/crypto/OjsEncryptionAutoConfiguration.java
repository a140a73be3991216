package io.ojs.boot.crypto;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.boot.EncryptionProperties;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.InvalidEncryptionKeyException;
import io.ojs.crypto.PayloadCodec;
import io.ojs.crypto.RequiredEncryption;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.GzipCodec;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.crypto.internal.KeyFile;
import io.ojs.web.CodecAudit;
import io.ojs.web.internal.crypto.CodecEndpoints;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;

/**
 * Auto-configuration of the encryption of arguments, enabled as soon as the application
 * has keys. An application with keys that excludes it does not start.
 */
@AutoConfiguration(after = OjsAutoConfiguration.class, afterName = "io.ojs.boot.web.OjsWebAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
public final class OjsEncryptionAutoConfiguration {

	private static final String KEYS = "ojs.encryption.keys";

	private static final String KEY_FILE = "ojs.encryption.key-file";

	private static final String ACTIVE_KEY = "ojs.encryption.active-key";

	@Bean
	JobEncryption ojsJobEncryption(OjsProperties properties, ObjectProvider<EncryptionKeys> keys,
			ObjectProvider<PayloadCodec> codecs, ObjectProvider<Clock> clock) {
		EncryptionProperties encryption = properties.encryption();
		EncryptionKeys source = keys.getIfAvailable();
		if (source == null) {
			source = configured(encryption, Clocks.of(clock));
		}
		else if (!encryption.keys().isEmpty() || encryption.keyFile() != null || encryption.activeKey() != null) {
			throw new InvalidConfigurationException(KEYS, encryption.keys().keySet(),
					"they would not be used, since there is a bean of type EncryptionKeys, "
							+ source.getClass().getName(),
					"Remove ojs.encryption.keys, key-file and active-key, or the bean.");
		}
		if (source == null) {
			checkUnused(encryption);
			return JobEncryption.OFF;
		}
		boolean all = encryption.types().isEmpty() && encryption.queues().isEmpty();
		EncryptedJobs encrypted = new EncryptedJobs(all ? EncryptedJobs.ALL.types() : encryption.types(),
				encryption.queues(), encryption.unboundTypes(), encryption.require());
		List<PayloadCodec> applied = new ArrayList<>(codecs.orderedStream().toList());
		applied.add(new GzipCodec(compressFrom(encryption), (int) properties.maxEnvelopeSize().toBytes() * 2));
		return new JobEncryption(source, encrypted, applied);
	}

	private static int compressFrom(EncryptionProperties encryption) {
		if (encryption.compressFrom() == null) {
			return Integer.MAX_VALUE;
		}
		if (encryption.compressFrom().isNegative()) {
			throw new InvalidConfigurationException("ojs.encryption.compress-from", encryption.compressFrom(),
					"must not be negative", "Choose a size such as 1KB, or leave it out.");
		}
		return (int) Math.min(encryption.compressFrom().toBytes(), Integer.MAX_VALUE);
	}

	private static void checkUnused(EncryptionProperties encryption) {
		if (encryption.activeKey() != null) {
			throw new InvalidConfigurationException(ACTIVE_KEY, encryption.activeKey(), "there is no key of that name",
					"Set %s.%s to 32 bytes in Base64.".formatted(KEYS, encryption.activeKey()));
		}
		if (!encryption.types().isEmpty()) {
			throw withoutKeys("ojs.encryption.types", encryption.types());
		}
		if (!encryption.queues().isEmpty()) {
			throw withoutKeys("ojs.encryption.queues", encryption.queues());
		}
		if (encryption.require() != RequiredEncryption.NONE) {
			throw withoutKeys("ojs.encryption.require", encryption.require());
		}
		if (encryption.codecServer().enabled()) {
			throw withoutKeys("ojs.encryption.codec-server.enabled", true);
		}
	}

	private static InvalidConfigurationException withoutKeys(String key, Object value) {
		return new InvalidConfigurationException(key, value, "nothing can be encrypted, since there are no keys",
				"Set ojs.encryption.keys or ojs.encryption.key-file, or declare a bean of type EncryptionKeys.");
	}

	private static @Nullable EncryptionKeys configured(EncryptionProperties encryption, Clock clock) {
		Resource file = encryption.keyFile();
		Map<String, String> keys = encryption.keys();
		if (file != null) {
			if (!keys.isEmpty() || encryption.activeKey() != null) {
				throw new InvalidConfigurationException(KEY_FILE, file, "there are keys in the configuration, too",
						"Keep either the file, or ojs.encryption.keys and ojs.encryption.active-key.");
			}
			return keyFile(file, clock);
		}
		return keys.isEmpty() ? null : fixed(keys, encryption.activeKey());
	}

	private static EncryptionKeys fixed(Map<String, String> keys, @Nullable String activeKey) {
		String active = activeKey;
		if (active == null) {
			if (keys.size() > 1) {
				throw new InvalidConfigurationException(ACTIVE_KEY, null,
						"must be one of %s".formatted(keys.keySet().stream().sorted().toList()),
						"Name the key that jobs are encrypted with from now on.");
			}
			active = keys.keySet().iterator().next();
		}
		List<EncryptionKey> all = new ArrayList<>();
		keys.forEach((id, key) -> {
			try {
				all.add(EncryptionKey.of(id, key));
			}
			catch (InvalidEncryptionKeyException ex) {
				throw new InvalidConfigurationException(KEYS + "." + id, "(hidden)", ex.getMessage(),
						"Make a key with 'openssl rand -base64 32'.");
			}
		});
		try {
			return new FixedKeys(active, all);
		}
		catch (InvalidEncryptionKeyException ex) {
			throw new InvalidConfigurationException(ACTIVE_KEY, active, ex.getMessage(), "Name one of these.");
		}
	}

	private static EncryptionKeys keyFile(Resource file, Clock clock) {
		try {
			return new KeyFile(Path.of(file.getURI()), clock);
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new InvalidConfigurationException(KEY_FILE, file, "must be a file (%s)".formatted(ex.getMessage()),
					"Give a path such as file:/run/secrets/ojs-keys.");
		}
		catch (InvalidEncryptionKeyException ex) {
			throw new InvalidConfigurationException(KEY_FILE, file, ex.getMessage(), "Mend the file.");
		}
	}

	/**
	 * Endpoints that decrypt for callers with an authority of Spring Security.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	@ConditionalOnBooleanProperty("ojs.encryption.codec-server.enabled")
	@ConditionalOnClass(name = "org.springframework.security.core.context.SecurityContextHolder")
	static class CodecServer {

		@Bean
		CodecEndpoints ojsCodecEndpoints(JobEncryption encryption, ObjectProvider<CodecAudit> audit,
				ApplicationEventPublisher publisher, OjsProperties properties) {
			return new CodecEndpoints(encryption, audit.getIfAvailable(() -> new SecurityCodecAudit(publisher)),
					properties.encryption().codecServer().requireReason());
		}

	}

	/**
	 * Stops an application whose endpoints would decrypt for any caller.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	@ConditionalOnBooleanProperty("ojs.encryption.codec-server.enabled")
	@ConditionalOnMissingClass("org.springframework.security.core.context.SecurityContextHolder")
	static class UnsecuredCodecServer {

		UnsecuredCodecServer() {
			throw new InvalidConfigurationException("ojs.encryption.codec-server.enabled", true,
					"would show arguments to unauthenticated callers, because Spring Security is missing",
					"Add spring-boot-starter-security and give trusted callers the authority SCOPE_ojs:codec.");
		}

	}

}
