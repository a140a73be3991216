package io.ojs.jdbc.internal.deadletter;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.TestStores;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With 100,000 dead letters among as many other jobs, PostgreSQL goes by the indexes for
 * dead letters, and reads no more of them than it gives back.
 */
@SuppressWarnings("checkstyle:HideUtilityClassConstructor")
class DeadLetterPlansTests {

	private static final Instant NOON = Instant.parse("2026-03-15T12:00:00Z");

	private static final DeadLetterCursor MIDDLE = new DeadLetterCursor(NOON.minusSeconds(50_000),
			"019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f");

	private static final Pattern READ = Pattern.compile("(?:actual rows=|Rows Removed by Filter: )(\\d+)");

	private static PostgresDatabase postgres;

	private static TestStores stores;

	@BeforeAll
	static void fill() {
		postgres = PostgresServer.shared().newDatabase();
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(postgres.url());
		config.setUsername(postgres.username());
		config.setPassword(postgres.password());
		stores = new TestStores(config);
		JdbcTemplate jdbc = stores.jdbc();
		jdbc.update(
				"""
						insert into ojs_job (id, type, queue, state, priority, attempt, max_attempts, run, size_bytes, created_at,
						  enqueued_at, ended_at, prune_at, dead_lettered_at, dead_letter_queue, error_type, envelope, errors)
						select v.id, 'a.b', v.queue, 'discarded', 0, 3, 3, 3, 100, v.at, v.at, v.at, v.at + interval '180 days',
						  case when dead then v.at end, case when dead then v.queue end, 'java.net.ConnectException',
						  '{"specversion":"1.0","id":"' || v.id || '","type":"a.b","queue":"' || v.queue || '","args":[' || n || ']}',
						  '[{"type":"java.net.ConnectException","code":"HANDLER_ERROR","message":"refused","attempt":3,'
						    || '"occurred_at":"2026-03-15T12:00:00Z"}]'
						from generate_series(1, 100000) n, (values (true), (false)) d (dead),
						  lateral (select cast('019461a8-1a2b-7c3d-8e4f-' || case when dead then 'd' else 'a' end
						    || lpad(to_hex(n), 11, '0') as uuid) as id,
						    timestamptz '2026-03-15T12:00:00Z' - n * interval '1 second' as at,
						  case when n % 100 = 0 then 'rare' else 'q' || n % 5 end as queue) v
						""");
		jdbc.execute("vacuum analyze ojs_job");
	}

	@AfterAll
	static void close() {
		stores.close();
		postgres.close();
	}

	@Test
	void pagesGoByTheIndexWhereverTheyBegin() {
		for (DeadLetterCursor after : new DeadLetterCursor[] { null, MIDDLE }) {
			assertThat(page(DeadLetterFilter.ANY, after)).contains("ojs_job_dead");
			assertThat(page(DeadLetterFilter.ANY.queue("rare"), after)).contains("ojs_job_dead_letter_queue");
			assertThat(page(DeadLetterFilter.ANY.queue("rare").since(NOON.minusSeconds(90_000)), after))
				.contains("ojs_job_dead_letter_queue");
			assertThat(page(DeadLetterFilter.ANY.type("a.*").errorType("java.net.*"), after)).contains("ojs_job_dead");
		}
	}

	@Test
	void replaysGoByTheIndexWhereverTheyAre() {
		for (DeadLetterCursor after : new DeadLetterCursor[] { null, MIDDLE }) {
			for (DeadLetterFilter filter : List.of(DeadLetterFilter.ANY, DeadLetterFilter.ANY.queue("q1"),
					DeadLetterFilter.ANY.queue("rare"), DeadLetterFilter.ANY.until(NOON))) {
				DeadLetterConditions where = new DeadLetterConditions(filter).newerThan(after);
				assertThat(plan("select * from ojs_job where " + where.sql()
						+ " order by dead_lettered_at, id limit ? for update skip locked", where, 500))
					.contains("ojs_job_dead");
			}
		}
	}

	@Test
	void replaysTenThousandInGoodTime() {
		JdbcDeadLetterStore store = new JdbcDeadLetterStore(stores.database);
		DeadLetters letters = new StoreDeadLetters(store, stores.transactions, new JsonValues(JsonMapper.shared()),
				stores.codec, 1024 * 1024, Clock.systemUTC(), () -> {
				});
		long start = System.nanoTime();
		assertThat(
				letters.replayAll(DeadLetterFilter.ANY.queue("q4"), ReplayOptions.CONFIRMED.limit(10_000)).replayed())
			.isEqualTo(10_000);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
		assertThat(letters.stats().byQueue()).containsEntry("q4", 10_000L).containsEntry("q1", 20_000L);
	}

	private static String page(DeadLetterFilter filter, DeadLetterCursor after) {
		DeadLetterConditions where = new DeadLetterConditions(filter).olderThan(after);
		return plan("select * from ojs_job where " + where.sql() + " order by dead_lettered_at desc, id desc limit ?",
				where, 50);
	}

	private static String plan(String sql, DeadLetterConditions where, int limit) {
		String plan = String.join("\n",
				stores.jdbc()
					.query("explain (analyze, timing off) " + sql, where.parameters(List.of(), limit),
							(row, index) -> row.getString(1)));
		assertThat(plan).doesNotContain("Seq Scan");
		// Of another index, or of the right one from its beginning, it would be most.
		assertThat(READ.matcher(plan).results().mapToInt((each) -> Integer.parseInt(each.group(1))).max().orElseThrow())
			.isLessThan(5000);
		return plan;
	}

}
