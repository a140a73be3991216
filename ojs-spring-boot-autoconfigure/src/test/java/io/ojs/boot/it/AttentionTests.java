package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.observe.AmqpBrokerFigures;
import io.ojs.amqp.internal.observe.BrokerProbe;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.figures.AttentionItem;
import io.ojs.internal.figures.AttentionLimits;
import io.ojs.internal.figures.Depths;
import io.ojs.internal.figures.Figures;
import io.ojs.internal.figures.KnownQueue;
import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.stats.MinuteRecorder;
import io.ojs.jdbc.internal.stats.JdbcMinuteStore;
import io.ojs.job.JobRequest;
import io.ojs.job.RateLimit;
import io.ojs.queue.Queues;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What operators are told about: each thing is caused, and is in the answer.
 */
class AttentionTests extends BrokerTest {

	private static final JobRequest NOTE = JobRequest.of("note", "fine").queue("notes");

	private static final JobRequest BAD_NOTE = JobRequest.of("note", "fail")
		.queue("notes")
		.retry((policy) -> policy.maxAttempts(1));

	private static final JsonObjects JSON = new JsonObjects();

	private final PostgresDatabase database = StoreDatabases.create();

	private final SingleConnectionDataSource connection = new SingleConnectionDataSource(this.database.url(),
			this.database.username(), this.database.password(), true);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.connection);

	@BeforeEach
	void forget() {
		Notes.gate = new Semaphore(0);
	}

	@AfterEach
	void dropDatabase() {
		Notes.gate.release(1000);
		this.connection.destroy();
		this.database.close();
	}

	private Application.Starter application(String uri, Class<?>... beans) {
		return Application.on(uri)
			.with(beans)
			.http()
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.store.relay-grace", "2s")
			.property("ojs.queues.notes.concurrency", 1)
			.property("ojs.http.attention.oldest-available", "1s")
			.property("ojs.http.attention.no-worker", "1s")
			.property("ojs.http.attention.outbox-lag", "1s");
	}

	private Application start(Class<?>... beans) {
		return application(uri(), beans).start();
	}

	private static Map<?, ?> answer(Application application, String path) {
		var response = application.get(path);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JSON.read(response.body().getBytes(StandardCharsets.UTF_8));
	}

	private static List<Map<?, ?>> items(Application application, String code) {
		return items(answer(application, "/ojs/v1/attention"), code);
	}

	private static List<Map<?, ?>> items(Map<?, ?> attention, String code) {
		List<?> items = (List<?>) attention.get("items");
		return items.stream()
			.<Map<?, ?>>map((item) -> (Map<?, ?>) item)
			.filter((item) -> item.get("code").equals(code))
			.toList();
	}

	/** Waits for the only item with a code, whose sentence has some words. */
	private static Map<?, ?> awaitItem(Application application, String code, String severity, String... words) {
		AtomicReference<Map<?, ?>> found = new AtomicReference<>();
		await(code).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(300)).untilAsserted(() -> {
			Map<?, ?> attention = answer(application, "/ojs/v1/attention");
			List<Map<?, ?>> items = items(attention, code);
			assertThat(items).as(attention.toString()).hasSize(1);
			assertThat((String) items.get(0).get("sentence")).contains(words);
			found.set(items.get(0));
		});
		Map<?, ?> item = found.get();
		assertThat(item.get("severity")).isEqualTo(severity);
		assertThat((String) item.get("sentence")).matches("(?s)[A-Z0-9'].*[a-z]\\.");
		assertThat(((Map<?, ?>) item.get("link")).get("page")).isNotNull();
		return item;
	}

	private static void awaitNone(Application application, String code) {
		await("no " + code).atMost(Duration.ofSeconds(60))
			.pollInterval(Duration.ofMillis(300))
			.until(() -> items(application, code).isEmpty());
	}

	@Test
	void jobsWaitAndNoProcessTakesTheirQueue() {
		try (Application application = start()) {
			assertThat((List<?>) answer(application, "/ojs/v1/attention").get("items")).isEmpty();
			application.ojs().enqueue(NOTE);
			Map<?, ?> item = awaitItem(application, "no_worker", "critical", "1 jobs wait in queue 'notes'",
					"Start an application");
			assertThat(item.get("queue")).isEqualTo("notes");
			assertThat(item.get("since")).isNotNull();
			assertThat(item.get("link")).isEqualTo(Map.of("page", "queue", "params", Map.of("name", "notes")));
			assertThat(items(application, "oldest_available")).isEmpty();
			Notes.gate.release(1);
			try (Application worker = start(Notes.class)) {
				awaitNone(application, "no_worker");
				assertThat(worker.bean(Queues.class).get("notes").name()).isEqualTo("notes");
			}
		}
	}

	@Test
	void jobWaitsForAWorkerForLong() {
		try (Application application = start(Notes.class)) {
			application.ojs().enqueueAll(List.of(NOTE, NOTE, NOTE));
			awaitItem(application, "oldest_available", "warning", "queue 'notes'", "2 jobs wait");
			Map<?, ?> depth = depth(application, "notes");
			Map<?, ?> store = (Map<?, ?>) depth.get("store");
			assertThat(store.get("available")).isEqualTo(2);
			assertThat(store.get("active")).isEqualTo(1);
			Map<?, ?> broker = (Map<?, ?>) depth.get("broker");
			assertThat(broker.get("exists")).isEqualTo(true);
			assertThat(broker.get("consumers")).isEqualTo(1);
			// The consumer has prefetched them.
			assertThat(broker.get("ready")).isEqualTo(0);
			assertThat(depth.get("difference")).isEqualTo(-2);
			Notes.gate.release(3);
			awaitNone(application, "oldest_available");
		}
	}

	private static Map<?, ?> depth(Application application, String queue) {
		List<?> queues = (List<?>) answer(application, "/ojs/v1/depths").get("queues");
		return queues.stream()
			.<Map<?, ?>>map((each) -> (Map<?, ?>) each)
			.filter((each) -> each.get("name").equals(queue))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void queueIsPaused() {
		try (Application application = start(Notes.class)) {
			application.bean(Queues.class).pause("notes");
			application.ojs().enqueue(NOTE);
			awaitItem(application, "queue_paused", "info", "Queue 'notes' is paused", "1 jobs wait", "Resume it");
			// A message of a producer without the store.
			client().publishJob("notes", UUID.randomUUID().toString(), "note", "[\"fine\"]");
			awaitItem(application, "queue_paused", "info", "2 jobs wait");
			assertThat(answer(application, "/ojs/v1/attention").get("waiting")).as("the same number")
				.isEqualTo(Map.of("count", 2, "complete", true));
			assertThat(depth(application, "notes").get("waiting")).isEqualTo(2);
			assertThat(items(application, "no_worker")).isEmpty();
			Notes.gate.release(2);
			application.bean(Queues.class).resume("notes");
			awaitNone(application, "queue_paused");
			application.bean(Queues.class).drain("notes");
			// The broker still has it, as long as a handler names it.
			await().atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(depth(application, "notes").get("state")).isEqualTo("deleted"));
		}
	}

	@Test
	void jobBecomesADeadLetter() {
		try (Application application = start(Notes.class)) {
			Notes.gate.release(1);
			application.ojs().enqueue(BAD_NOTE);
			Map<?, ?> item = awaitItem(application, "new_dead_letters", "warning",
					"Queue 'notes' got 1 dead letter within 24 h");
			assertThat(item.get("link"))
				.isEqualTo(Map.of("page", "dead-letters", "params", Map.of("dead_letter_queue", "notes")));
			await().untilAsserted(() -> assertThat(depth(application, "notes").get("dead_letters")).isEqualTo(1));
			this.jdbc.update("update ojs_job set dead_lettered_at = dead_lettered_at - interval '23' hour");
			// Answers are shared for two seconds.
			await().during(Duration.ofSeconds(5))
				.atMost(Duration.ofSeconds(20))
				.until(() -> !items(application, "new_dead_letters").isEmpty());
			// It still awaits a decision, and is not new any more.
			this.jdbc.update("update ojs_job set dead_lettered_at = dead_lettered_at - interval '2' hour");
			awaitNone(application, "new_dead_letters");
			assertThat(answer(application, "/ojs/v1/attention").get("dead_letters"))
				.isEqualTo(Map.of("count", 1, "complete", true));
		}
	}

	@Test
	void dismissesAsManyDeadLettersAsTheApplicationAllows() {
		try (Application application = application(uri(), Notes.class).property("ojs.http.attention.dead-letters", 1)
			.property("ojs.http.attention.dead-letters-within", "30m")
			.start()) {
			Notes.gate.release(2);
			application.ojs().enqueue(BAD_NOTE);
			await().untilAsserted(() -> assertThat(depth(application, "notes").get("dead_letters")).isEqualTo(1));
			assertThat(items(application, "new_dead_letters")).isEmpty();
			application.ojs().enqueue(BAD_NOTE);
			awaitItem(application, "new_dead_letters", "warning", "Queue 'notes' got 2 dead letters within 30 min");
			this.jdbc.update("update ojs_job set dead_lettered_at = dead_lettered_at - interval '40' minute");
			awaitNone(application, "new_dead_letters");
		}
	}

	@Test
	void jobsWaitForALimitForLong() {
		try (Application application = start(Notes.class)) {
			application.ojs().enqueue(NOTE.rateLimit(RateLimit.of("stripe").concurrency(0)));
			Map<?, ?> item = awaitItem(application, "limit_full", "info", "limit 'stripe'");
			assertThat(item.get("queue")).isEqualTo("notes");
			assertThat(answer(application, "/ojs/v1/rate-limits/stripe").toString()).as("it lets none start")
				.contains("limit=0");
			this.jdbc.update("update ojs_job set blocked_by = '@running@acme'");
			item = awaitItem(application, "limit_full", "info", "the limit of tenant 'acme'");
			assertThat(item.get("link")).isEqualTo(Map.of("page", "tenants", "params", Map.of("id", "acme")));
			this.jdbc.update("update ojs_job set blocked_by = '@queue@notes'");
			item = awaitItem(application, "limit_full", "info", "the limit of queue 'notes'");
			assertThat(item.get("link")).isEqualTo(Map.of("page", "queue", "params", Map.of("name", "notes")));
		}
	}

	@Test
	void lastJobOfACronFailed() {
		try (Application application = start(Notes.class)) {
			CronJobs crons = application.bean(CronJobs.class);
			crons.register(CronRequest.of("night", "0 3 * * *", BAD_NOTE));
			Notes.gate.release(1);
			crons.trigger("night");
			Map<?, ?> item = awaitItem(application, "cron_failed", "warning", "cron 'night'",
					IllegalStateException.class.getName());
			assertThat(((Map<?, ?>) item.get("link")).get("page")).isEqualTo("job");
		}
	}

	@Test
	void queueHasOtherArgumentsAtTheBroker() throws Exception {
		try (Application first = application(uri(), Notes.class).property("ojs.queues.notes.max-length", 5).start()) {
			await().until(() -> client().exists("ojs.queue.notes"));
			assertThat(items(first, "drift")).isEmpty();
		}
		try (Application application = application(uri(), Notes.class).property("ojs.queues.notes.max-length", 10)
			.start()) {
			Map<?, ?> item = awaitItem(application, "drift", "warning", "'ojs.queue.notes'", "x-max-length = 5",
					"wants 10");
			assertThat(item.get("queue")).isEqualTo("notes");
		}
	}

	@Test
	void processIsKilled() {
		try (Application application = start();
				ChildApplication child = ChildApplication.on(uri())
					.with(Notes.class)
					.property("ojs.store.enabled", true)
					.property("ojs.store.initialize-schema", "always")
					.property("spring.datasource.url", this.database.url())
					.property("spring.datasource.username", this.database.username())
					.property("spring.datasource.password", this.database.password())
					.start()) {
			child.awaitStarted();
			await().until(() -> this.jdbc.queryForObject("select count(*) from ojs_handler", Integer.class) == 1);
			assertThat(items(application, "process_lost")).isEmpty();
			long pid = child.pid();
			child.kill();
			// What it said last is trusted for half a minute.
			assertThat(this.jdbc.update("update ojs_handler set seen_at = seen_at - interval '1' minute")).isEqualTo(1);
			awaitItem(application, "process_lost", "warning", "Process '" + pid + "@", "look at its log");
		}
	}

	@Test
	void operationRuns() {
		try (Application application = start()) {
			this.jdbc
				.update("insert into ojs_operation (id, action, state, asked_by, request, matched, matched_all, done, "
						+ "failed, skipped, errors, lease_until, created_at, updated_at) values (?, 'replay', 'running', 'ann', "
						+ "'{}', 900, false, 12, 0, '{}', '[]', now() + interval '1' hour, now(), now())",
						UUID.randomUUID());
			awaitItem(application, "operation_running", "info",
					"Operation replay of 'ann' is running: 12 of an unknown");
			this.jdbc.update("update ojs_operation set ended_at = now()");
			awaitNone(application, "operation_running");
		}
	}

	@Test
	void brokerCannotBeReachedAndJobsAreNotPublished() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());
				Application application = application(proxy.uri(ownVirtualHost()), Notes.class)
					.property("ojs.reconnect.max-interval", "2s")
					.start()) {
			await().until(() -> depth(application, "notes").get("broker") != null);
			proxy.refuse();
			proxy.reset();
			Map<?, ?> down = awaitItem(application, "broker_down", "critical", "RabbitMQ does not answer",
					"in the store");
			assertThat(down.get("since")).isNotNull();
			application.ojs().enqueueAll(List.of(NOTE, NOTE));
			awaitItem(application, "outbox_lag", "critical", "2 jobs are due and not published");
			assertThat(depth(application, "notes").get("broker")).isNull();
			long began = System.nanoTime();
			answer(application, "/ojs/v1/depths");
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
			Notes.gate.release(2);
			proxy.accept();
			awaitNone(application, "broker_down");
			awaitNone(application, "outbox_lag");
		}
	}

	@Test
	void brokerTakesNoMessages() {
		RabbitBroker broker = RabbitBroker.shared();
		try (Application application = start()) {
			application.ojs().enqueue(NOTE);
			broker.ctl("set_vm_memory_high_watermark", "0.000001");
			try {
				application.ojs().enqueue(NOTE);
				awaitItem(application, "broker_blocked", "critical", "RabbitMQ takes no messages", "memory");
			}
			finally {
				broker.ctl("set_vm_memory_high_watermark", "0.4");
			}
			awaitNone(application, "broker_blocked");
		}
	}

	/** The half of the broker, as an application without a database has it. */
	@Test
	void jobsWaitWithoutAStoreAndNoConsumerTakesThem() {
		try (Application application = Application.on(uri()).start()) {
			AmqpBrokerFigures broker = new AmqpBrokerFigures(application.bean(TopologyDeclarer.class),
					application.bean(BrokerConnections.class), application.bean(BrokerProbe.class), null, List.of());
			Depths.Reader reader = new Depths.Reader(null, broker, List::of,
					(name) -> new KnownQueue(name, "active", null, null, "broker"), Clock.systemUTC());
			AttentionLimits limits = new AttentionLimits(Duration.ofMinutes(5), Duration.ofMinutes(1),
					Duration.ofMinutes(1), 10, Duration.ofHours(1));
			try (Figures figures = new Figures(reader, null, limits, Clock.systemUTC())) {
				application.ojs().enqueue(NOTE);
				await().until(() -> client().count("ojs.queue.notes") == 1);
				Depths depths = figures.depths();
				assertThat(depths.outbox()).isNull();
				assertThat(depths.queues()).hasSize(1);
				assertThat(depths.queues().get(0).store()).isNull();
				assertThat(depths.queues().get(0).difference()).isNull();
				assertThat(figures.attention(depths)).extracting(AttentionItem::code)
					.containsExactly(AttentionItem.Code.NO_WORKER);
			}
		}
	}

	/** The database sees nothing of the numbers until they are written. */
	@Test
	void jobsCauseNoStatementOnTheTableOfNumbers() {
		try (Application application = start(Notes.class)) {
			Instant began = Instant.now();
			long before = accesses();
			Notes.gate.release(50);
			for (int i = 0; i < 50; i++) {
				application.ojs().enqueue(NOTE);
			}
			await().until(() -> application.events()
				.stream()
				.filter((event) -> event.name().equals("job.completed"))
				.count() == 50);
			// The first write comes 45 seconds after the start or later.
			assertThat(Instant.now()).isBefore(began.plusSeconds(40));
			assertThat(accesses()).isEqualTo(before);
			application.bean(MinuteRecorder.class).flush(application.bean(JdbcMinuteStore.class));
			await().until(() -> accesses() > before);
			assertThat(this.jdbc.queryForObject("select sum(completed) from ojs_minute where step_seconds = 3600",
					Long.class))
				.isEqualTo(50);
		}
	}

	private long accesses() {
		Long count = this.jdbc
			.queryForObject("select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd "
					+ "from pg_stat_user_tables where relname = 'ojs_minute'", Long.class);
		return (count != null) ? count : 0;
	}

	static class Notes {

		static volatile Semaphore gate = new Semaphore(0);

		@OjsJobHandler(value = "note", queue = "notes")
		void note(String text) throws InterruptedException {
			gate.acquire();
			if ("fail".equals(text)) {
				throw new IllegalStateException("no");
			}
		}

	}

}
