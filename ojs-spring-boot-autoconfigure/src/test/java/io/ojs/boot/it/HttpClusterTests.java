package io.ojs.boot.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import io.ojs.test.internal.process.LoopbackPorts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances that serve the HTTP API behind a load balancer, workers that fetch there,
 * and processes with handlers for the same jobs, while an instance is killed twice, with
 * answers on their way.
 */
@Tag("faults")
class HttpClusterTests {

	private static final Logger logger = LoggerFactory.getLogger(HttpClusterTests.class);

	private static final int JOBS = Integer.getInteger("ojs.cluster.jobs", 1200);

	private static final long SEED = Long.getLong("ojs.test.seed", System.nanoTime());

	private static final int WORKERS = 10;

	private static final int PRODUCERS = 2;

	/** Before the instance is back that was killed first. */
	private static final int FIRST_PART = JOBS * 45 / 100;

	/** Jobs that may wait, so that workers and handlers compete for all of them. */
	private static final int WAITING = Math.max(200, JOBS / 20);

	private static final Duration PATIENCE = Duration.ofSeconds(120 + JOBS / 50);

	private final HttpClusterNotes notes = new HttpClusterNotes();

	private final AtomicInteger released = new AtomicInteger(FIRST_PART);

	private final List<Thread> threads = new ArrayList<>();

	private final List<ChildApplication> processes = new ArrayList<>();

	private final int[] ports = LoopbackPorts.free(2);

	@TempDir
	private Path folder;

	private PrivateRabbitNode node;

	private VirtualHost virtualHost;

	private PostgresDatabase database;

	private StoreChaosLedger handlers;

	private HttpClusterLedger ledger;

	private volatile boolean over;

	@Test
	void everyJobEndsOnceWhoeverWorksItAndWhicheverInstanceIsKilled() {
		try (PrivateRabbitNode ownNode = PrivateRabbitNode.create();
				PostgresDatabase ownDatabase = PostgresServer.shared().newDatabase();
				RoundRobin balancer = new RoundRobin(this.ports)) {
			this.node = ownNode;
			this.virtualHost = ownNode.newVirtualHost();
			this.database = ownDatabase;
			this.handlers = new StoreChaosLedger(this.folder, JOBS, ownDatabase);
			this.ledger = new HttpClusterLedger(JOBS, this.notes, this.handlers, ownDatabase);
			try {
				ChildApplication doomed = startAll();
				long begin = System.nanoTime();
				startClients(balancer.port());
				killTwice(doomed);
				awaitEnd();
				Duration took = Duration.ofNanos(System.nanoTime() - begin);
				this.ledger.assertNoneLostAndNoneTwice();
				this.ledger.assertEachRunIsExplained();
				tell(took);
				assertThat(this.ledger.byHandlers()).as("jobs of handlers, the others are workers'")
					.isBetween(1, JOBS - 1);
				assertThat(this.ledger.failedRuns()).as("runs that failed").isGreaterThan(JOBS / 25);
				assertThat(this.ledger.lostByKills()).as("runs that were lost and repeated").isPositive();
			}
			finally {
				this.over = true;
				this.processes.forEach(ChildApplication::close);
			}
			// All consumers are gone, so RabbitMQ would count unacked messages as ready.
			assertThat(messages()).isEmpty();
		}
	}

	private void tell(Duration took) {
		logger.info(
				"seed {}: {} jobs in {} s ({} a second), {} kills; 0 lost, all completed once, {} by HTTP workers, {} by "
						+ "handlers; {} runs failed and were repeated, {} were lost with an instance and repeated, {} "
						+ "because a worker was silent; {} outcomes and {} batches were kept whose answers were lost; "
						+ "{} calls without an answer, {} heartbeats; {} ms without a run at most",
				SEED, JOBS, took.toSeconds(), JOBS * 1000L / took.toMillis(), this.notes.kills().size(),
				JOBS - this.ledger.byHandlers(), this.ledger.byHandlers(), this.ledger.failedRuns(),
				this.ledger.lostByKills(), this.ledger.lostBySilence(), this.ledger.unansweredOutcomes(),
				this.notes.duplicates(), this.notes.unanswered().size(), this.notes.heartbeats(),
				this.ledger.longestPause());
	}

	private ChildApplication startAll() {
		// Somebody has to be the first to create the tables.
		start(handler()).awaitStarted();
		start(handler());
		start(instance(this.ports[0]));
		ChildApplication doomed = start(instance(this.ports[1])
			// When they have fetched about ten times each.
			.crashAt("after FetchStore.fetch", Math.max(5, JOBS / 100)));
		this.processes.forEach(ChildApplication::awaitStarted);
		return doomed;
	}

	private ChildApplication start(ChildApplication.Starter starter) {
		ChildApplication process = starter.start();
		this.processes.add(process);
		return process;
	}

	private void startClients(int port) {
		AtomicInteger next = new AtomicInteger();
		for (int i = 0; i < PRODUCERS; i++) {
			HttpClusterClient client = new HttpClusterClient("producer-" + i, port, this.notes);
			start(new HttpClusterProducer(client, this.notes, next, JOBS, this::limit), "producer-" + i);
		}
		await("jobs to fetch").atMost(PATIENCE).until(() -> this.notes.enqueued() >= WAITING / 2);
		for (int i = 0; i < WORKERS; i++) {
			String name = "worker-" + i;
			start(new HttpClusterWorker(name, port, this.notes, SEED + i, () -> this.over), name);
		}
	}

	private void start(Runnable client, String name) {
		Thread thread = new Thread(client, name);
		thread.setDaemon(true);
		this.threads.add(thread);
		thread.start();
	}

	private int limit() {
		return (int) Math.min(this.released.get(), this.ledger.progress() + WAITING);
	}

	/** First with fetches that are committed and unanswered, then with such acks. */
	private void killTwice(ChildApplication doomed) {
		killAt(doomed, "after FetchStore.fetch");
		ChildApplication again = start(
				instance(this.ports[1]).crashAt("after AttemptStore.settle", Math.max(5, JOBS / 40)));
		again.awaitStarted();
		this.released.set(JOBS);
		killAt(again, "after AttemptStore.settle");
		again.restart().awaitStarted();
	}

	private void killAt(ChildApplication process, String point) {
		await(point).atMost(PATIENCE).until(() -> {
			assertThat(this.notes.unexpected()).as("answers that nobody should get").isEmpty();
			return process.output().contains(CrashPoint.line(point));
		});
		long before = System.currentTimeMillis();
		process.kill();
		this.notes.killed("instance", before);
	}

	private void awaitEnd() {
		await("all enqueued").atMost(PATIENCE).until(() -> this.notes.enqueued() >= JOBS);
		await("all ended").atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(500))
			.untilAsserted(() -> assertThat(this.handlers.unfinished()).as("not ended, of seed %d", SEED).isEmpty());
		this.over = true;
		await("workers end").atMost(PATIENCE).until(() -> this.threads.stream().noneMatch(Thread::isAlive));
		await("no messages").atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(500))
			.untilAsserted(() -> assertThat(messages()).isEmpty());
	}

	/** Of all queues and retry queues, unacked messages included. */
	private List<String> messages() {
		return this.node
			.ctl("-q", "list_queues", "-p", this.virtualHost.name(), "name", "messages", "--no-table-headers")
			.lines()
			.filter((line) -> !line.endsWith("\t0"))
			.toList();
	}

	private ChildApplication.Starter handler() {
		return child().with(HttpCluster.Desk.class).property(HttpCluster.RUNS, this.handlers.runs());
	}

	private ChildApplication.Starter instance(int port) {
		return child().with(HttpCluster.CrashPoints.class)
			.property("ojs.worker.enabled", false)
			.property("ojs.http.enabled", true)
			.property("ojs.http.allow-anonymous", true)
			.property("spring.main.web-application-type", "servlet")
			.property("server.address", "127.0.0.1")
			.property("server.port", port)
			// So that load is balanced again and again.
			.property("server.tomcat.max-keep-alive-requests", 20);
	}

	private ChildApplication.Starter child() {
		return ChildApplication.on(this.virtualHost.uri())
			.with(StoreCrashes.ShortHold.class)
			.property("ojs.store.enabled", true)
			.property("ojs.store.initialize-schema", "always")
			.property("spring.datasource.url", this.database.url())
			.property("spring.datasource.username", this.database.username())
			.property("spring.datasource.password", this.database.password())
			.property("ojs.store.relay-grace", "3s")
			.property("ojs.store.reap-interval", "500ms")
			.property("ojs.queue-defaults.retry.max-attempts", StoreChaos.MAX_ATTEMPTS)
			.property("ojs.queue-defaults.retry.backoff-coefficient", 1.0)
			.property("ojs.queues.cluster.concurrency", 4);
	}

}
