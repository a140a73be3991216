package io.ojs.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.client.EncodedJob;
import io.ojs.job.JobState;
import io.ojs.store.Claim;
import io.ojs.store.ClaimRequest;
import io.ojs.store.Outcome;
import io.ojs.test.database.PostgresDatabase;
import io.ojs.test.database.PostgresServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs begin and end also where a statement by itself would be lost, or goes elsewhere.
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

	private void work(Consumer<HikariConfig> change, Consumer<TestStores> prepare) {
		try (PostgresDatabase database = PostgresServer.shared().newDatabase();
				TestStores others = new TestStores(TestStores.of(database))) {
			prepare.accept(others);
			HikariConfig config = TestStores.of(database);
			change.accept(config);
			try (TestStores stores = new TestStores(config)) {
				for (int i = 1; i < 4; i++) {
					List<EncodedJob> jobs = Stream.generate(others::available).limit(i).toList();
					List<Outcome> outcomes = claim(stores, jobs);
					assertThat(jobs).extracting(others::state).containsOnly(JobState.ACTIVE);
					assertThat(stores.attempts.settle(outcomes, TestStores.NOW)).containsOnly(true);
					assertThat(jobs).extracting(others::state).containsOnly(JobState.COMPLETED);
				}
			}
		}
	}

	private static List<Outcome> claim(TestStores stores, List<EncodedJob> jobs) {
		List<ClaimRequest> requests = jobs.stream()
			.map((job) -> new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30)))
			.toList();
		return stores.attempts.claim(requests, "worker", TestStores.NOW, true)
			.stream()
			.<Outcome>map((claim) -> new Outcome.Completed(((Claim.Taken) claim).lease(), null))
			.toList();
	}

}
