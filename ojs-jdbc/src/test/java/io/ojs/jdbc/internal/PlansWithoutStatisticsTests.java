package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.client.internal.EncodedJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A table that has just been filled, and of which PostgreSQL knows nothing yet, or knows
 * that it was empty: what names its rows by their ids reads those and no others.
 */
class PlansWithoutStatisticsTests {

	private static final int JOBS = 25_000;

	/** So many that reading them all seems to cost as much as looking some of them up. */
	private static final int SMALL = 600;

	private static final int BATCH = 10;

	/** Of one batch; there are some more versions of a row that has changed. */
	private static final int FEW_ROWS = 20 * BATCH;

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	private final TestStores stores = new TestStores(oneConnection());

	private final TableReads reads = new TableReads(this.stores.jdbc());

	private HikariConfig oneConnection() {
		HikariConfig config = TestStores.of(this.database);
		config.setMaximumPoolSize(1);
		return config;
	}

	@BeforeEach
	void neitherVacuumNorAnalyze() {
		this.stores.jdbc().execute("alter table ojs_job set (autovacuum_enabled = off)");
	}

	private void fill() {
		BigTable.fillOnly(this.stores.jdbc(), 0, JOBS);
	}

	@AfterEach
	void close() {
		this.stores.close();
		this.database.close();
	}

	@Test
	void withoutStatistics() {
		fill();
		assertThat(estimated()).isNegative();
		assertThatOnlyThoseAreRead();
	}

	@Test
	void withStatisticsOfAnEmptyTable() {
		this.stores.jdbc().execute("vacuum analyze ojs_job");
		fill();
		assertThat(estimated()).isZero();
		assertThatOnlyThoseAreRead();
	}

	/** The server keeps plans for as long as nobody analyzes the table. */
	@Test
	void withPlansThatWereMadeWhenTheTableWasSmall() {
		BigTable.fillOnly(this.stores.jdbc(), 0, SMALL);
		work((what, repeated) -> IntStream.range(0, TableReads.REPETITIONS).forEach((i) -> repeated.run()));
		this.stores.jdbc().execute("delete from ojs_job");
		fill();
		assertThatOnlyThoseAreRead();
	}

	/** How many rows the server believes to have; -1 as long as it does not know. */
	private long estimated() {
		Long rows = this.stores.jdbc()
			.queryForObject("select reltuples from pg_class where relname = 'ojs_job'", Long.class);
		assertThat(rows).isNotNull();
		return rows;
	}

	private void assertThatOnlyThoseAreRead() {
		work((what, repeated) -> this.reads.assertFew(what, FEW_ROWS, repeated));
	}

	/** What is done all the time, each so often as plans take to be kept. */
	private void work(BiConsumer<String, Runnable> repeating) {
		List<EncodedJob> jobs = new ArrayList<>();
		for (int i = 0; i < BATCH * TableReads.REPETITIONS; i++) {
			jobs.add(this.stores.available());
		}
		List<String> ids = jobs.stream().map((job) -> job.job().id()).toList();
		repeating.accept("published", () -> this.stores.relay.published("mail",
				TestStores.until(TestStores.LATER, ids.subList(0, BATCH)), TestStores.NOW));
		List<Lease> leases = new ArrayList<>();
		repeating.accept("claim", () -> {
			List<EncodedJob> batch = jobs.subList(leases.size(), leases.size() + BATCH);
			this.stores.attempts
				.claim(batch.stream()
					.map((job) -> new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofHours(1)))
					.toList(), "worker", TestStores.NOW, true)
				.forEach((claim) -> leases.add(((Claim.Taken) claim).lease()));
		});
		List<Lease> open = new ArrayList<>(leases);
		repeating.accept("settle", () -> {
			List<Outcome> outcomes = new ArrayList<>();
			open.subList(0, BATCH).forEach((lease) -> outcomes.add(new Outcome.Completed(lease, null)));
			open.subList(0, BATCH).clear();
			assertThat(this.stores.attempts.settle(outcomes, TestStores.NOW)).doesNotContain(false);
		});
	}

}
