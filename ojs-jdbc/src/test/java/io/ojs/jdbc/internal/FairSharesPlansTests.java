package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.Reservation;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.tenant.JdbcTenantUsage;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.relay.RelayStore.Taken;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.tenant.internal.limit.FairShares;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With 120,000 jobs of one tenant that wait in one queue, 100 of each of 50 others, and
 * 100,000 jobs that have ended, PostgreSQL reads few of them for whatever has to do with
 * shares.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FairSharesPlansTests {

	private static final String FILL = """
			insert into ojs_job (id, type, queue, state, priority, attempt, max_attempts, run, size_bytes, created_at,
				enqueued_at, tenant, awaits_turn, fetchable, relay_at, envelope)
			select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 'email.send', 'mail', 'available', 0, 0,
				3, 0, 200, at, at, tenant, true, true, null,
				'{"specversion":"1.0","id":"00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0')
					|| '","type":"email.send","queue":"mail","meta":{"tenant_id":"' || tenant || '"},"args":["'
					|| repeat('x', 100) || '"]}'
			from (select n, now() - interval '1 day' + n * interval '1 millisecond' as at,
				case when n <= 120000 then 'noisy' else 'quiet-' || n % 50 end as tenant
				from generate_series(1, 125000) n) s
			""";

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	private final TestStores stores = new TestStores(oneConnection());

	/**
	 * A window of one for each of them: what is read does not depend on how many start.
	 */
	private final TestStores fair = this.stores.with(new FairShares(true, FairShares.LEAST_MAX_WINDOW));

	private final TableReads reads = new TableReads(this.stores.jdbc());

	private HikariConfig oneConnection() {
		HikariConfig config = TestStores.of(this.database);
		config.setMaximumPoolSize(1);
		return config;
	}

	@BeforeAll
	void fill() {
		BigTable.fill(this.stores.jdbc(), 100_000, 0);
		this.stores.jdbc().execute(FILL);
		this.stores.jdbc().execute("vacuum analyze ojs_job");
	}

	@AfterAll
	void close() {
		this.stores.close();
		this.database.close();
	}

	private EncodedJob job(String tenant) {
		return this.fair.encoded((job) -> job.meta(Map.of("tenant_id", tenant)));
	}

	private Taken inTurn() {
		return this.fair.relay.takeInTurn(TestStores.NOW, TestStores.NOW.plusSeconds(60), (queue) -> true, 500);
	}

	@Test
	void enqueueing() {
		this.reads.assertFew("insert of a tenant with a backlog", () -> this.fair.keep(job("noisy"), TestStores.LATER));
		this.reads.assertFew("insert of another one", () -> this.fair.keep(job("rare"), TestStores.LATER));
	}

	@Test
	void turns() {
		List<RelayedJob> taken = new ArrayList<>();
		this.reads.assertFew("take in turn", () -> {
			taken.addAll(inTurn().jobs());
			if (!taken.isEmpty()) {
				this.fair.attempts.claim(taken.stream()
					.map((job) -> new ClaimRequest(job.encoded(), "mail", 1, Map.of(), Duration.ofHours(1)))
					.toList(), "worker", TestStores.NOW, true);
				taken.clear();
			}
		});
		this.reads.assertFew("take in turn, in vain", () -> inTurn());
		this.reads.assertFew("take what is due", () -> {
			this.fair.keep(job("noisy"), null);
			this.stores.keep(job("noisy"), TestStores.NOW);
			assertThat(this.fair.relay.take(TestStores.NOW, TestStores.NOW.plusSeconds(60), 50).others()).isEqualTo(1);
		});
	}

	@Test
	void limits() {
		JdbcTenantUsage usage = new JdbcTenantUsage(this.fair.database);
		this.reads.assertFew("count up to a limit", () -> assertThat(usage.waiting("noisy", 2000)).isEqualTo(2000));
		this.reads.assertFew("count of scheduled jobs", () -> assertThat(usage.scheduled("noisy", 50_000)).isZero());
	}

	@Test
	void fetches() {
		JdbcFetchStore fetches = new JdbcFetchStore(this.fair.database);
		Reservation reservation = new Reservation(Duration.ofHours(1), Duration.ofHours(1));
		this.reads.assertFew("fetch of one",
				() -> assertThat(fetches.fetch(List.of("mail"), 1, "w", null, TestStores.NOW, (job) -> reservation))
					.hasSize(1));
		this.reads.assertFew("fetch of 20",
				() -> assertThat(fetches.fetch(List.of("mail"), 20, "w", null, TestStores.NOW, (job) -> reservation))
					.hasSize(20));
		this.reads.assertFew("fetch of a tenant",
				() -> assertThat(
						fetches.fetch(List.of("mail"), 1, "w", "quiet-7", TestStores.NOW, (job) -> reservation))
					.hasSize(1));
	}

}
