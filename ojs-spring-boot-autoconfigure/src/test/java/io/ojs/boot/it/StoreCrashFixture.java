package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.LongStream;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.JobStore;
import io.ojs.test.internal.database.PostgresDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications with a job store, some of which are killed, and what has to be seen after.
 */
abstract class StoreCrashFixture extends BrokerTest {

	static final String JOBS = "ojs.queue.desk";

	static final String DEAD = "ojs.queue.dlx.desk";

	private final PostgresDatabase database = StoreDatabases.create();

	@TempDir
	private Path folder;

	/** Leases, graces and a start of an application on a busy machine add up. */
	@BeforeEach
	void bePatient() {
		Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	/** Enqueues and relays, and works nothing. */
	final Application.Starter observer() {
		return settings(application()).property("ojs.worker.enabled", false);
	}

	final Application.Starter worker() {
		return settings(application()).with(StoreCrashes.Desk.class);
	}

	/** One that works nothing that comes from now on, until {@link #work} says so. */
	final Application idle(Application.Starter worker) {
		Application application = worker.start();
		application.bean(JobWorker.class).stop();
		return application;
	}

	static void work(Application idle) {
		idle.bean(JobWorker.class).start();
	}

	final Application.Starter settings(Application.Starter starter) {
		return starter.database(this.database.url(), this.database.username(), this.database.password())
			.property(StoreCrashes.LEDGER, ledger().toString())
			.property("ojs.store.lease", StoreCrashes.LEASE)
			.property("ojs.store.relay-grace", "3s")
			.property("ojs.store.overdue-after", "2s")
			.property("ojs.store.reap-interval", "500ms")
			.property("ojs.queues.desk.retry.initial-interval", "4s");
	}

	final ChildApplication.Starter child() {
		return ChildApplication.on(uri())
			.with(StoreCrashes.CrashPoints.class, StoreCrashes.Confirms.class)
			.property("ojs.store.enabled", true)
			.property("ojs.store.initialize-schema", "always")
			.property("spring.datasource.url", this.database.url())
			.property("spring.datasource.username", this.database.username())
			.property("spring.datasource.password", this.database.password())
			.property("ojs.queues.desk.retry.initial-interval", "4s")
			.property("ojs.store.lease", StoreCrashes.LEASE)
			.property("ojs.store.relay-grace", "5s")
			.property(StoreCrashes.LEDGER, ledger().toString());
	}

	final ChildApplication.Starter enqueuer() {
		return child().with(StoreCrashes.Enqueuer.class).property("ojs.worker.enabled", false);
	}

	/** Starts while the test goes on. It works, and so is the first to get a job. */
	final ChildApplication victim(String point) {
		return child().with(StoreCrashes.Desk.class).crashAt(point).start();
	}

	static Job enqueue(Application application, String type) {
		return application.ojs().enqueue(JobRequest.of(type).queue("desk"));
	}

	static StoredJob find(Application application, String id) {
		return application.bean(JobStore.class).find(id).orElseThrow();
	}

	static JobState state(Application application, String id) {
		return find(application, id).job().state();
	}

	static Instant started(Application application, String id) {
		return find(application, id).job().startedAt().toInstant();
	}

	/** Of the only job, which is available. Nobody else needs to run for it. */
	final Instant takenUntil() {
		return new JdbcTemplate(
				new DriverManagerDataSource(this.database.url(), this.database.username(), this.database.password()))
			.queryForObject("select relay_at from ojs_job where state = 'available'", OffsetDateTime.class)
			.toInstant();
	}

	static String onlyJob(Application application) {
		return application.bean(JdbcTemplate.class).queryForObject("select id from ojs_job", String.class);
	}

	static void awaitCompleted(Application application, String id) {
		await().until(() -> state(application, id) == JobState.COMPLETED);
	}

	static boolean publishedAndNoted(Application application) {
		return count(application,
				"select count(*) from ojs_job where relay_at is not null or published_at is null") == 0;
	}

	static long leasesOver(Application application) {
		return count(application,
				"select count(*) from ojs_job where lease_until < now() and not exists (select 1 from ojs_process p "
						+ "where p.id = worker and p.seen_at + (lease_until - started_at) >= now())");
	}

	static long events(Application application, String condition) {
		return count(application, "select count(*) from " + EventRows.ALL + " where " + condition);
	}

	static long count(Application application, String sql) {
		Long count = application.bean(JdbcTemplate.class).queryForObject(sql, Long.class);
		return (count != null) ? count : 0;
	}

	final void assertRan(Application application, String id, int attempt) {
		Job job = find(application, id).job();
		assertThat(job.state()).isEqualTo(JobState.COMPLETED);
		assertThat(job.attempt()).isEqualTo(attempt);
		assertThat(job.errors()).isEmpty();
		assertThat(runs()).containsExactly(id + " " + attempt);
	}

	static void assertLostFirstRun(StoredJob stored) {
		assertLostFirstRun(stored, 2);
	}

	static void assertLostFirstRun(StoredJob stored, int attempt) {
		assertThat(stored.job().attempt()).isEqualTo(attempt);
		assertThat(stored.job().errors()).singleElement().satisfies((error) -> {
			assertThat(error.code()).isEqualTo("WORKER_LOST");
			assertThat(error.attempt()).isEqualTo(1);
		});
	}

	final void assertFailedOnce(Application application, String id) {
		Job job = find(application, id).job();
		assertThat(job.attempt()).isEqualTo(2);
		assertThat(job.errors()).extracting(JobError::message).containsExactly("no luck at attempt 1");
		assertThat(runs()).containsExactly(id + " 1", id + " 2");
	}

	/** After all consumers have ended, so that what is not acked would be ready again. */
	final void assertNothingIsLeftAtTheBroker() {
		assertThat(client().count(JOBS)).isZero();
	}

	/** How many messages wait in retry queues. */
	final long waiting() {
		return LongStream.of(125, 187, 250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000)
			.mapToObj((millis) -> "ojs.queue.retry.desk." + millis)
			.filter(client()::exists)
			.mapToLong(client()::count)
			.sum();
	}

	final Path ledger() {
		return this.folder.resolve("ledger");
	}

	final List<String> runs() {
		try {
			return Files.exists(ledger()) ? Files.readAllLines(ledger()) : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
