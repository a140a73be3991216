package io.ojs.boot.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 of everything there is, at any time: one process that enqueues, two that work,
 * the broker and the database. Each job whose enqueueing was confirmed ends once, and
 * every run that it took is accounted for.
 */
abstract class StoreChaosContract {

	private static final Logger logger = LoggerFactory.getLogger(StoreChaosContract.class);

	private static final int JOBS = Integer.getInteger("ojs.chaos.jobs", 1500);

	private static final long SEED = Long.getLong("ojs.test.seed", System.nanoTime());

	/** In each of which everything is killed once, in any order. */
	private static final int ROUNDS = Math.max(2, JOBS * 3 / 10_000);

	/** For those who run all tests; after it there is no second round. */
	private static final Duration ENOUGH = (JOBS > 2000) ? Duration.ofHours(1) : Duration.ofSeconds(30);

	/** In which a part of the jobs is enqueued, and a kill comes. */
	private static final Duration EACH = Duration.ofSeconds(2);

	/** So many kills or more that documentation promises, of so many jobs or more. */
	private static final int FULL_KILLS = 30;

	private static final int FULL_JOBS = 20_000;

	private static final Duration PATIENCE = Duration.ofSeconds(120 + JOBS / 100);

	private static final Duration POLL = Duration.ofMillis(50);

	private static final String MAIN = "ojs.queue.chaos";

	private static final String DEAD = "ojs.queue.dlx.chaos";

	private final String delivery;

	private final Random random = new Random(SEED);

	private final List<Process> processes = new ArrayList<>();

	private static final int CONCURRENCY = 4;

	private final Map<String, Integer> kills = new TreeMap<>();

	@TempDir
	private Path folder;

	private PrivateRabbitNode node;

	private VirtualHost virtualHost;

	private PostgresServer server;

	private PostgresDatabase database;

	private StoreChaosLedger ledger;

	/**
	 * Creates it.
	 * @param delivery how workers get their jobs
	 */
	StoreChaosContract(String delivery) {
		this.delivery = delivery;
	}

	@Test
	void whateverIsKilledNoJobIsLostAndNoneEndsTwice() {
		long begin = System.nanoTime();
		CompletableFuture<PostgresServer> starting = CompletableFuture.supplyAsync(PostgresServer::start);
		try (PrivateRabbitNode ownNode = PrivateRabbitNode.create(); PostgresServer ownServer = starting.join()) {
			this.node = ownNode;
			this.virtualHost = ownNode.newVirtualHost();
			this.server = ownServer;
			this.database = ownServer.newDatabase();
			this.ledger = new StoreChaosLedger(this.folder, JOBS, this.database);
			try {
				startAll();
				killAtRandom();
				awaitEnd();
			}
			finally {
				this.processes.forEach((process) -> process.application.close());
			}
			this.ledger.assertNoneLostAndNoneEndedTwice();
			this.ledger.assertEachAttemptIsExplained();
			assertFewRunsWereRepeated();
			if (JOBS >= FULL_JOBS) {
				assertThat(this.kills.values().stream().mapToInt(Integer::intValue).sum()).as("kills: %s", this.kills)
					.isGreaterThanOrEqualTo(FULL_KILLS);
			}
			try (RawClient client = new RawClient(this.virtualHost.uri())) {
				// All consumers are gone, so RabbitMQ would count unacked messages as
				// ready.
				assertThat(client.count(MAIN)).isZero();
			}
			tell(begin);
		}
	}

	/**
	 * Of each consumer of a worker, one job that ran and one that was not recorded yet.
	 */
	private void assertFewRunsWereRepeated() {
		int killed = this.kills.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith("worker"))
			.mapToInt(Map.Entry::getValue)
			.sum();
		assertThat(this.ledger.lostAndRepeated()).as("runs that were repeated after %d kills of workers", killed)
			.isLessThanOrEqualTo(2L * CONCURRENCY * killed);
	}

	private void tell(long begin) {
		logger.info(
				"seed {} ({} queues, delivery={}): {} jobs, killed {}; 0 lost, {} completed, {} dead letters, {} runs, {} of them "
						+ "lost and repeated; {} s without a run at most, {} s in all",
				SEED, FaultRun.TYPE, this.delivery, JOBS, this.kills, this.ledger.count("state = 'completed'"),
				this.ledger.count("state = 'discarded'"), this.ledger.runsInAll(), this.ledger.lostAndRepeated(),
				this.ledger.longestPause().toSeconds(), Duration.ofNanos(System.nanoTime() - begin).toSeconds());
	}

	private void startAll() {
		Process first = new Process("worker 1", worker());
		this.processes.add(first);
		first.application.awaitStarted();
		this.processes.add(new Process("worker 2", worker()));
		this.processes.add(
				new Process("enqueuer", child().with(StoreChaos.Enqueuer.class).property("ojs.worker.enabled", false)));
		if (FaultRun.TYPE.equals("quorum")) {
			this.node.awaitOnDisk(this.virtualHost, MAIN);
			this.node.awaitOnDisk(this.virtualHost, DEAD);
			retryQueues().forEach((width) -> this.node.awaitOnDisk(this.virtualHost, width));
		}
		this.processes.forEach((process) -> process.application.awaitStarted());
	}

	private void killAtRandom() {
		long begin = System.nanoTime();
		Map<String, Runnable> victims = new TreeMap<>(
				Map.of("broker", this::killBroker, "database", this::killDatabase));
		this.processes.forEach((process) -> victims.put(process.name, () -> kill(process)));
		int parts = 0;
		for (int round = 0; round < ROUNDS; round++) {
			List<String> order = new ArrayList<>(victims.keySet());
			Collections.shuffle(order, this.random);
			for (String victim : order) {
				if (round == 0 || System.nanoTime() - begin < ENOUGH.toNanos()) {
					// However long restarts take, there is something to do at each kill.
					release(1);
					parts++;
					awaitProgress(JOBS / kills(victims.size()));
					// Shorter than a part takes: something is under way.
					pause(EACH.dividedBy(4));
					victims.get(victim).run();
					this.kills.merge(victim, 1, Integer::sum);
				}
			}
		}
		release(kills(victims.size()) - parts);
	}

	private int kills(int victims) {
		return ROUNDS * victims;
	}

	private void release(int parts) {
		for (int i = 0; i < parts; i++) {
			StoreCrashes.note(this.ledger.parts(), "and another one");
		}
	}

	/** A part of each part, so that kills come all the time and not at the beginning. */
	private void awaitProgress(int part) {
		long enough = this.ledger.progress() + part / 3;
		await("runs").atMost(PATIENCE).pollInterval(POLL).until(() -> {
			supervise();
			return this.ledger.progress() >= enough;
		});
	}

	private void killBroker() {
		this.node.kill();
		killWhileItIsAway();
		this.node.start();
	}

	private void killDatabase() {
		this.server.kill();
		killWhileItIsAway();
		this.server.restart();
		this.processes.forEach((process) -> process.mayEnd = true);
	}

	/** Whatever a process was about to do about it. */
	private void killWhileItIsAway() {
		pause(EACH);
		if (this.random.nextInt(3) == 0) {
			Process process = this.processes.get(this.random.nextInt(this.processes.size()));
			kill(process);
			this.kills.merge(process.name, 1, Integer::sum);
		}
	}

	private void kill(Process process) {
		if (process.application.isAlive()) {
			process.application.kill();
		}
		process.start();
	}

	/** An application that finds no database when it starts ends of itself. */
	private void supervise() {
		for (Process process : this.processes) {
			if (!process.application.isAlive()) {
				assertThat(process.mayEnd).as("%s ended of itself:%n%s", process.name, process.application.output())
					.isTrue();
				process.start();
			}
		}
	}

	private void pause(Duration atMost) {
		Duration pause = Duration.ofMillis(1 + this.random.nextInt((int) atMost.toMillis()));
		await().pollDelay(pause).atMost(pause.plusSeconds(10)).until(() -> true);
	}

	private void awaitEnd() {
		await("all enqueued").atMost(PATIENCE).until(() -> {
			supervise();
			return this.ledger.isAllConfirmed();
		});
		await("all ended").atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(500))
			.untilAsserted(() -> assertThat(this.ledger.unfinished()).as("not ended, of seed %d", SEED).isEmpty());
		try (RawClient client = new RawClient(this.virtualHost.uri())) {
			await("no messages").atMost(PATIENCE)
				.until(() -> client.count(MAIN) + retryQueues().stream().mapToLong(client::count).sum() == 0);
		}
	}

	private static List<String> retryQueues() {
		return StoreChaos.RETRY_QUEUES.stream().map((millis) -> "ojs.queue.retry.chaos." + millis).toList();
	}

	private ChildApplication.Starter worker() {
		return child().with(StoreChaos.AllRetryQueues.class, StoreChaos.Desk.class);
	}

	private ChildApplication.Starter child() {
		int parts = kills(5);
		return ChildApplication.on(this.virtualHost.uri())
			.with(StoreCrashes.ShortHold.class)
			.property("ojs.store.enabled", true)
			.property("ojs.store.lease", StoreCrashes.LEASE)
			.property("ojs.store.initialize-schema", "always")
			.property("spring.datasource.url", this.database.url())
			.property("spring.datasource.username", this.database.username())
			.property("spring.datasource.password", this.database.password())
			.property("spring.datasource.hikari.connection-timeout", 2000)
			.property("spring.datasource.hikari.validation-timeout", 500)
			.property("spring.rabbitmq.requested-heartbeat", "2s")
			.property("ojs.reconnect.max-interval", "2s")
			.property("ojs.store.relay-grace", "3s")
			.property("ojs.store.overdue-after", "5s")
			.property("ojs.store.reap-interval", "500ms")
			.property("ojs.queue-defaults.type", FaultRun.TYPE)
			.property("ojs.queue-defaults.retry.max-attempts", StoreChaos.MAX_ATTEMPTS)
			.property("ojs.queue-defaults.retry.backoff-coefficient", 1.0)
			.property("ojs.queues.chaos.concurrency", CONCURRENCY)
			.property("ojs.queues.chaos.delivery", this.delivery)
			.property(StoreChaos.JOBS, JOBS)
			.property(StoreChaos.PAUSE, EACH.multipliedBy(parts).dividedBy(Math.max(1, JOBS / 10)).toMillis() + "ms")
			.property(StoreChaos.CONFIRMED, this.ledger.confirmed())
			.property(StoreChaos.PARTS, this.ledger.parts())
			.property(StoreChaos.OF_PARTS, parts)
			.property(StoreChaos.RUNS, this.ledger.runs());
	}

	/**
	 * An application that is started again whenever it has ended.
	 */
	private static final class Process {

		private final String name;

		private final ChildApplication application;

		/** Whether the database was away since its start. */
		private boolean mayEnd;

		Process(String name, ChildApplication.Starter starter) {
			this.name = name;
			this.application = starter.start();
		}

		void start() {
			this.mayEnd = false;
			this.application.restart();
		}

	}

}
