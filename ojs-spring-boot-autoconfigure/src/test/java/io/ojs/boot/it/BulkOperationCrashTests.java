package io.ojs.boot.it;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.bulk.BulkAction;
import io.ojs.internal.bulk.BulkOperation;
import io.ojs.internal.bulk.BulkOperationStore;
import io.ojs.internal.bulk.BulkRequest;
import io.ojs.internal.bulk.BulkRunner;
import io.ojs.internal.bulk.BulkState;
import io.ojs.job.JobIdGenerator;
import io.ojs.store.internal.StoreClock;
import io.ojs.test.internal.database.PostgresDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 of the process that replays dead letters: another process goes on, and each job
 * is replayed once and runs once.
 */
@Tag("faults")
class BulkOperationCrashTests extends BrokerTest {

	private static final int JOBS = 1700;

	private static final String DEAD_LETTERS = """
			insert into ojs_job (id, type, queue, state, ended_as, priority, attempt, max_attempts, run, size_bytes,
			  created_at, enqueued_at, ended_at, prune_at, dead_lettered_at, dead_letter_queue, error_type, envelope)
			select v.id, 'ledger.run', 'ledger', 'discarded', 'discarded', 0, 3, 3, 3, 100, v.at, v.at, v.at,
			  v.at + interval '180 days', v.at, 'ledger', 'java.net.ConnectException',
			  '{"specversion":"1.0","id":"' || v.id || '","type":"ledger.run","queue":"ledger","args":[]}'
			from generate_series(1, ?) n, lateral (select
			  cast('019461a8-1a2b-7c3d-8e4f-' || lpad(to_hex(n), 12, '0') as uuid) as id,
			  current_timestamp - n / 10 * interval '1 second' as at) v
			""";

	private final PostgresDatabase database = StoreDatabases.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@ParameterizedTest
	@MethodSource
	void anotherProcessGoesOn(String point) {
		try (Application survivor = application().with(Ledger.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.store.lease", "2s")
			.start()) {
			BulkRunner runner = survivor.bean(BulkRunner.class);
			// Until the other process is dead.
			runner.close();
			survivor.bean(JdbcTemplate.class).update(DEAD_LETTERS, JOBS);
			String id;
			try (ChildApplication doomed = doomed().with(CrashPoints.class)
				// In the middle: of 1,700 jobs, 500 are replayed.
				.crashAt(point, 2)
				.start()) {
				doomed.awaitStarted();
				id = start(survivor);
				doomed.killAt(point);
			}
			BulkOperationStore operations = survivor.bean(BulkOperationStore.class);
			assertThat(operations.find(id)).get().satisfies((left) -> {
				assertThat(left.state()).isEqualTo(BulkState.RUNNING);
				assertThat(left.progress().done()).isBetween(500L, 1000L);
			});
			runner.start();
			await().atMost(Duration.ofMinutes(1))
				.until(() -> operations.find(id).orElseThrow().state() == BulkState.COMPLETED);
			assertThat(operations.find(id).orElseThrow().progress().done()).isEqualTo(JOBS);
			assertThat(survivor.bean(JdbcTemplate.class)
				.queryForObject("select count(*) from ojs_job where replays = 1", Long.class)).isEqualTo(JOBS);
			assertThat(survivor.bean(DeadLetters.class).stats().total()).isZero();
			Map<String, Integer> runs = survivor.bean(Ledger.class).runs;
			await().atMost(Duration.ofMinutes(1)).until(() -> runs.size() == JOBS);
			assertThat(runs.values()).containsOnly(1);
		}
	}

	static Stream<String> anotherProcessGoesOn() {
		return KillPoints.some("before DeadLetterStore.replay", "after DeadLetterStore.replay",
				"after BulkOperationStore.save", "before BulkOperationStore.lock");
	}

	/** What waits for its time is not lost with the process that began. */
	@Test
	void anotherProcessGoesOnAtTheRate() {
		try (Application survivor = application().with(Ledger.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.store.lease", "2s")
			.start()) {
			BulkRunner runner = survivor.bean(BulkRunner.class);
			runner.close();
			survivor.bean(JdbcTemplate.class).update(DEAD_LETTERS, 60);
			BulkOperationStore operations = survivor.bean(BulkOperationStore.class);
			DeadLetters letters = survivor.bean(DeadLetters.class);
			String id;
			try (ChildApplication doomed = doomed().start()) {
				doomed.awaitStarted();
				id = start(survivor, 60, 10.0);
				await().until(() -> operations.find(id).orElseThrow().progress().done() >= 10);
				doomed.kill();
			}
			BulkOperation left = operations.find(id).orElseThrow();
			assertThat(left.state()).isEqualTo(BulkState.RUNNING);
			assertThat(letters.stats().total()).isEqualTo(60 - left.progress().done()).isPositive();
			runner.start();
			await().until(() -> operations.find(id).orElseThrow().progress().done() > left.progress().done());
			runner.stop(id);
			await().until(() -> operations.find(id).orElseThrow().state() == BulkState.STOPPED);
			long done = operations.find(id).orElseThrow().progress().done();
			assertThat(letters.stats().total()).as("the others stay").isEqualTo(60 - done);
			Map<String, Integer> runs = survivor.bean(Ledger.class).runs;
			await().until(() -> runs.size() == done);
			assertThat(runs.values()).containsOnly(1);
		}
	}

	/** A process that works operations, and no jobs. */
	private ChildApplication.Starter doomed() {
		return ChildApplication.on(uri())
			.property("ojs.store.enabled", true)
			.property("ojs.worker.enabled", false)
			.property("spring.datasource.url", this.database.url())
			.property("spring.datasource.username", this.database.username())
			.property("spring.datasource.password", this.database.password())
			.property("ojs.store.lease", "2s");
	}

	private static String start(Application application) {
		return start(application, JOBS, null);
	}

	private static String start(Application application, int jobs, @Nullable Double rate) {
		DeadLetterFilter filter = DeadLetterFilter.ANY
			.until(application.bean(DeadLetters.class).end(DeadLetterFilter.ANY).orElseThrow());
		StoreClock clock = application.bean(StoreClock.class);
		String id = new JobIdGenerator(clock).next();
		application.bean(BulkOperationStore.class)
			.insert(BulkOperation.of(id, BulkAction.REPLAY, BulkRequest.of(filter, null, rate, ReplayOverrides.NONE),
					null, "ann", BulkOperation.Progress.of(jobs, true), clock.instant()));
		return id;
	}

	static class Ledger {

		private final Map<String, Integer> runs = new ConcurrentHashMap<>();

		@OjsJobHandler(value = "ledger.run", queue = "ledger")
		void run(JobContext context) {
			this.runs.merge(context.job().id(), 1, Integer::sum);
		}

	}

	static class CrashPoints {

		@Bean
		static BeanPostProcessor aroundOperations() {
			return CrashPoint.around(BulkOperationStore.class);
		}

		@Bean
		static BeanPostProcessor aroundDeadLetters() {
			return CrashPoint.around(DeadLetterStore.class);
		}

	}

}
