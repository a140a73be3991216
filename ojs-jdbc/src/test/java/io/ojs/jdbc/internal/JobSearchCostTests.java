package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.zaxxer.hikari.HikariConfig;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch.Criteria;
import io.ojs.internal.admin.JobSearch.Result;
import io.ojs.jdbc.internal.admin.JdbcJobSearch;
import io.ojs.job.JobState;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With 2,000,000 ended and 100,000 waiting jobs in PostgreSQL, each page of a search
 * takes less than 200 ms, and no statement reads the table from one end to the other.
 * Prints a table of the times.
 */
@Tag("costs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobSearchCostTests {

	private static final int ENDED = Integer.getInteger("ojs.test.ended", 2_000_000);

	private static final int WAITING = 100_000;

	/** The server reuses plans after ten executions. */
	private static final int REPETITIONS = 20;

	private static final double MOST_MILLIS = 200;

	/**
	 * A job each second; the newest wait. One in 100 jobs failed, one in 1,000 has the
	 * tenant {@code acme}; 30 jobs of long ago are of the type and queue {@code rare}.
	 */
	private static final String FILL = """
			insert into ojs_job (id, type, queue, state, priority, attempt, max_attempts, run, size_bytes, created_at,
				enqueued_at, started_at, ended_at, due_at, prune_at, tenant, worker, error_type, errors, fetchable,
				ended_as, envelope)
			select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000'
					|| lpad(to_hex(n), 12, '0'))::uuid,
				case when n % 60000 = 7 and n <= :ended then 'rare' else 'email.send' || n % 40 end,
				case when n % 60000 = 7 and n <= :ended then 'rare' else 'q' || n % 20 end, state, n % 5, 1, 3, 1, 200, at,
				at, case when state in ('completed', 'discarded', 'active') then at end,
				case when state in ('completed', 'discarded') then at end,
				case when state in ('scheduled', 'retryable') then at + interval '30 days' end,
				case when state in ('completed', 'discarded') then at + interval '90 days' end,
				case when n % 1000 = 3 then 'acme' when n % 2 = 0 then 'large' end,
				case when state = 'active' then 'worker' end,
				case when state in ('discarded', 'retryable') then 'io.ojs.Error' || n % 3 end,
				case when state in ('discarded', 'retryable') then '[{"type":"io.ojs.Error","code":"HANDLER_ERROR","message":"'
					|| case when n % 600000 = 0 then 'disk full' else 'Connection timed out' end
					|| '","attempt":1,"occurred_at":"2026-01-01T00:00:00Z","backtrace":["' || repeat('io.ojs.Frame ', 100)
					|| '"]}]' end,
				state = 'available', case when state in ('completed', 'discarded') then state else '' end,
				'{"specversion":"1.0","type":"email.send","queue":"mail","args":["' || repeat('x', 100) || '"]}'
			from (select n, timestamptz '2026-01-01 00:00:00Z' + n * interval '1 second' as at,
				case when n > :ended then case when n % 5000 = 1 then 'active' when n % 5 = 0 then 'scheduled'
						when n % 50 = 2 then 'retryable' else 'available' end
					when n % 100 = 0 then 'discarded' else 'completed' end as state
				from generate_series(1, :all) n) s
			""";

	private static final String LABELS = """
			insert into ojs_job_label (label, job_id)
			select case when n % 4 = 0 then '#many' else 'customer=' || n % 100000 end, id
			from (select id, row_number() over (order by id) as n from ojs_job) j where n % 2 = 0
			union all select '#rare', id from ojs_job where type = 'rare'
			union all select '#many', id from ojs_job where type = 'rare'
			on conflict do nothing
			""";

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	private final TestStores stores = new TestStores(oneConnection());

	private final JdbcTemplate jdbc = this.stores.jdbc();

	private final Map<String, double[]> measured = new LinkedHashMap<>();

	private HikariConfig oneConnection() {
		HikariConfig config = TestStores.of(this.database);
		config.setMaximumPoolSize(1);
		return config;
	}

	@BeforeAll
	void fill() {
		this.jdbc.execute("set synchronous_commit = off");
		this.jdbc
			.execute(FILL.replace(":ended", String.valueOf(ENDED)).replace(":all", String.valueOf(ENDED + WAITING)));
		this.jdbc.execute(LABELS);
		this.jdbc.execute("insert into ojs_workflow_job (workflow_id, step, job_id, type, envelope) "
				+ "select '019539a4-0000-7000-8000-000000000001'::uuid, n, gen_random_uuid(), 't', '{}' "
				+ "from generate_series(1, 100) n union all select '019539a4-0000-7000-8000-000000000002'::uuid, "
				+ "row_number() over (), id, 't', '{}' from (select id from ojs_job where type = 'rare') j");
		this.jdbc.execute("vacuum analyze ojs_job");
		this.jdbc.execute("vacuum analyze ojs_job_label");
		this.jdbc.execute("vacuum analyze ojs_workflow_job");
	}

	@AfterAll
	void close() {
		System.out.printf("%-50s %8s %8s %8s%n", "search", "p50 ms", "p95 ms", "max ms");
		this.measured.forEach(
				(name, times) -> System.out.printf("%-50s %8.1f %8.1f %8.1f%n", name, times[0], times[1], times[2]));
		this.stores.close();
		this.database.close();
	}

	@Test
	void eachPageIsFastAndReadsNoTableFromOneEndToTheOther() {
		searches().forEach((name, criteria) -> measure(name, criteria, null));
		measure("queue, behind the middle", of(JobFilter.ANY.queue("q7")), id(ENDED / 2));
		measure("label, behind the middle", labels("#many"), id(ENDED / 2));
		for (String column : List.of("queue", "type", "error_type")) {
			this.jdbc.execute("create index on ojs_job (%1$s, id) where %1$s is not null".formatted(column));
		}
		this.jdbc.execute("vacuum analyze ojs_job");
		List<String> incomplete = new ArrayList<>();
		for (String name : List.of("queue: rare", "type: rare", "error type")) {
			Result result = measure(name + ", with its index", searches().get(name), null);
			if (!result.complete()) {
				incomplete.add(name);
			}
		}
		assertThat(incomplete).as("not complete with an index").isEmpty();
		assertThat(this.measured)
			.allSatisfy((name, times) -> assertThat(times[1]).as("ms of " + name).isLessThan(MOST_MILLIS));
	}

	private static Map<String, Criteria> searches() {
		Map<String, Criteria> searches = new LinkedHashMap<>();
		searches.put("all", Criteria.ANY);
		searches.put("id: 1 digit", prefix("0"));
		searches.put("id: 8 digits", prefix(id(ENDED / 2).substring(0, 8)));
		searches.put("id: all digits", prefix(id(ENDED / 2)));
		searches.put("id: beginning and end", Criteria.ANY
			.id(id(ENDED / 2).substring(0, 8) + "\u2026" + id(ENDED / 2).substring(id(ENDED / 2).length() - 6)));
		searches.put("worker", Criteria.ANY.worker("worker"));
		searches.put("worker: none", Criteria.ANY.worker("none"));
		searches.put("queue", of(JobFilter.ANY.queue("q7")));
		searches.put("queue: rare", of(JobFilter.ANY.queue("rare")));
		searches.put("queue: none", of(JobFilter.ANY.queue("none")));
		searches.put("type", type("email.send7"));
		searches.put("type: rare", type("rare"));
		searches.put("type: mail.*", type("mail.*"));
		searches.put("type: email.*", type("email.*"));
		for (JobState state : JobState.values()) {
			searches.put("state: " + state.wireName(), of(JobFilter.ANY.states(Set.of(state))));
		}
		searches.put("state: all that have not ended", of(JobFilter.ANY.states(Set.of(JobState.AVAILABLE,
				JobState.SCHEDULED, JobState.RETRYABLE, JobState.PENDING, JobState.ACTIVE))));
		searches.putAll(searchesByLabel());
		searches.put("error type",
				new Criteria(JobFilter.ANY, null, null, Set.of(), "io.ojs.Error1", null, null, null));
		searches.put("error type: none", new Criteria(JobFilter.ANY, null, null, Set.of(), "none", null, null, null));
		searches.put("error text", new Criteria(JobFilter.ANY, null, null, Set.of(), null, "timed out", null, null));
		searches.put("error text: rare",
				new Criteria(JobFilter.ANY, null, null, Set.of(), null, "disk full", null, null));
		searches.put("tenant: few", of(JobFilter.ANY.tenant("acme")));
		searches.put("tenant: many", of(JobFilter.ANY.tenant("large")));
		searches.put("tenant: none", of(JobFilter.ANY.tenant("none")));
		searches.put("tenant: many, queue: none", of(JobFilter.ANY.tenant("large").queue("none")));
		searches.put("tenant: few, state: discarded",
				of(JobFilter.ANY.tenant("acme").states(Set.of(JobState.DISCARDED))));
		searches.put("tenant: large, state: active", of(JobFilter.ANY.tenant("large").states(Set.of(JobState.ACTIVE))));
		searches.put("workflow", workflow("019539a4-0000-7000-8000-000000000002"));
		searches.put("workflow of deleted jobs", workflow("019539a4-0000-7000-8000-000000000001"));
		Instant middle = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(ENDED / 2);
		searches.put("until the middle", of(JobFilter.ANY.until(middle)));
		searches.put("an hour in the middle", of(JobFilter.ANY.since(middle).until(middle.plusSeconds(3600))));
		searches.put("an hour, queue: none",
				of(JobFilter.ANY.queue("none").since(middle).until(middle.plusSeconds(3600))));
		searches.put("queue, state: discarded", of(JobFilter.ANY.queue("q0").states(Set.of(JobState.DISCARDED))));
		searches.put("queue, state: active", of(JobFilter.ANY.queue("q1").states(Set.of(JobState.ACTIVE))));
		searches.put("queue: none, state: available",
				of(JobFilter.ANY.queue("none").states(Set.of(JobState.AVAILABLE))));
		searches.put("type, state: completed",
				type("email.send7").filter(type("email.send7").filter().states(Set.of(JobState.COMPLETED))));
		return searches;
	}

	private static Map<String, Criteria> searchesByLabel() {
		Map<String, Criteria> searches = new LinkedHashMap<>();
		searches.put("label: many", labels("#many"));
		searches.put("label: few", labels("customer=4711"));
		searches.put("label: rare", labels("#rare"));
		searches.put("label: none", labels("#none"));
		searches.put("label begins: few", labels("customer=47*"));
		searches.put("label begins: many", labels("customer=*"));
		searches.put("label begins: many, state: active",
				labels("customer=*").filter(JobFilter.ANY.states(Set.of(JobState.ACTIVE))));
		searches.put("label begins: none", labels("customer=x*"));
		searches.put("labels: many, and one that begins", labels("#many", "#ra*"));
		searches.put("labels: many and rare", labels("#many", "#rare"));
		searches.put("label: many, queue: none", labels("#many").filter(JobFilter.ANY.queue("none")));
		searches.put("label: many, state: active",
				labels("#many").filter(JobFilter.ANY.states(Set.of(JobState.ACTIVE))));
		return searches;
	}

	private static Criteria of(JobFilter filter) {
		return Criteria.ANY.filter(filter);
	}

	private static Criteria type(String type) {
		return of(new JobFilter(null, type, Set.of(), false, null, null, Set.of(), null));
	}

	private static Criteria prefix(String id) {
		return new Criteria(JobFilter.ANY, id, null, Set.of(), null, null, null, null);
	}

	private static Criteria labels(String... labels) {
		return new Criteria(JobFilter.ANY, null, null, Set.of(labels), null, null, null, null);
	}

	private static Criteria workflow(String id) {
		return new Criteria(JobFilter.ANY, null, null, Set.of(), null, null, id, null);
	}

	private static String id(int n) {
		long millis = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(n).toEpochMilli();
		String hex = "%012x70008000%012x".formatted(millis, n);
		return hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
	}

	private Result measure(String name, Criteria criteria, @Nullable String before) {
		JdbcJobSearch search = new JdbcJobSearch(this.stores.database);
		TableReads reads = new TableReads(this.jdbc);
		long scans = reads.count().scans();
		double[] times = new double[REPETITIONS];
		Result result = search.search(criteria, before, 50);
		for (int i = 0; i < REPETITIONS; i++) {
			long start = System.nanoTime();
			result = search.search(criteria, before, 50);
			times[i] = (System.nanoTime() - start) / 1e6;
		}
		Arrays.sort(times);
		String found = "%s: %d%s".formatted(name, result.jobs().size(), result.complete() ? "" : ", not complete");
		this.measured.put(found,
				new double[] { times[REPETITIONS / 2], times[(int) (REPETITIONS * 0.95)], times[REPETITIONS - 1] });
		assertThat(reads.count().scans() - scans).as("sequential scans by " + name).isZero();
		return result;
	}

}
