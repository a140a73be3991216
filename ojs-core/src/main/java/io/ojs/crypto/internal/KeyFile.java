package io.ojs.crypto.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.InvalidEncryptionKeyException;
import io.ojs.internal.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keys in a file with lines of the form {@code name=key}, and a line {@code active=name}.
 * The file is read again when it has changed, so keys can be changed without a restart.
 */
public final class KeyFile implements EncryptionKeys {

	/** The shortest time between two checks of the file. */
	public static final Duration INTERVAL = Duration.ofSeconds(10);

	private static final String ACTIVE = "active";

	private static final Logger logger = SafeLogger.of(KeyFile.class);

	private final Path file;

	private final Clock clock;

	private final ReentrantLock reading = new ReentrantLock();

	private volatile Instant looked;

	private volatile FixedKeys keys;

	private @Nullable FileTime changed;

	/**
	 * Reads the file.
	 * @param clock tells when the next check of the file is due
	 * @throws InvalidEncryptionKeyException if the file cannot be read, or its content is
	 * invalid
	 */
	public KeyFile(Path file, Clock clock) {
		this.file = file;
		this.clock = clock;
		this.looked = clock.instant();
		this.changed = changed(file);
		this.keys = read(file);
	}

	@Override
	public EncryptionKey active() {
		return current().active();
	}

	@Override
	public Optional<EncryptionKey> find(String id) {
		return current().find(id);
	}

	private FixedKeys current() {
		Instant now = this.clock.instant();
		// One thread reads the file; the others go on with the keys that are there.
		if (now.isAfter(this.looked.plus(INTERVAL)) && this.reading.tryLock()) {
			try {
				this.looked = now;
				look();
			}
			finally {
				this.reading.unlock();
			}
		}
		return this.keys;
	}

	private void look() {
		FileTime time = changed(this.file);
		if (time != null && time.equals(this.changed)) {
			return;
		}
		try {
			this.keys = read(this.file);
			this.changed = time;
			logger.info("Encryption keys were read again from {}; '{}' is active", this.file, this.keys.active().id());
		}
		catch (InvalidEncryptionKeyException ex) {
			logger.error("Encryption keys stay as they are. {}", ex.getMessage());
		}
	}

	private static @Nullable FileTime changed(Path file) {
		try {
			return Files.getLastModifiedTime(file);
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static FixedKeys read(Path file) {
		String active = null;
		List<EncryptionKey> keys = new ArrayList<>();
		for (String line : lines(file)) {
			int equals = line.indexOf('=');
			String name = (equals >= 0) ? line.substring(0, equals).strip() : "";
			if (name.isEmpty()) {
				throw new InvalidEncryptionKeyException("*",
						"each line of the file '%s' must be 'name=key' or begin with #".formatted(file));
			}
			String value = line.substring(equals + 1).strip();
			if (name.equals(ACTIVE)) {
				active = value;
			}
			else {
				keys.add(EncryptionKey.of(name, value));
			}
		}
		if (active == null || active.isEmpty()) {
			throw new InvalidEncryptionKeyException(ACTIVE,
					"the file '%s' must say which key is active in a line 'active=<name>'".formatted(file));
		}
		return new FixedKeys(active, keys);
	}

	private static List<String> lines(Path file) {
		try {
			return Files.readAllLines(file, StandardCharsets.UTF_8)
				.stream()
				.map(String::strip)
				.filter((line) -> !line.isEmpty() && !line.startsWith("#"))
				.toList();
		}
		catch (IOException ex) {
			throw new InvalidEncryptionKeyException("*",
					"the file '%s' cannot be read (%s)".formatted(file, ex.getClass().getSimpleName()));
		}
	}

}
