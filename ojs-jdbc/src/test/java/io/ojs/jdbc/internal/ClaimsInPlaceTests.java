package io.ojs.jdbc.internal;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.client.internal.EncodedJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A claim of plain jobs changes no column that an index has, so that PostgreSQL changes
 * their rows in place (HOT).
 */
class ClaimsInPlaceTests {

	private static final int GROUP = 20;

	private static final int GROUPS = 10;

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	private final TestStores stores = new TestStores(oneConnection());

	/** Numbers are told by the connection that has changed something. */
	private HikariConfig oneConnection() {
		HikariConfig config = TestStores.of(this.database);
		config.setMaximumPoolSize(1);
		return config;
	}

	@AfterEach
	void close() {
		this.stores.close();
		this.database.close();
	}

	@Test
	void claimsTogetherAndAloneAreChangesInPlace() {
		List<EncodedJob> jobs = Stream.generate(this.stores::available).limit(GROUP * GROUPS).toList();
		long before = inPlace();
		IntStream.range(0, GROUPS - 1).forEach((i) -> claim(jobs.subList(i * GROUP, (i + 1) * GROUP)));
		jobs.subList((GROUPS - 1) * GROUP, GROUPS * GROUP).forEach((job) -> claim(List.of(job)));
		assertThat(inPlace() - before).isGreaterThanOrEqualTo(GROUP * GROUPS * 9 / 10);
	}

	private void claim(List<EncodedJob> jobs) {
		assertThat(this.stores.attempts.claim(jobs.stream().map(this.stores::request).toList(), "worker-1",
				TestStores.NOW, true))
			.hasOnlyElementsOfType(Claim.Taken.class);
	}

	private long inPlace() {
		JdbcTemplate jdbc = this.stores.jdbc();
		jdbc.queryForList("select pg_stat_force_next_flush()");
		Long updates = jdbc.queryForObject("select n_tup_hot_upd from pg_stat_user_tables where relname = 'ojs_job'",
				Long.class);
		assertThat(updates).isNotNull();
		return updates;
	}

}
