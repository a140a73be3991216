package io.ojs.test.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.test.internal.process.Command;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.FileSystemUtils;

/**
 * A RabbitMQ that is unpacked from the packages of Debian or Ubuntu into a cache folder,
 * without root rights and without an installation.
 * <p>
 * The cache holds one folder per suite. An existing folder is complete: the packages are
 * unpacked into a folder with another name, which is then renamed in one step. An
 * interrupted attempt leaves only a folder with that other name.
 */
final class UnpackedRabbit implements Source<RabbitInstallation> {

	private static final Logger logger = LoggerFactory.getLogger(UnpackedRabbit.class);

	private static final Duration TIMEOUT = Duration.ofMinutes(10);

	/**
	 * The whole JVM holds a file lock, which keeps out other JVMs only.
	 */
	private static final ReentrantLock lockInThisJvm = new ReentrantLock();

	private final Path cache;

	private final String suite;

	private final List<Path> tools;

	private final String script;

	UnpackedRabbit(Path cache, String suite, List<Path> tools, String script) {
		this.cache = cache;
		this.suite = suite;
		this.tools = tools;
		this.script = script;
	}

	static UnpackedRabbit onThisHost(BrokerSettings settings) {
		String suite = settings.suite().orElseGet(() -> HostSuite.read(Path.of("/etc/os-release")));
		return new UnpackedRabbit(settings.cache(), suite,
				List.of(Path.of("/usr/bin/apt-get"), Path.of("/usr/bin/dpkg")), "unpack-rabbitmq.sh");
	}

	@Override
	public String name() {
		return "packages of " + this.suite;
	}

	@Override
	public Lookup<RabbitInstallation> look() {
		Path root = this.cache.resolve(this.suite);
		Optional<RabbitInstallation> installation = installation(root);
		if (installation.isEmpty()) {
			for (Path tool : this.tools) {
				if (!Files.isExecutable(tool)) {
					return new Lookup.Absent<>("this is no Debian or Ubuntu, there is no " + tool);
				}
			}
			unpack(root);
			installation = installation(root);
		}
		return installation.<Lookup<RabbitInstallation>>map(Lookup.Found::new)
			.orElseThrow(() -> new IllegalStateException(
					root + " holds no RabbitMQ; delete that folder, it is made anew then"));
	}

	private static Optional<RabbitInstallation> installation(Path root) {
		Path erlang = root.resolve("usr/lib/erlang");
		return InstalledRabbit.packagedScripts(root)
			.map((scripts) -> new RabbitInstallation(scripts, erlang.resolve("bin"),
					Map.of("ERL_ROOTDIR", erlang.toString())));
	}

	private void unpack(Path root) {
		lockInThisJvm.lock();
		try {
			Files.createDirectories(this.cache);
			try (FileChannel channel = FileChannel.open(this.cache.resolve(this.suite + ".lock"),
					StandardOpenOption.CREATE, StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
				logger.debug("Holding {}", lock);
				if (!Files.isDirectory(root)) {
					deleteLeftovers();
					unpackWhileLocked(root);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write to " + this.cache + "; set " + BrokerSettings.CACHE
					+ " to a folder that can be written to", ex);
		}
		finally {
			lockInThisJvm.unlock();
		}
	}

	private void unpackWhileLocked(Path root) throws IOException {
		Path work = Files.createTempDirectory(this.cache, unfinishedPrefix());
		try {
			logger.info("Unpacking RabbitMQ from the packages of {} to {}: once, about 60 MB from the apt mirror",
					this.suite, root);
			Path script = work.resolve(this.script);
			try (InputStream resource = UnpackedRabbit.class.getResourceAsStream(this.script)) {
				Files.copy(Objects.requireNonNull(resource, this.script), script);
			}
			Command.run(work, List.of("sh", script.toString(), this.suite, work.toString()), Map.of(), TIMEOUT);
			Files.move(work.resolve("root"), root, StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			FileSystemUtils.deleteRecursively(work);
		}
	}

	private void deleteLeftovers() throws IOException {
		try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(this.cache, unfinishedPrefix() + "*")) {
			for (Path leftover : leftovers) {
				FileSystemUtils.deleteRecursively(leftover);
			}
		}
	}

	private String unfinishedPrefix() {
		return this.suite + ".unfinished-";
	}

}
