package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.client.internal.EncodedJob;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.job.JobState;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs begin and end with one statement for all of them, and also where a statement by
 * itself would be lost, goes elsewhere, or may not take the time that it takes.
 */
class PlainRunsTests {

	/** As a copy of a database says it, where only transactions lead to the original. */
	private static final String READ_ONLY = """
			create function refuse() returns trigger language plpgsql as $$
			begin
				if current_query() like 'with changed as (update%' then
					raise exception using errcode = '25006', message = 'cannot execute UPDATE in a read-only transaction';
				end if;
				return new;
			end $$;
			create trigger refuse before insert on ojs_event for each row execute function refuse()""";

	@Test
	void nothingIsLostInConnectionsThatDoNotCommit() {
		work((config) -> config.setAutoCommit(false), (others) -> {
		});
	}

	@Test
	void whatMayOnlyBeWrittenWithinTransactionsIs() {
		work((config) -> {
		}, (others) -> others.jdbc().execute(READ_ONLY));
	}

	@Test
	void whoWasRefusedDoesNotTryAgainForAWhile() {
		try (PostgresDatabase database = PostgresServer.shared().newDatabase();
				TestStores stores = new TestStores(TestStores.of(database))) {
			stores.jdbc().execute(READ_ONLY);
			CountedStatements statements = new CountedStatements(stores.database);
			AttemptStore attempts = new JdbcAttemptStore(statements.database());
			claim(attempts, List.of(stores.available()));
			assertThat(statements.plain()).isOne();
			statements.reset();
			claim(attempts, List.of(stores.available()));
			assertThat(statements.plain()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 30 })
	void allOfThemTakeOneStatement(int many) {
		count(many, (statements) -> {
		}, (statements) -> {
			assertThat(statements.count()).isOne();
			assertThat(statements.plain()).isOne();
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void whoeverSaysHowLongTransactionsMayTakeHasThemAllInTransactions(int many) {
		count(many, (statements) -> statements.transactionManager().setDefaultTimeout(60), (statements) -> {
			assertThat(statements.count()).isPositive();
			assertThat(statements.plain()).isZero();
		});
	}

	/** Looks at what was counted when jobs have begun, and when they have ended. */
	private void count(int many, Consumer<CountedStatements> prepare, Consumer<CountedStatements> look) {
		try (PostgresDatabase database = PostgresServer.shared().newDatabase();
				TestStores stores = new TestStores(TestStores.of(database))) {
			CountedStatements statements = new CountedStatements(stores.database);
			prepare.accept(statements);
			AttemptStore attempts = new JdbcAttemptStore(statements.database());
			List<EncodedJob> jobs = Stream.generate(stores::available).limit(many).toList();
			List<Outcome> outcomes = claim(attempts, jobs);
			look.accept(statements);
			assertThat(jobs).extracting(stores::state).containsOnly(JobState.ACTIVE);
			statements.reset();
			assertThat(attempts.settle(outcomes, TestStores.NOW)).containsOnly(true);
			look.accept(statements);
			assertThat(jobs).extracting(stores::state).containsOnly(JobState.COMPLETED);
		}
	}

	private void work(Consumer<HikariConfig> change, Consumer<TestStores> prepare) {
		try (PostgresDatabase database = PostgresServer.shared().newDatabase();
				TestStores others = new TestStores(TestStores.of(database))) {
			prepare.accept(others);
			HikariConfig config = TestStores.of(database);
			change.accept(config);
			try (TestStores stores = new TestStores(config)) {
				for (int i = 1; i < 4; i++) {
					List<EncodedJob> jobs = Stream.generate(others::available).limit(i).toList();
					List<Outcome> outcomes = claim(stores.attempts, jobs);
					assertThat(jobs).extracting(others::state).containsOnly(JobState.ACTIVE);
					assertThat(stores.attempts.settle(outcomes, TestStores.NOW)).containsOnly(true);
					assertThat(jobs).extracting(others::state).containsOnly(JobState.COMPLETED);
				}
			}
		}
	}

	private static List<Outcome> claim(AttemptStore attempts, List<EncodedJob> jobs) {
		List<ClaimRequest> requests = jobs.stream()
			.map((job) -> new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30)))
			.toList();
		return attempts.claim(requests, "worker", TestStores.NOW, true)
			.stream()
			.<Outcome>map((claim) -> new Outcome.Completed(((Claim.Taken) claim).lease(), null))
			.toList();
	}

}
