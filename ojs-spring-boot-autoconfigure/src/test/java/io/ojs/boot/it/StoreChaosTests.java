package io.ojs.boot.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import io.ojs.test.database.PostgresDatabase;
import io.ojs.test.database.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 of everything there is, at any time: one process that enqueues, two that work,
 * the broker and the database. Each job whose enqueueing was confirmed ends once, and
 * every run that it took is accounted for.
 */
@Tag("faults")
class StoreChaosTests {

	private static final Logger logger = LoggerFactory.getLogger(StoreChaosTests.class);

	private static final int JOBS = Integer.getInteger("ojs.chaos.jobs", 2000);

	private static final long SEED = Long.getLong("ojs.test.seed", System.nanoTime());

	private static final int KILLS = Math.max(6, JOBS / 700);

	/** In which a part of the jobs is enqueued, and a kill comes. */
	private static final Duration EACH = Duration.ofSeconds(3);

	/** What a relay has taken when it is killed is nobody's for half a minute. */
	private static final Duration PATIENCE = Duration.ofSeconds(150 + JOBS / 50);

	private static final String LANE = "ojs.queue.retry.chaos.250";

	private static final String MAIN = "ojs.queue.chaos";

	/** The narrower lanes are for what is left of a delay. */
	private static final List<String> QUEUES = List.of(MAIN, "ojs.queue.dlx.chaos", LANE, "ojs.queue.retry.chaos.187",
			"ojs.queue.retry.chaos.125");

	private final Random random = new Random(SEED);

	private final List<ChildApplication> children = new ArrayList<>();

	@TempDir
	private Path folder;

	private PrivateRabbitNode node;

	private VirtualHost virtualHost;

	private PostgresServer server;

	private PostgresDatabase database;

	@Test
	void whateverIsKilledNoJobIsLostAndNoneEndsTwice() {
		try (PrivateRabbitNode ownNode = PrivateRabbitNode.create();
				PostgresServer ownServer = PostgresServer.start()) {
			this.node = ownNode;
			this.virtualHost = ownNode.newVirtualHost();
			this.server = ownServer;
			this.database = ownServer.newDatabase();
			try {
				killAtRandom();
				awaitEnd();
			}
			finally {
				this.children.forEach(ChildApplication::close);
			}
			assertEverythingIsAccountedFor();
		}
	}

	private void killAtRandom() {
		for (int i = 0; i < 2; i++) {
			this.children.add(child().with(StoreChaos.Desk.class, StoreCrashes.ShortLease.class).start());
		}
		// One after the other: they all declare the same.
		this.children.forEach(ChildApplication::awaitStarted);
		this.children.add(child().with(StoreChaos.Enqueuer.class).property("ojs.worker.enabled", false).start());
		List<Runnable> victims = new ArrayList<>(List.of(this::killBroker, this::killDatabase));
		this.children.forEach((each) -> victims.add(() -> {
			each.kill();
			each.restart();
		}));
		List<Runnable> order = new ArrayList<>();
		for (int i = 0; i < KILLS; i++) {
			if (order.isEmpty()) {
				order.addAll(victims);
				Collections.shuffle(order, this.random);
			}
			// An application that finds no database ends of itself.
			this.children.forEach(ChildApplication::awaitStarted);
			// However long the restarts took, there is something to do at each kill.
			int before = runs().size();
			StoreCrashes.note(this.folder.resolve("parts"), "and another one");
			await().atMost(PATIENCE).until(() -> runs().size() > before);
			pause(2000);
			order.remove(0).run();
		}
	}

	private void killBroker() {
		if (FaultRun.TYPE.equals("quorum")) {
			await().atMost(PATIENCE).until(() -> {
				try (RawClient client = new RawClient(this.virtualHost.uri())) {
					return client.exists(LANE);
				}
			});
			try (RawClient client = new RawClient(this.virtualHost.uri())) {
				QUEUES.stream()
					.filter(client::exists)
					.forEach((queue) -> this.node.awaitOnDisk(this.virtualHost, queue));
			}
		}
		this.node.kill();
		pause(1000);
		this.node.start();
	}

	private void killDatabase() {
		this.server.kill();
		pause(1000);
		this.server.restart();
	}

	private void pause(int atMostMillis) {
		Duration pause = Duration.ofMillis(1 + this.random.nextInt(atMostMillis));
		await().pollDelay(pause).atMost(pause.plusSeconds(10)).until(() -> true);
	}

	private void awaitEnd() {
		await("all enqueued").atMost(PATIENCE).until(() -> confirmed().size() >= JOBS);
		JdbcTemplate jdbc = jdbc();
		await("all ended").atMost(PATIENCE)
			.untilAsserted(
					() -> assertThat(jdbc.queryForList("select id, state, attempt, errors, relay_at, published_at, "
							+ "lease_until, worker, due_at from ojs_job "
							+ "where ended_at is null or relay_at is not null or lease_until is not null limit 5"))
						.as("jobs that have not ended, of seed %d", SEED)
						.isEmpty());
		try (RawClient client = new RawClient(this.virtualHost.uri())) {
			await("no messages").atMost(PATIENCE)
				.until(() -> QUEUES.stream()
					.filter((queue) -> !queue.contains("dlx") && client.exists(queue))
					.mapToLong(client::count)
					.sum() == 0);
		}
	}

	private void assertEverythingIsAccountedFor() {
		JdbcTemplate jdbc = jdbc();
		List<String> expected = IntStream.range(0, JOBS).mapToObj(StoreChaos::id).toList();
		assertThat(confirmed()).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(jdbc.queryForList("select cast(id as varchar) from ojs_job", String.class))
			.containsExactlyInAnyOrderElementsOf(expected);
		assertThat(jdbc.queryForList(
				"select cast(id as varchar) from ojs_job where state = 'discarded' and dead_lettered_at is not null",
				String.class))
			.containsExactlyInAnyOrderElementsOf(
					IntStream.range(0, JOBS).filter(StoreChaos::failsAlways).mapToObj(StoreChaos::id).toList());
		assertThat(count("state not in ('completed', 'discarded')")).isZero();
		assertThat(jdbc.queryForList("select subject, string_agg(type, ',') from ojs_event where type in "
				+ "('job.completed', 'job.dead_lettered', 'job.discarded', 'job.cancelled') group by subject "
				+ "having count(*) <> 1"))
			.as("jobs that ended more than once")
			.isEmpty();
		// Each attempt but the last one of a success has an error: its own or
		// WORKER_LOST.
		assertThat(jdbc.queryForList("select id, state, attempt, run, errors from ojs_job where attempt <> run or "
				+ "coalesce(json_array_length(cast(errors as json)), 0) "
				+ "<> case when state = 'completed' then attempt - 1 else attempt end"))
			.as("attempts without a reason")
			.isEmpty();
		assertRuns(jdbc);
		try (RawClient client = new RawClient(this.virtualHost.uri())) {
			// All consumers are gone, so what nobody has acked would be ready.
			assertThat(client.count(MAIN)).isZero();
		}
	}

	/**
	 * No handler was called but for an attempt that the store has counted, and once for
	 * each.
	 */
	private void assertRuns(JdbcTemplate jdbc) {
		List<String> runs = runs();
		assertThat(runs).doesNotHaveDuplicates();
		Map<String, Long> ran = runs.stream()
			.map((line) -> line.split(" ")[0])
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		jdbc.query("select id, attempt from ojs_job", (row) -> {
			assertThat(ran.getOrDefault(row.getString("id"), 0L)).as("runs of job %s", row.getString("id"))
				.isBetween(1L, row.getLong("attempt"));
		});
		logger.info(
				"seed {}: {} kills ({} queues), {} confirmed, {} completed, {} dead letters, 0 lost, {} runs, "
						+ "{} jobs with a lost run, {} with more than one attempt",
				SEED, KILLS, FaultRun.TYPE, JOBS, count("state = 'completed'"), count("state = 'discarded'"),
				runs.size(), count("errors like '%WORKER_LOST%'"), count("attempt > 1"));
	}

	private long count(String condition) {
		Long count = jdbc().queryForObject("select count(*) from ojs_job where " + condition, Long.class);
		return (count != null) ? count : 0;
	}

	private List<String> confirmed() {
		return StoreChaos.lines(this.folder.resolve("confirmed"));
	}

	private List<String> runs() {
		return StoreChaos.lines(this.folder.resolve("runs"));
	}

	private JdbcTemplate jdbc() {
		return new JdbcTemplate(
				new DriverManagerDataSource(this.database.url(), this.database.username(), this.database.password()));
	}

	private ChildApplication.Starter child() {
		return ChildApplication.on(this.virtualHost.uri())
			.property("ojs.store.enabled", true)
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
			.property("ojs.queues.chaos.concurrency", 4)
			.property(StoreChaos.JOBS, JOBS)
			.property(StoreChaos.PAUSE, EACH.multipliedBy(KILLS).dividedBy(Math.max(1, JOBS / 10)).toMillis() + "ms")
			.property(StoreChaos.CONFIRMED, this.folder.resolve("confirmed"))
			.property(StoreChaos.PARTS, this.folder.resolve("parts"))
			.property(StoreChaos.OF_PARTS, KILLS)
			.property(StoreChaos.RUNS, this.folder.resolve("runs"));
	}

}
