package io.ojs.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.ojs.boot.crypto.OjsEncryptionAutoConfiguration;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.PayloadCodec;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Where keys come from, and what keeps an application from starting.
 */
class EncryptionConditionsTests {

	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String OTHER = "/wECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class, OjsEncryptionAutoConfiguration.class));

	private static Object keyOf(JobEncryption encryption) {
		return encryption.encrypt(JobRequest.of("a.b", "x".repeat(5000)), "q").meta().get("ojs.codec.key_id");
	}

	@Test
	void withoutKeysNothingIsEncrypted() {
		this.runner.run((context) -> assertThat(context.getBean(JobEncryption.class)).isSameAs(JobEncryption.OFF));
	}

	@ParameterizedTest
	@CsvSource({ "ojs.encryption.keys.k=" + KEY, "ojs.encryption.key-file=file:/x", "ojs.encryption.active-key=k",
			"ojs.encryption.types=pay.*", "ojs.encryption.queues=payroll", "ojs.encryption.require=bound",
			"ojs.encryption.codec-server.enabled=true" })
	void settingsDoNotStartWithoutTheConfigurationThatEncrypts(String property) {
		ApplicationContextRunner excluded = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class));
		excluded.run((context) -> assertThat(context).hasNotFailed());
		excluded.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining(OjsEncryptionAutoConfiguration.class.getName()));
	}

	@Test
	void keysOfABeanDoNotStartWithoutTheConfigurationThatEncrypts() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class))
			.withBean(EncryptionKeys.class, () -> mock(EncryptionKeys.class))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(OjsEncryptionAutoConfiguration.class.getName()));
	}

	@Test
	void theOnlyKeyIsTheActiveOne() {
		this.runner.withPropertyValues("ojs.encryption.keys.2026-11=" + KEY).run((context) -> {
			JobEncryption encryption = context.getBean(JobEncryption.class);
			assertThat(keyOf(encryption)).isEqualTo("2026-11");
			assertThat(encryption.encrypts("any", "any")).isTrue();
			assertThat(context.getBean(OjsProperties.class).toString()).contains("2026-11").doesNotContain(KEY);
		});
	}

	@Test
	void ofSeveralOneIsNamed() {
		this.runner
			.withPropertyValues("ojs.encryption.keys.a=" + KEY, "ojs.encryption.keys.b=" + OTHER,
					"ojs.encryption.active-key=b", "ojs.encryption.types=pay.*", "ojs.encryption.queues=payroll",
					"ojs.encryption.compress-from=1KB")
			.run((context) -> {
				JobEncryption encryption = context.getBean(JobEncryption.class);
				assertThat(encryption.encrypts("pay.all", "any")).isTrue();
				assertThat(encryption.encrypts("any", "payroll")).isTrue();
				assertThat(encryption.encrypts("any", "any")).isFalse();
				assertThat(encryption.encrypt(JobRequest.of("pay.all", "x".repeat(5000)), "q").meta())
					.containsEntry("ojs.codec.key_id", "b")
					.containsEntry("ojs.codec.encodings", List.of("gzip/plain", "binary/encrypted"));
			});
	}

	@Test
	void orTheyAreInAFile(@TempDir Path directory) throws IOException {
		Path file = Files.write(directory.resolve("keys"), List.of("active=f", "f=" + KEY));
		this.runner.withPropertyValues("ojs.encryption.key-file=" + file.toUri())
			.run((context) -> assertThat(keyOf(context.getBean(JobEncryption.class))).isEqualTo("f"));
		this.runner.withPropertyValues("ojs.encryption.key-file=" + file.toUri(), "ojs.encryption.active-key=f")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ojs.encryption.key-file")
				.hasMessageContaining("there are keys in the configuration, too"));
		Files.write(file, List.of("f=" + KEY));
		this.runner.withPropertyValues("ojs.encryption.key-file=" + file.toUri())
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("active=<name>"));
	}

	@Test
	void orABeanTellsThem() {
		this.runner.withUserConfiguration(Vault.class).run((context) -> {
			assertThat(keyOf(context.getBean(JobEncryption.class))).isEqualTo("vault");
			assertThat(context.getBean(JobEncryption.class).encrypt(JobRequest.of("a.b", "x"), "q").meta())
				.containsEntry("ojs.codec.encodings", List.of("reverse", "binary/encrypted"));
		});
		this.runner.withUserConfiguration(Vault.class)
			.withPropertyValues("ojs.encryption.keys.a=" + KEY)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("there is a bean of type EncryptionKeys")
				.satisfies((failure) -> assertThat(failure.getMessage()).doesNotContain(KEY)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "ojs.encryption.keys.a=AAEC | ojs.encryption.keys.a = (hidden) | has 3",
					"ojs.encryption.keys.a=no-key! | ojs.encryption.keys.a = (hidden) | must be Base64",
					"ojs.encryption.active-key=a | ojs.encryption.active-key = a | there is no key of that name",
					"ojs.encryption.types=a.b | ojs.encryption.types = [a.b] | there are no keys",
					"ojs.encryption.queues=q | ojs.encryption.queues = [q] | there are no keys",
					"ojs.encryption.key-file=file:/no/such/file | ojs.encryption.key-file | cannot be read" })
	void whatCannotWorkKeepsTheApplicationFromStarting(String property, String what, String why) {
		this.runner.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(what)
				.hasMessageContaining(why)
				.satisfies((failure) -> assertThat(failure.getMessage()).doesNotContain("no-key!")));
	}

	@Test
	void ofSeveralOneHasToBeNamed() {
		ApplicationContextRunner two = this.runner.withPropertyValues("ojs.encryption.keys.a=" + KEY,
				"ojs.encryption.keys.b=" + OTHER);
		two.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("ojs.encryption.active-key")
			.hasMessageContaining("must be one of [a, b]"));
		two.withPropertyValues("ojs.encryption.active-key=c")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("the keys are [a, b]"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Vault {

		@Bean
		EncryptionKeys keys() {
			EncryptionKey key = EncryptionKey.of("vault", KEY);
			return new EncryptionKeys() {

				@Override
				public EncryptionKey active() {
					return key;
				}

				@Override
				public Optional<EncryptionKey> find(String id) {
					return Optional.of(key).filter((known) -> known.id().equals(id));
				}

			};
		}

		@Bean
		PayloadCodec reverse() {
			return new PayloadCodec() {

				@Override
				public String encoding() {
					return "reverse";
				}

				@Override
				public byte[] encode(byte[] plain) {
					byte[] reversed = new byte[plain.length];
					for (int i = 0; i < plain.length; i++) {
						reversed[plain.length - 1 - i] = plain[i];
					}
					return reversed;
				}

				@Override
				public byte[] decode(byte[] encoded) {
					return encode(encoded);
				}

			};
		}

	}

}
