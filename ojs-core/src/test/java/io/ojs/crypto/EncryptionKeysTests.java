package io.ojs.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.ojs.TestClock;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.KeyFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Keys: what one looks like, and how the file of them is read again.
 */
class EncryptionKeysTests {

	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String OTHER = "/wECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	@TempDir
	private Path directory;

	private final TestClock clock = new TestClock();

	@Test
	void keysDoNotShowThemselves() {
		EncryptionKey key = EncryptionKey.of("2026", " " + KEY + "\n");
		assertThat(key.key().getEncoded()).hasSize(32).startsWith(0, 1, 2).endsWith(31);
		assertThat(key).hasToString("EncryptionKey[2026]");
	}

	@ParameterizedTest
	@CsvSource({ "2026, AAEC, has 3", "2026, '', is empty", "2026, not base64, must be Base64",
			"'', AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=, its name",
			"a b, AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=, its name" })
	void badOnesSayWhatToDo(String id, String key, String message) {
		assertThatExceptionOfType(InvalidEncryptionKeyException.class).isThrownBy(() -> EncryptionKey.of(id, key))
			.withMessageContaining("'" + id + "'")
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("not base64"));
	}

	@Test
	void theActiveOneIsOneOfThem() {
		List<EncryptionKey> keys = List.of(EncryptionKey.of("a", KEY), EncryptionKey.of("b", OTHER));
		FixedKeys fixed = new FixedKeys("b", keys);
		assertThat(fixed.active()).isEqualTo(keys.get(1));
		assertThat(fixed.find("a")).contains(keys.get(0));
		assertThat(fixed.find("c")).isEmpty();
		assertThatExceptionOfType(InvalidEncryptionKeyException.class).isThrownBy(() -> new FixedKeys("c", keys))
			.withMessageContaining("'c'")
			.withMessageContaining("[a, b]");
	}

	private Path write(String... lines) throws IOException {
		Path file = this.directory.resolve("keys");
		Files.write(file, List.of(lines));
		// Clocks of file systems are coarse.
		Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(lines.length)));
		return file;
	}

	@Test
	void aFileIsReadAgainWhenItHasChanged() throws IOException {
		KeyFile keys = new KeyFile(write("active=a", "a=" + KEY), this.clock);
		assertThat(keys.active().id()).isEqualTo("a");
		write("active = b", "a = " + KEY, "# the new one", "b = " + OTHER);
		assertThat(keys.active().id()).isEqualTo("a");
		this.clock.advance(KeyFile.INTERVAL.plusMillis(1));
		assertThat(keys.active().id()).isEqualTo("b");
		assertThat(keys.find("a")).isPresent();
	}

	@ParameterizedTest
	@ValueSource(strings = { "active=b", "b=AAEC", "nothing", "active=a\na=%%%", "\\u00" })
	void aBadFileLeavesTheKeysAsTheyAre(String content) throws IOException {
		KeyFile keys = new KeyFile(write("active=a", "a=" + KEY), this.clock);
		write(content, "", "", "");
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(keys.active().id()).isEqualTo("a");
		Files.delete(this.directory.resolve("keys"));
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(keys.find("a")).isPresent();
		write("active=b", "b=" + OTHER, "", "", "", "");
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(keys.active().id()).isEqualTo("b");
		assertThat(keys.find("a")).isEmpty();
	}

	@Test
	void namesInAFileHaveAllThatNamesMayHave() throws IOException {
		KeyFile keys = new KeyFile(
				write("", "# of the vault", "active = vault:keys/2026_11", "vault:keys/2026_11 = " + KEY), this.clock);
		assertThat(keys.active().id()).isEqualTo("vault:keys/2026_11");
		assertThat(keys.active().key().getEncoded()).hasSize(32);
	}

	@Test
	void aNameThatIsThereTwiceIsRefused() {
		assertThatExceptionOfType(InvalidEncryptionKeyException.class)
			.isThrownBy(() -> new KeyFile(write("active=a", "a=" + KEY, "a=" + OTHER), this.clock))
			.withMessageContaining("there are two of that name");
	}

	@Test
	void withoutAFileNothingBegins() throws IOException {
		assertThatExceptionOfType(InvalidEncryptionKeyException.class)
			.isThrownBy(() -> new KeyFile(this.directory.resolve("none"), this.clock))
			.withMessageContaining("none");
		assertThatExceptionOfType(InvalidEncryptionKeyException.class)
			.isThrownBy(() -> new KeyFile(write("a=" + KEY), this.clock))
			.withMessageContaining("active=<name>");
	}

}
