package io.ojs.boot.it;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.job.RateLimit;
import io.ojs.tenant.Tenants;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limits of a rate, of a concurrency and of a tenant, held by four applications together
 * while each of them could do far more. {@code -Dojs.test.limits.seconds} says for how
 * long; from 30 on, each application is a process.
 */
class LimitLoadTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(LimitLoadTests.class);

	private static final int SECONDS = Integer.getInteger("ojs.test.limits.seconds", 6);

	private static final int APPLICATIONS = 4;

	/**
	 * How many of them are processes of their own. The limits are kept in the database,
	 * by each application: two in the same JVM know no more of each other.
	 */
	private static final int PROCESSES = (SECONDS < 30) ? 1 : APPLICATIONS;

	private static final int PER_SECOND = 50;

	private static final int PRINTERS = 3;

	private static final int OF_TENANT = 2;

	private final PostgresDatabase database = StoreDatabases.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application.Starter producer() {
		return application().database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.tenancy.enabled", true)
			.property("ojs.tenancy.required", false);
	}

	private void startWorkers(List<AutoCloseable> workers) {
		List<ChildApplication> processes = new ArrayList<>();
		for (int i = 0; i < PROCESSES; i++) {
			ChildApplication.Starter starter = ChildApplication.on(uri()).with(Shop.class);
			properties().forEach(starter::property);
			processes.add(starter.start());
			workers.add(processes.get(i));
		}
		for (int i = PROCESSES; i < APPLICATIONS; i++) {
			Application.Starter starter = application(Shop.class);
			properties().forEach(starter::property);
			workers.add(starter.start());
		}
		processes.forEach(ChildApplication::awaitStarted);
	}

	private Map<String, Object> properties() {
		return Map.of("ojs.store.enabled", true, "spring.datasource.url", this.database.url(),
				"spring.datasource.username", this.database.username(), "spring.datasource.password",
				this.database.password(), "ojs.tenancy.enabled", true, "ojs.tenancy.required", false,
				"ojs.tenancy.limits.max-concurrency", OF_TENANT, "ojs.queues.shop.concurrency", 16);
	}

	@Test
	void fourApplicationsKeepAllLimitsTogether() throws Exception {
		List<AutoCloseable> workers = new ArrayList<>();
		try (Application producer = producer().start()) {
			JdbcTemplate jdbc = producer.bean(JdbcTemplate.class);
			jdbc.execute("create table run (id bigserial primary key, what varchar(16) not null, "
					+ "began timestamptz not null, ended timestamptz)");
			startWorkers(workers);
			producer.ojs().enqueueAll(jobs("shop.print", 8 * SECONDS, RateLimit.of("printer").concurrency(PRINTERS)));
			producer.bean(Tenants.class)
				.run("acme", () -> producer.ojs().enqueueAll(jobs("shop.write", 5 * SECONDS, null)));
			producer.ojs()
				.enqueueAll(jobs("shop.call", PER_SECOND * (SECONDS + 5), RateLimit.of("api").perSecond(PER_SECOND)));
			await().atMost(Duration.ofSeconds(60)).until(() -> began(jdbc) != null);
			Instant begin = began(jdbc);
			// From the middle of a period to the middle of another, and not before all
			// run.
			Instant from = begin.plusMillis(2500);
			Instant until = from.plusSeconds(SECONDS);
			await().atMost(Duration.ofSeconds(SECONDS + 60)).until(() -> Instant.now().isAfter(until.plusSeconds(1)));
			Integer started = jdbc.queryForObject(
					"select count(*) from run where what = 'call' and began >= ? and began < ?", Integer.class,
					Timestamp.from(from), Timestamp.from(until));
			int printing = most(jdbc, "print");
			int writing = most(jdbc, "write");
			logger.info("{} of {} started in {} s; at most {} of {} were printing, and {} of {} writing", started,
					PER_SECOND * SECONDS, SECONDS, printing, PRINTERS, writing, OF_TENANT);
			// A machine that is busy may start fewer in a short time, and those of a
			// period in the next one.
			assertThat(printing).isBetween((SECONDS < 30) ? 1 : PRINTERS, PRINTERS);
			assertThat(writing).isBetween((SECONDS < 30) ? 1 : OF_TENANT, OF_TENANT);
			assertThat(started).isBetween((SECONDS < 30) ? 1 : PER_SECOND * (SECONDS - 1), PER_SECOND * (SECONDS + 1));
			await().atMost(Duration.ofSeconds(60 + SECONDS))
				.until(() -> jdbc.queryForList("select 1 from ojs_job where state <> 'completed' limit 1").isEmpty());
			List<Instant> calls = jdbc.query("select began from run where what = 'call' order by began",
					(row, index) -> row.getTimestamp("began").toInstant());
			assertThat(Duration.between(calls.get(0), calls.get(calls.size() - 1))).as("as many periods as it takes")
				.isGreaterThan(Duration.ofSeconds(SECONDS + 3));
			assertThat(mostInASecond(calls)).as("those of two periods, and those on their way")
				.isLessThanOrEqualTo(3 * PER_SECOND);
			assertThat(jdbc.queryForObject("select count(*) from run", Integer.class)).as("each ran once")
				.isEqualTo(13 * SECONDS + PER_SECOND * (SECONDS + 5));
		}
		finally {
			for (AutoCloseable worker : workers) {
				worker.close();
			}
		}
	}

	private static Instant began(JdbcTemplate jdbc) {
		Timestamp first = jdbc.queryForObject("select min(began) from run where what = 'call'", Timestamp.class);
		return (first != null) ? first.toInstant() : null;
	}

	private static List<JobRequest> jobs(String type, int count, RateLimit limit) {
		return IntStream.range(0, count).mapToObj((i) -> {
			JobRequest request = JobRequest.of(type).queue("shop");
			return (limit != null) ? request.rateLimit(limit) : request;
		}).toList();
	}

	private static int mostInASecond(List<Instant> calls) {
		int most = 0;
		int first = 0;
		for (int last = 0; last < calls.size(); last++) {
			while (calls.get(first).isBefore(calls.get(last).minusSeconds(1))) {
				first++;
			}
			most = Math.max(most, last - first + 1);
		}
		return most;
	}

	/** How many ran at once. */
	private static int most(JdbcTemplate jdbc, String what) {
		record Change(Instant at, int by) {
		}
		List<Change> changes = new ArrayList<>();
		jdbc.query("select began, ended from run where what = ?", (row) -> {
			changes.add(new Change(row.getTimestamp("began").toInstant(), 1));
			if (row.getTimestamp("ended") != null) {
				changes.add(new Change(row.getTimestamp("ended").toInstant(), -1));
			}
		}, what);
		changes.sort(Comparator.comparing(Change::at).thenComparing(Change::by));
		int running = 0;
		int most = 0;
		for (Change change : changes) {
			running += change.by();
			most = Math.max(most, running);
		}
		return most;
	}

	static class Shop {

		private final JdbcTemplate jdbc;

		Shop(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@OjsJobHandler(value = "shop.call", queue = "shop")
		void call() {
			run("call", 5);
		}

		@OjsJobHandler(value = "shop.print", queue = "shop")
		void print() {
			run("print", 150);
		}

		@OjsJobHandler(value = "shop.write", queue = "shop")
		void write() {
			run("write", 150);
		}

		private void run(String what, int millis) {
			Long id = this.jdbc.queryForObject(
					"insert into run (what, began) values (?, clock_timestamp()) returning id", Long.class, what);
			// As long as its work takes.
			LockSupport.parkNanos(millis * 1_000_000L);
			this.jdbc.update("update run set ended = clock_timestamp() where id = ?", id);
		}

	}

}
