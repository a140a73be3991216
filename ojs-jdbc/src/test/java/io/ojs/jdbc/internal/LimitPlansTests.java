package io.ojs.jdbc.internal;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.internal.rate.LimitedJobs;
import io.ojs.internal.rate.RateLimitStatus;
import io.ojs.internal.rate.RateLimitStore;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With 10,000 jobs that wait for the limit of their queue, 10 that run and 100,000 that
 * have ended, PostgreSQL reads a bounded number of them for the status of the limit.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitPlansTests {

	private static final int WAITING = 10_000;

	private static final int RUNNING = 10;

	private static final String FILL = """
			insert into ojs_job (id, type, queue, state, priority, attempt, max_attempts, run, size_bytes, created_at,
				enqueued_at, blocked_by, fetchable, relay_at, lease_until, envelope)
			select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 'email.send', 'mail',
				case when blocked then 'available' else 'active' end, 0, 0, 3, 0, 200, at, at,
				case when blocked then '@queue@mail' end, blocked,
				case when not blocked then ?::timestamptz + interval '30 seconds' end,
				case when not blocked then ?::timestamptz + interval '30 seconds' end, '{}'
			from (select n, now() - interval '1 day' + n * interval '1 millisecond' as at, n > %d as blocked
				from generate_series(1, %d) n) s
			""".formatted(RUNNING, RUNNING + WAITING);

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	private final TestStores stores = new TestStores(oneConnection());

	private final RateLimitStore limits = new JdbcRateLimitStore(this.stores.database);

	private HikariConfig oneConnection() {
		HikariConfig config = TestStores.of(this.database);
		config.setMaximumPoolSize(1);
		return config;
	}

	@BeforeAll
	void fill() {
		BigTable.fill(this.stores.jdbc(), 100_000, 0);
		this.stores.jdbc().update(FILL, TestStores.NOW.toString(), TestStores.NOW.toString());
		this.stores.jdbc()
			.update("insert into ojs_rate_limit (rate_key, policy, meter) values ('@queue@mail', '{}', '{}')");
		this.stores.jdbc().execute("vacuum analyze ojs_job");
	}

	@AfterAll
	void close() {
		this.stores.close();
		this.database.close();
	}

	@Test
	void statusCountsAsManyAsItSays() {
		assertThat(this.limits.list("", 10)).singleElement().satisfies((status) -> {
			assertThat(status.key()).isEqualTo("@queue@mail");
			assertThat(status.active()).isEqualTo(RUNNING);
			assertThat(status.waiting()).isEqualTo(RateLimitStatus.MAX_WAITING);
		});
		new TableReads(this.stores.jdbc()).assertFew("status", RateLimitStatus.MAX_WAITING + 1_000,
				() -> assertThat(this.limits.find("@queue@mail")).isPresent());
		new TableReads(this.stores.jdbc()).assertFew("jobs", 1_000, () -> {
			LimitedJobs jobs = this.limits.jobs("@queue@mail", 20);
			assertThat(jobs.running()).hasSize(RUNNING);
			assertThat(jobs.waiting()).hasSize(20);
		});
	}

}
