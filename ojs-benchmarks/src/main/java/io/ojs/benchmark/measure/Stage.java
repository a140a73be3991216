package io.ojs.benchmark.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.contender.Contenders.Uses;
import io.ojs.benchmark.contender.Site;
import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A broker and a database of their own, both of which write to disk before they say so,
 * and the processes that are measured on them, one at a time.
 */
public final class Stage implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Stage.class);

	private static final Duration PATIENCE = Duration.ofMinutes(30);

	private final JsonMapper json = new JsonMapper();

	private final PrivateRabbitNode broker;

	private final PostgresServer database;

	private final long brokerPid;

	private final long databasePid;

	private final Path results;

	private final Map<String, Path> javas;

	/**
	 * Starts broker and database.
	 * @param results the file that measurements are added to, a line of JSON each
	 * @param javas folders of Java installations, by their major version
	 */
	public Stage(Path results, Map<String, Path> javas) {
		this.results = results;
		this.javas = javas;
		this.broker = PrivateRabbitNode.create();
		this.database = PostgresServer.start("shared_buffers = 512MB", "max_wal_size = 4GB");
		this.brokerPid = Long.parseLong(this.broker.ctl("eval", "os:getpid().").replaceAll("\\D", ""));
		this.databasePid = databasePid(this.database);
	}

	private static long databasePid(PostgresServer server) {
		try (PostgresDatabase database = server.newDatabase();
				Connection connection = DriverManager.getConnection(database.url(), database.username(),
						database.password());
				Statement statement = connection.createStatement();
				ResultSet answer = statement.executeQuery("SELECT pg_backend_pid()")) {
			answer.next();
			return ProcessHandle.of(answer.getLong(1)).flatMap(ProcessHandle::parent).orElseThrow().pid();
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The database does not tell its processes", ex);
		}
	}

	/**
	 * What is measured on.
	 * @return names and versions
	 */
	public Map<String, String> versions() {
		return new TreeMap<>(Map.of("RabbitMQ", this.broker.version(), "PostgreSQL", this.database.version()));
	}

	/**
	 * Measures once, in a process of its own, on an empty virtual host and an empty
	 * database; nothing if the scenario has nothing to do with the contender.
	 * @param run what
	 * @throws IllegalStateException if the process fails; its output is in the message
	 */
	public void measure(Run run) {
		if (!run.scenario().suits(run.contender())) {
			return;
		}
		logger.info("{}", run);
		try (VirtualHost virtualHost = this.broker.newVirtualHost();
				PostgresDatabase database = this.database.newDatabase()) {
			boolean counted = run.scenario() == Scenario.COST;
			Site site = new Site(virtualHost.uri(), counted ? CountedSockets.in(database.url()) : database.url(),
					database.username(), database.password(), run.queueType(), run.virtualThreads());
			if (run.scenario() == Scenario.LATENCY) {
				latency(run, site);
			}
			else {
				await(start(run, run.scenario(), site), run);
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot start " + run, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted at " + run, ex);
		}
	}

	private void latency(Run run, Site site) throws IOException, InterruptedException {
		Started worker = start(run, Scenario.LATENCY, site);
		awaitLine(Latency.READY, worker, run);
		Started pace = start(run, Scenario.PACE, site);
		try {
			awaitLine(Pace.STEADY, pace, run);
			tell(worker);
			await(worker, run);
		}
		finally {
			if (pace.process().isAlive()) {
				tell(pace);
			}
			worker.process().destroyForcibly();
		}
		await(pace, run);
	}

	private void awaitLine(String line, Started started, Run run) throws IOException, InterruptedException {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (!Files.readString(started.log()).lines().anyMatch(line::equals)) {
			if (!started.process().isAlive() || System.nanoTime() > end) {
				await(started, run);
				throw new IllegalStateException("%s ended before it was %s".formatted(run, line));
			}
			TimeUnit.MILLISECONDS.sleep(50);
		}
	}

	/** That the other one is where it has been waited for. */
	private static void tell(Started waiting) throws IOException {
		waiting.process().getOutputStream().write('\n');
		waiting.process().getOutputStream().close();
	}

	private void await(Started started, Run run) throws IOException, InterruptedException {
		try {
			if (started.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)
					&& started.process().exitValue() == 0) {
				Files.deleteIfExists(started.log());
				return;
			}
			String output = Files.readString(started.log());
			throw new IllegalStateException(run + " failed: " + output.substring(Math.max(0, output.length() - 8_000)));
		}
		finally {
			started.process().destroyForcibly();
		}
	}

	private Started start(Run run, Scenario scenario, Site site) throws IOException {
		Contenders contender = run.contender();
		Task task = new Task(scenario, contender, site, run.round(), run.settings(), run.seconds(), run.backlog(),
				(contender.uses() != Uses.DATABASE) ? this.brokerPid : 0,
				(contender.uses() != Uses.BROKER) ? this.databasePid : 0);
		Path log = Files.createTempFile("ojs-benchmark-", ".log");
		List<String> command = new ArrayList<>();
		Path java = this.javas.get(run.java());
		if (java == null) {
			throw new IllegalStateException("No Java " + run.java() + " among " + this.javas.keySet());
		}
		command.add(java.resolve("bin/java").toString());
		if (!run.only().isEmpty()) {
			command.add("-D%s=%s".formatted(Scenario.ONLY, String.join(",", run.only())));
		}
		command.addAll(run.jvmOptions());
		command.addAll(List.of("-Xms1g", "-Xmx1g", "-cp", System.getProperty("java.class.path"),
				MeasuredProcess.class.getName(), this.json.writeValueAsString(task), this.results.toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		return new Started(process, log);
	}

	@Override
	public void close() {
		this.broker.close();
		this.database.close();
	}

	private record Started(Process process, Path log) {

	}

}
