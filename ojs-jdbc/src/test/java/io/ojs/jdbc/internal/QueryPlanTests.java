package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch.Criteria;
import io.ojs.internal.engine.Times;
import io.ojs.internal.fetch.Reservation;
import io.ojs.internal.inspect.BrokerSight;
import io.ojs.internal.inspect.JobReasons;
import io.ojs.internal.inspect.Takers;
import io.ojs.jdbc.internal.admin.JdbcAdminStore;
import io.ojs.jdbc.internal.admin.JdbcJobSearch;
import io.ojs.jdbc.internal.bulk.JdbcBulkOperationStore;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.inspect.JdbcInspectionStore;
import io.ojs.jdbc.internal.limit.BlockedJob;
import io.ojs.jdbc.internal.stats.JdbcFigureStore;
import io.ojs.jdbc.internal.version.JdbcHandlerStore;
import io.ojs.jdbc.internal.worker.JdbcFetchedQueueStore;
import io.ojs.jdbc.internal.worker.JdbcWorkerStore;
import io.ojs.jdbc.internal.workflow.JdbcWorkflowStore;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With 1,000,000 jobs in PostgreSQL, what is done all the time reads few of them. The
 * server's own counters tell how many rows were read and in which way, for the very
 * statements of the stores, with plans for known and, after some repetitions, for unknown
 * parameters.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryPlanTests {

	private static final int ENDED = 950_000;

	private static final int WAITING = 50_000;

	private static final int REPETITIONS = TableReads.REPETITIONS;

	private PostgresDatabase database = PostgresServer.shared().newDatabase();

	private TestStores stores = new TestStores(oneConnection());

	private HikariConfig oneConnection() {
		HikariConfig config = TestStores.of(this.database);
		config.setMaximumPoolSize(1);
		return config;
	}

	@BeforeAll
	void fill() {
		BigTable.fill(this.stores.jdbc(), ENDED, WAITING);
	}

	@AfterAll
	void close() {
		this.stores.close();
		this.database.close();
	}

	@Test
	void insertClaimExtendAndSettle() {
		assertFewRowsAreRead("insert", () -> this.stores.available());
		List<EncodedJob> jobs = new ArrayList<>();
		for (int i = 0; i < 10 * REPETITIONS; i++) {
			jobs.add(this.stores.available());
		}
		List<Lease> leases = new ArrayList<>();
		assertFewRowsAreRead("claim", () -> {
			List<EncodedJob> batch = jobs.subList(leases.size(), leases.size() + 10);
			this.stores.attempts
				.claim(batch.stream()
					.map((job) -> new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofHours(1)))
					.toList(), "worker", TestStores.NOW, true)
				.forEach((claim) -> leases.add(((Claim.Taken) claim).lease()));
		});
		assertFewRowsAreRead("extend", () -> {
			assertThat(this.stores.processes.beat("worker", leases.subList(0, 10)).lost()).isEmpty();
			// Its connection is the only one.
			this.stores.processes.close();
		});
		List<Lease> open = new ArrayList<>(leases);
		assertFewRowsAreRead("settle", () -> {
			List<Outcome> outcomes = new ArrayList<>();
			open.subList(0, 10).forEach((lease) -> outcomes.add(new Outcome.Completed(lease, null)));
			open.subList(0, 10).clear();
			assertThat(this.stores.attempts.settle(outcomes, TestStores.NOW)).doesNotContain(false);
		});
	}

	@Test
	void relay() {
		assertFewRowsAreRead("nextAt", () -> assertThat(this.stores.relay.nextAt()).isPresent());
		assertFewRowsAreRead("nextAfter", () -> assertThat(this.stores.relay.nextAfter(TestStores.NOW)).isPresent());
		List<String> ids = new ArrayList<>();
		assertFewRowsAreRead("take", () -> {
			EncodedJob job = this.stores.keep(this.stores.encoded((fields) -> fields), TestStores.NOW);
			ids.add(job.job().id());
			assertThat(this.stores.relay.take(TestStores.NOW, TestStores.NOW.plusSeconds(60), 50).jobs()).isNotEmpty();
		});
		assertFewRowsAreRead("published", () -> this.stores.relay.published("mail",
				TestStores.until(TestStores.NOW.plusSeconds(60), ids), TestStores.NOW));
		assertFewRowsAreRead("give back", () -> this.stores.relay.giveBack(ids, TestStores.NOW));
	}

	@Test
	void reap() {
		assertFewRowsAreRead("reap", () -> this.stores.attempts.reap(TestStores.NOW, 100));
	}

	@Test
	void lookUp() {
		assertFewRowsAreRead("find", () -> assertThat(this.stores.jobs.find(BigTable.id(4711))).isPresent());
		assertFewRowsAreRead("fetch order",
				() -> this.stores.jdbc()
					.queryForList("select id from ojs_job where fetchable and blocked_by is null and queue = ? "
							+ "order by priority desc, enqueued_at, id limit 20", "q7"));
	}

	@Test
	void listOfWhatHasNotEndedInAQueueThatIsRarelyUsed() {
		Job rare = Job.builder(this.stores.id(), "email.send", "rare")
			.state(JobState.AVAILABLE)
			.createdAt(TestStores.time(TestStores.NOW))
			.enqueuedAt(TestStores.time(TestStores.NOW))
			.build();
		this.stores.keep(new EncodedJob(rare, this.stores.codec.encode(rare), 3), TestStores.NOW.plusSeconds(600));
		assertFewRowsAreRead("list",
				() -> assertThat(this.stores.jobs
					.list(new JobQuery("rare", null, Set.of(JobState.AVAILABLE, JobState.ACTIVE), null, 50)))
					.hasSize(1));
	}

	/** The one that the documentation has for those who need it. */
	@Test
	void listOfWhatHasEndedInAQueueThatIsRarelyUsedWithAnIndexOfItsOwn() {
		this.stores.users().executeWithoutResult((transaction) -> {
			JdbcTemplate jdbc = this.stores.jdbc();
			jdbc.execute("create index ojs_job_ended on ojs_job (queue, id) " + "where ended_at is not null");
			assertThat(jdbc.queryForList("explain select * from ojs_job where 1 = 1 and queue = 'rare' "
					+ "and state in ('completed', 'discarded') and ended_at is not null order by id desc limit 50",
					String.class))
				.anyMatch((line) -> line.contains("ojs_job_ended"));
			transaction.setRollbackOnly();
		});
	}

	@Test
	void countOfWhatTheBrokerShouldHave() {
		// It is to read what has not ended, once, and nothing else.
		TableReads reads = new TableReads(this.stores.jdbc());
		TableReads.Count before = reads.count();
		this.stores.relay.atBroker(TestStores.NOW);
		TableReads.Count after = reads.count();
		assertThat(after.scans()).isEqualTo(before.scans());
		assertThat(after.rows() - before.rows()).isLessThan(2 * WAITING);
	}

	@Test
	void deadLetters() {
		Instant before = TestStores.NOW.minusSeconds(100_000);
		JdbcDeadLetterStore letters = new JdbcDeadLetterStore(this.stores.database);
		DeadLetterCursor middle = new DeadLetterCursor(before, BigTable.id(1));
		assertFewRowsAreRead("a page of the list",
				() -> assertThat(letters.list(DeadLetterFilter.ANY, middle, 50)).hasSize(50));
		assertFewRowsAreRead("a page of a queue in the list",
				() -> assertThat(letters.list(DeadLetterFilter.ANY.origin("q0"), middle, 50)).hasSize(50));
		assertFewRowsAreRead("a page of dead letters", () -> assertThat(this.stores.jdbc()
			.queryForList("select id from ojs_job where dead_lettered_at is not null "
					+ "and (dead_lettered_at, id) < (?, ?::uuid) order by dead_lettered_at desc, id desc limit 50",
					Times.utc(before), BigTable.id(1)))
			.hasSize(50));
		assertFewRowsAreRead("a page of a queue's dead letters", () -> assertThat(this.stores.jdbc()
			.queryForList("select id from ojs_job where dead_lettered_at is not null and queue = ? "
					+ "and (dead_lettered_at, id) < (?, ?::uuid) " + "order by dead_lettered_at desc, id desc limit 50",
					"q0", Times.utc(before), BigTable.id(1)))
			.hasSize(50));
	}

	@Test
	void retention() {
		assertFewRowsAreRead("prune", () -> this.stores.retention.prune(TestStores.NOW.minusSeconds(86400), 100));
		assertFewRowsAreRead("prune events", () -> this.stores.retention.pruneEvents(TestStores.NOW, 100));
	}

	@Test
	void uniqueJobs() {
		UniquePolicy ignore = UniquePolicy.DEFAULT.onConflict(OnConflict.IGNORE);
		assertFewRowsAreRead("insert unless there is one",
				() -> this.stores.insert(this.stores.unique("0", ignore, (job) -> job)));
		assertFewRowsAreRead("insert unless there was one",
				() -> this.stores.insert(this.stores.unique("0", ignore.states(JobState.values()), (job) -> job)));
	}

	@Test
	void fetch() {
		JdbcFetchStore fetches = new JdbcFetchStore(this.stores.database);
		Reservation reservation = new Reservation(Duration.ofHours(1), Duration.ofHours(1));
		assertFewRowsAreRead("fetch",
				() -> assertThat(fetches.fetch(List.of("q1"), 1, "w", null, TestStores.NOW, (job) -> reservation))
					.hasSize(1));
		assertFewRowsAreRead("fetch of a tenant", () -> {
			Job own = Job.builder(this.stores.id(), "email.send", "q1")
				.state(JobState.AVAILABLE)
				.meta(Map.of("tenant_id", "acme"))
				.build();
			this.stores.keep(this.stores.encodedAs(own), null);
			assertThat(fetches.fetch(List.of("q1"), 1, "w", "acme", TestStores.NOW, (job) -> reservation)).hasSize(1);
		});
	}

	@Test
	void tenants() {
		JdbcAdminStore admin = new JdbcAdminStore(this.stores.database);
		for (int i = 0; i < 20; i++) {
			this.stores.keep(this.stores.encoded((job) -> job.meta(Map.of("tenant_id", "rare"))), null);
		}
		JobFilter rare = JobFilter.ANY.tenant("rare");
		assertFewRowsAreRead("search", () -> assertThat(admin.search(rare, 0, 50)).hasSize(20));
		assertFewRowsAreRead("count", () -> assertThat(admin.count(rare)).isEqualTo(20));
		assertFewRowsAreRead("counts", () -> assertThat(admin.counts(null, "rare")).hasSize(1));
		assertFewRowsAreRead("unfinished", () -> assertThat(admin.unfinished("rare", 1_000)).hasSize(1));
		assertFewRowsAreRead("counts by tenant", () -> assertThat(admin.countsByTenant(null, 50)).containsKey("rare"));
		assertFewRowsAreRead("unfinished by tenant",
				() -> assertThat(admin.unfinishedByTenant(null, 50, 1_000)).containsKey("rare"));
		JdbcDeadLetterStore letters = new JdbcDeadLetterStore(this.stores.database);
		assertFewRowsAreRead("dead letters",
				() -> assertThat(letters.list(DeadLetterFilter.ANY.tenant("rare"), null, 50)).isEmpty());
	}

	/** Counts read what has not ended, and nothing else; the rest is found in indexes. */
	@Test
	void figures() {
		JdbcFigureStore figures = new JdbcFigureStore(this.stores.database);
		new TableReads(this.stores.jdbc()).assertFew("figures", 5 * WAITING,
				() -> assertThat(figures.figures(TestStores.NOW).queues()).hasSizeGreaterThan(3));
		assertFewRowsAreRead("troubles", () -> figures.troubles(TestStores.NOW, TestStores.NOW.minusSeconds(3600),
				TestStores.NOW.minusSeconds(300)));
	}

	@Test
	void search() {
		JdbcJobSearch search = new JdbcJobSearch(this.stores.database);
		for (int i = 0; i < 20; i++) {
			this.stores.keep(this.stores.encoded((job) -> job.meta(Map.of("tenant_id", "seldom", "customer", 4711))),
					null);
		}
		assertFewRowsAreRead("first page", () -> assertThat(search.search(Criteria.ANY, null, 50).jobs()).hasSize(50));
		assertFewRowsAreRead("page in the middle",
				() -> assertThat(search.search(Criteria.ANY, BigTable.id(ENDED / 2), 50).jobs()).hasSize(50));
		assertFewRowsAreRead("tenant",
				() -> assertThat(search.search(of(JobFilter.ANY.tenant("seldom")), null, 50).jobs()).hasSize(20));
		Criteria label = new Criteria(JobFilter.ANY, null, null, Set.of("customer=4711"), null, null, null, null);
		assertFewRowsAreRead("label", () -> assertThat(search.search(label, null, 50).jobs()).hasSize(20));
		UUID operation = UUID.fromString("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f");
		this.stores.jdbc().update("update ojs_job set operation_id = ? where tenant = 'seldom'", operation);
		assertFewRowsAreRead("operation",
				() -> assertThat(search.search(of(JobFilter.ANY.operation(operation.toString())), null, 50).jobs())
					.hasSize(20));
		assertFewRowsAreRead("outcome of an operation",
				() -> assertThat(
						new JdbcBulkOperationStore(this.stores.database).outcome(operation.toString(), 100).jobs())
					.hasSize(1));
		Criteria active = of(JobFilter.ANY.queue("q7").states(Set.of(JobState.PENDING)));
		new TableReads(this.stores.jdbc()).assertFew("state", 3 * WAITING,
				() -> assertThat(search.search(active, null, 50).jobs()).isEmpty());
	}

	private static Criteria of(JobFilter filter) {
		return Criteria.ANY.filter(filter);
	}

	@Test
	void events() {
		assertFewRowsAreRead("read events", () -> this.stores.feed.after(0, Set.of(), Set.of(), 10));
	}

	@Test
	void inspectionOfAJob() {
		JdbcTemplate jdbc = this.stores.jdbc();
		jdbc.execute("insert into ojs_event (source, occurred_at, events) select 'test', now() - n * interval '20 ms', "
				+ "'[{\"type\":\"job.enqueued\",\"subject\":\"' || gen_random_uuid() || '\",\"data\":\"{}\"}]' "
				+ "from generate_series(500000, 1, -1) n");
		jdbc.execute("vacuum analyze ojs_event");
		JdbcInspectionStore inspection = new JdbcInspectionStore(this.stores.database);
		StoreDatabase database = this.stores.database;
		JobReasons reasons = new JobReasons(inspection, new BlockedJob(database),
				new Takers(new JdbcHandlerStore(database), new JdbcWorkerStore(database),
						new JdbcFetchedQueueStore(database)),
				new JdbcWorkflowStore(database), (queue) -> false, BrokerSight.FINE, database.options().clock());
		String waiting = BigTable.id(ENDED + 1001);
		Integer scans = eventScans(jdbc);
		assertFewRowsAreRead("why a job waits", () -> assertThat(reasons.of(waiting, null)).isPresent());
		assertFewRowsAreRead("why a job of a tenant waits", () -> assertThat(reasons.of(waiting, "acme")).isEmpty());
		assertFewRowsAreRead("why no job is there", () -> assertThat(reasons.of(this.stores.id(), null)).isEmpty());
		assertFewRowsAreRead("the history of a job that waits",
				() -> assertThat(inspection.history(waiting, null)).isPresent());
		assertFewRowsAreRead("the history of a job that has ended",
				() -> assertThat(inspection.history(BigTable.id(4711), null)).isPresent());
		assertThat(eventScans(jdbc)).as("sequential scans of events").isEqualTo(scans);
	}

	private static Integer eventScans(JdbcTemplate jdbc) {
		jdbc.execute("select pg_stat_force_next_flush()");
		jdbc.execute("select pg_stat_clear_snapshot()");
		return jdbc.queryForObject("select seq_scan from pg_stat_user_tables where relname = 'ojs_event'",
				Integer.class);
	}

	private void assertFewRowsAreRead(String what, Runnable work) {
		new TableReads(this.stores.jdbc()).assertFew(what, work);
	}

}
