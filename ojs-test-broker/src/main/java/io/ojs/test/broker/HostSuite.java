package io.ojs.test.broker;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;

/**
 * The suite to unpack RabbitMQ from if none is set: that of this host, which its package
 * mirror has for certain.
 */
final class HostSuite {

	private static final String DEFAULT = "bookworm";

	private static final Set<String> DEBIAN = Set.of("bookworm", "trixie", "forky");

	private HostSuite() {
	}

	static String read(Path osRelease) {
		Properties release = new Properties();
		if (Files.isReadable(osRelease)) {
			// Each line is KEY=value or KEY="value".
			try (Reader reader = Files.newBufferedReader(osRelease)) {
				release.load(reader);
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Cannot read " + osRelease, ex);
			}
		}
		// A mirror of Ubuntu has none of Debian's suites. Derivatives of Ubuntu set
		// UBUNTU_CODENAME, too.
		String ubuntu = release.getProperty("UBUNTU_CODENAME", "").replace("\"", "");
		if (!ubuntu.isEmpty()) {
			return ubuntu;
		}
		String codename = release.getProperty("VERSION_CODENAME", "").replace("\"", "");
		return DEBIAN.contains(codename) ? codename : DEFAULT;
	}

}
