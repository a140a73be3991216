package io.ojs.test.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.ojs.test.internal.process.SupervisedProcess;

import org.springframework.util.FileSystemUtils;

/**
 * The temporary folder of a private node: its configuration, data and logs. The folder is
 * also the node's home, so the node shares its Erlang cookie with no other.
 */
final class NodeFiles {

	static final String USERNAME = "ojs";

	private static final String NODE = "ojs@localhost";

	private static final String LOOPBACK = "127.0.0.1";

	/** Logged at the end of a start, in every version. */
	private static final String STARTED = "Server startup complete";

	private static final int LOG_TAIL = 4_000;

	private final Path folder;

	private final RabbitInstallation installation;

	private final NodePorts ports;

	private final String password = UUID.randomUUID().toString();

	NodeFiles(RabbitInstallation installation, NodePorts ports, List<String> configuration) {
		this.installation = installation;
		this.ports = ports;
		try {
			this.folder = Files.createTempDirectory("ojs-rabbitmq-").toRealPath();
			for (String name : List.of("log", "mnesia", "schema", "config")) {
				Files.createDirectory(this.folder.resolve(name));
			}
			Stream<String> own = Stream.of("listeners.tcp.1 = 127.0.0.1:" + ports.amqp(),
					"management.tcp.ip = 127.0.0.1", "management.tcp.port = " + ports.management(),
					"default_user = " + USERNAME, "default_pass = " + this.password, "log.console = false");
			Files.write(file("rabbitmq.conf"), Stream.concat(own, configuration.stream()).toList());
			Files.writeString(file("enabled_plugins"), "[rabbitmq_management].\n");
			Files.writeString(file(".erlang.cookie"), UUID.randomUUID().toString());
			Files.setPosixFilePermissions(file(".erlang.cookie"), PosixFilePermissions.fromString("r--------"));
			SupervisedProcess.copySupervisor(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot prepare the temporary folder of a RabbitMQ node", ex);
		}
	}

	Path folder() {
		return this.folder;
	}

	BrokerAddress address() {
		return new BrokerAddress(LOOPBACK, this.ports.amqp(), USERNAME, this.password, "/");
	}

	/**
	 * The broker's process. Its supervisor deletes the folder.
	 */
	ProcessBuilder broker() {
		return supervised("broker.log", this.folder.toString(), script("rabbitmq-server"));
	}

	ProcessBuilder epmd() {
		return supervised("epmd.log", "", this.installation.erlang().resolve("epmd").toString(), "-port",
				Integer.toString(this.ports.epmd()), "-address", LOOPBACK);
	}

	private ProcessBuilder supervised(String log, String folder, String... command) {
		ProcessBuilder builder = SupervisedProcess.command(this.folder, file("log").resolve(log), folder,
				List.of(command));
		builder.environment().clear();
		builder.environment().putAll(environment());
		return builder;
	}

	String script(String name) {
		return this.installation.scripts().resolve(name).toString();
	}

	/**
	 * The environment of the node and of {@code rabbitmqctl}. It leaves out the user's
	 * variables for RabbitMQ and Erlang, which are for another node.
	 */
	Map<String, String> environment() {
		Map<String, String> environment = new HashMap<>(System.getenv());
		environment.keySet()
			.removeIf(
					(name) -> name.startsWith("RABBITMQ_") || name.startsWith("ERL_") || name.equals("NOTIFY_SOCKET"));
		environment.putAll(this.installation.environment());
		environment.merge("PATH", this.installation.erlang().toString(), (path, erlang) -> erlang + ":" + path);
		environment.put("HOME", this.folder.toString());
		environment.put("LC_ALL", "C.UTF-8");
		// Makes the start script replace itself with the Erlang VM, so that signals reach
		// the broker and not a shell.
		environment.put("RUNNING_UNDER_SYSTEMD", "true");
		// Names are unique within an epmd, and this node has an epmd of its own.
		environment.put("RABBITMQ_NODENAME", NODE);
		environment.put("RABBITMQ_DIST_PORT", Integer.toString(this.ports.distribution()));
		environment.put("ERL_EPMD_PORT", Integer.toString(this.ports.epmd()));
		environment.put("ERL_EPMD_ADDRESS", LOOPBACK);
		// Without an epmd, Erlang would start one that outlives the JVM. It finds the
		// epmd of this node.
		environment.put("ERL_FLAGS", "-start_epmd false -kernel inet_dist_use_interface {127,0,0,1}");
		environment.put("ERL_CRASH_DUMP_SECONDS", "0");
		environment.put("RABBITMQ_MNESIA_BASE", file("mnesia").toString());
		environment.put("RABBITMQ_LOG_BASE", file("log").toString());
		environment.put("RABBITMQ_SCHEMA_DIR", file("schema").toString());
		environment.put("RABBITMQ_GENERATED_CONFIG_DIR", file("config").toString());
		environment.put("RABBITMQ_CONFIG_FILE", file("rabbitmq.conf").toString());
		environment.put("RABBITMQ_CONF_ENV_FILE", file("absent").toString());
		environment.put("RABBITMQ_ADVANCED_CONFIG_FILE", file("absent").toString());
		environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", file("enabled_plugins").toString());
		environment.put("RABBITMQ_FEATURE_FLAGS_FILE", file("feature_flags").toString());
		// The default is a range of eleven ports for the whole host.
		environment.put("RABBITMQ_CTL_DIST_PORT_MIN", "33000");
		environment.put("RABBITMQ_CTL_DIST_PORT_MAX", "60000");
		return environment;
	}

	/**
	 * Whether RabbitMQ's register of quorum queues on disk contains the queue. The
	 * register stores the name as an Erlang atom with its length before it.
	 */
	boolean hasQuorumQueue(String virtualHost, String queue) {
		String name = (virtualHost.equals("/") ? "%2F" : virtualHost) + "_" + queue;
		byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
		String atom = (char) (bytes.length & 0xff) + latin(bytes);
		Path register = file("mnesia").resolve(NODE).resolve("quorum").resolve(NODE).resolve("names.dets");
		try {
			return Files.exists(register) && latin(Files.readAllBytes(register)).contains(atom);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + register, ex);
		}
	}

	/** The present size of the node's log. */
	long logSize() {
		Path log = log();
		try {
			return Files.exists(log) ? Files.size(log) : 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + log, ex);
		}
	}

	/**
	 * Whether the node's log reports the end of the start.
	 * @param from the position in the log at which this start begins
	 */
	boolean tellsOfStart(long from) {
		Path log = log();
		try {
			byte[] all = Files.exists(log) ? Files.readAllBytes(log) : new byte[0];
			return all.length > from && latin(all).indexOf(STARTED, (int) from) >= 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + log, ex);
		}
	}

	private Path log() {
		return file("log").resolve(NODE + ".log");
	}

	/**
	 * The last part of each log of the node, for messages.
	 */
	String logs() {
		StringBuilder logs = new StringBuilder();
		try (Stream<Path> files = Files.list(file("log"))) {
			for (Path log : files.filter((name) -> name.toString().endsWith(".log")).toList()) {
				String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
				logs.append("\n--- ")
					.append(log.getFileName())
					.append('\n')
					.append(text.substring(Math.max(0, text.length() - LOG_TAIL)));
			}
		}
		catch (IOException ex) {
			logs.append("\n(no logs: ").append(ex).append(')');
		}
		return logs.toString();
	}

	void delete() {
		try {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot delete " + this.folder, ex);
		}
	}

	private static String latin(byte[] bytes) {
		// One character for each byte, which is enough for a search.
		return new String(bytes, StandardCharsets.ISO_8859_1);
	}

	private Path file(String name) {
		return this.folder.resolve(name);
	}

}
