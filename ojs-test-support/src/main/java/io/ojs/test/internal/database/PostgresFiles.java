package io.ojs.test.internal.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.ojs.test.internal.process.Command;
import io.ojs.test.internal.process.SupervisedProcess;

import org.springframework.util.FileSystemUtils;

/**
 * The temporary folder of a server: its data, configuration and log.
 */
final class PostgresFiles {

	static final String USERNAME = "ojs";

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final int LOG_TAIL = 4_000;

	private static final Map<String, String> ENVIRONMENT = Map.of("LC_ALL", "C", "TZ", "UTC");

	private final Path folder;

	private final Path bin;

	private final String password = UUID.randomUUID().toString();

	PostgresFiles(Path bin, int port, List<String> configuration) {
		this.bin = bin;
		try {
			this.folder = Files.createTempDirectory("ojs-postgres-").toRealPath();
			ServerUser.own(this.folder);
			SupervisedProcess.copySupervisor(this.folder);
			makeCluster(port, configuration);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot prepare the temporary folder of a PostgreSQL server", ex);
		}
	}

	private void makeCluster(int port, List<String> configuration) throws IOException {
		try {
			Path secret = Files.writeString(file("password"), this.password);
			ServerUser.own(secret);
			// The files of initdb need not survive a crash of the machine. Tests open
			// thousands of connections, and SCRAM would cost 4,096 rounds of hashing for
			// each.
			Command.run(
					this.folder, ServerUser.command(List.of(program("initdb"), "-D", data(), "-U", USERNAME,
							"--pwfile=" + secret, "--auth=md5", "--encoding=UTF8", "--no-locale", "--no-sync")),
					ENVIRONMENT, TIMEOUT);
			Stream<String> own = Stream.of("listen_addresses = '127.0.0.1'", "port = " + port,
					"unix_socket_directories = ''", "max_connections = 200", "shared_buffers = 32MB", "fsync = on",
					"full_page_writes = on", "synchronous_commit = on");
			// PostgreSQL uses the last line of a name.
			Files.write(Path.of(data()).resolve("postgresql.conf"), Stream.concat(own, configuration.stream()).toList(),
					StandardOpenOption.APPEND);
		}
		catch (IOException | RuntimeException ex) {
			delete();
			throw ex;
		}
	}

	Path folder() {
		return this.folder;
	}

	String password() {
		return this.password;
	}

	/**
	 * The server's process. Its supervisor deletes the folder when the JVM has ended.
	 */
	ProcessBuilder server() {
		ProcessBuilder builder = SupervisedProcess.command(this.folder, file("server.log"), this.folder.toString(),
				ServerUser.command(List.of(program("postgres"), "-D", data())));
		// The user's variables for PostgreSQL are for another server.
		builder.environment().keySet().removeIf((name) -> name.startsWith("PG") || name.equals("NOTIFY_SOCKET"));
		builder.environment().putAll(ENVIRONMENT);
		return builder;
	}

	/**
	 * The last part of the server's log, for messages.
	 */
	String log() {
		try {
			String text = Files.exists(file("server.log"))
					? new String(Files.readAllBytes(file("server.log")), StandardCharsets.UTF_8) : "(no log)";
			return "\n" + text.substring(Math.max(0, text.length() - LOG_TAIL));
		}
		catch (IOException ex) {
			return "\n(no log: " + ex + ")";
		}
	}

	void delete() {
		try {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot delete " + this.folder, ex);
		}
	}

	private String program(String name) {
		return this.bin.resolve(name).toString();
	}

	private String data() {
		return file("data").toString();
	}

	private Path file(String name) {
		return this.folder.resolve(name);
	}

}
