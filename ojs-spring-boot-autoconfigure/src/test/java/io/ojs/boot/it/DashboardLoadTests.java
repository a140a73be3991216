package io.ojs.boot.it;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each page of the dashboard asks of a server with 2,000,000 ended, 100,000 waiting
 * and 100,000 dead jobs in PostgreSQL: every call is answered, and none reads the table
 * of jobs from one end to the other. Prints the times of each page; a page makes its
 * calls at the same time.
 */
@Tag("costs")
class DashboardLoadTests extends BrokerTest {

	private static final int ENDED = Integer.getInteger("ojs.test.ended", 2_000_000);

	private static final int ROUNDS = Integer.getInteger("ojs.test.rounds", 40);

	/**
	 * A job a second until now. Of the ended ones, one in 20 is a dead letter; the newest
	 * 100,000 wait.
	 */
	private static final String JOBS = """
			insert into ojs_job (id, type, queue, state, priority, attempt, max_attempts, run, size_bytes, created_at,
				enqueued_at, started_at, ended_at, due_at, relay_at, published_at, prune_at, dead_lettered_at,
				dead_letter_queue, tenant, worker, error_type, error_hash, errors, fetchable, ended_as, envelope)
			select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8000'
					|| lpad(to_hex(n), 12, '0'))::uuid,
				'email.send' || n % 40, 'q' || n % 20, state, n % 5, 1, 3, 1, 200, at, at,
				case when state in ('completed', 'discarded', 'active') then at end,
				case when state in ('completed', 'discarded') then at end,
				case when state in ('scheduled', 'retryable') then at + interval '30 days' end,
				case when state = 'available' then now() + interval '5 minutes' when state = 'active' then now() + interval '1 day'
					when state in ('scheduled', 'retryable') then at + interval '30 days' end,
				case when state = 'available' then at end,
				case when state = 'completed' then at + interval '90 days' end,
				case when state = 'discarded' then at end, case when state = 'discarded' then 'q' || n % 20 end,
				case when n % 1000 = 3 then 'acme' when n % 2 = 0 then 'large' end,
				case when state = 'active' then 'process-1' end,
				case when state in ('discarded', 'retryable') then 'io.ojs.Error' || n % 3 end,
				case when state = 'discarded' then lpad(to_hex(n % 50), 16, '0') end,
				case when state in ('discarded', 'retryable') then '[{"type":"io.ojs.Error","code":"HANDLER_ERROR",'
					|| '"message":"Connection timed out","attempt":1,"occurred_at":"2026-01-01T00:00:00Z","backtrace":["'
					|| repeat('io.ojs.Frame ', 60) || '"]}]' end,
				state = 'available', case when state in ('completed', 'discarded') then state else '' end,
				'{"specversion":"1.0","id":"' || (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000'
					|| '8000' || lpad(to_hex(n), 12, '0'))::uuid || '","type":"email.send' || n % 40 || '","queue":"q' || n % 20
					|| '","args":["' || repeat('x', 100) || '"]}'
			from (select n, now() - (:all - n) * interval '1 second' as at,
				case when n > :ended then case when n % 5000 = 1 then 'active' when n % 5 = 0 then 'scheduled'
						when n % 50 = 2 then 'retryable' else 'available' end
					when n % 20 = 0 then 'discarded' else 'completed' end as state
				from generate_series(1, :all) n) s
			""";

	private static final String LABELS = """
			insert into ojs_job_label (label, job_id)
			select case when n % 4 = 0 then '#many' else 'customer=' || n % 100000 end, id
			from (select id, row_number() over (order by id) as n from ojs_job) j where n % 2 = 0
			on conflict do nothing
			""";

	private static final String MINUTES = """
			insert into ojs_minute (step_seconds, began_at, process, queue, type, tenant, completed, retried, discarded,
				cancelled, run_times, wait_times)
			select step, to_timestamp(floor(extract(epoch from now()) / step) * step - n * step), 'process-' || p, 'q' || q,
				'email.send' || q, '', 50, 2, 1, 0, '', ''
			from (values (60, 1440), (600, 1008), (3600, 168)) s (step, steps), generate_series(0, steps - 1) n,
				generate_series(1, 4) p, generate_series(0, 19) q
			""";

	private static final String EVENTS = """
			insert into ojs_event (source, occurred_at, events)
			select 'ojs://load', now() - (1000000 - n) * interval '500 milliseconds', '[{"id":"evt_' || n
				|| '","type":"job.completed","subject":"' || gen_random_uuid() || '","queue":"q' || n % 20
				|| '","data":"{\\"attempt\\":1}"}]'
			from generate_series(1, 1000000) n
			""";

	/** Before a call that a tenant makes, which has half of the jobs. */
	private static final String OF_TENANT = "tenant ";

	private static final List<String> TABLES = List.of("ojs_job", "ojs_job_label", "ojs_event", "ojs_minute");

	private final HttpClient client = HttpClient.newHttpClient();

	private final Map<String, double[]> measured = new LinkedHashMap<>();

	@Test
	void eachPageIsAnsweredWithoutReadingAllJobs() throws Exception {
		try (PostgresDatabase database = StoreDatabases.create();
				Application application = application()
					.database(database.url(), database.username(), database.password())
					.property("ojs.store.labels", "customer")
					.property("ojs.tenancy.enabled", true)
					.property("ojs.tenancy.required", false)
					.http()
					.start()) {
			JdbcTemplate jdbc = new JdbcTemplate(
					new SingleConnectionDataSource(database.url(), database.username(), database.password(), true));
			fill(jdbc);
			for (int i = 0; i < 20; i++) {
				application.post("/ojs/v1/queues", "{\"name\":\"q%d\"}".formatted(i));
			}
			Map<String, List<String>> pages = pages(jdbc);
			pages.values().forEach((calls) -> calls.forEach((call) -> {
				for (int i = 0; i < 6; i++) {
					call(application.port(), call);
				}
			}));
			long before = sequentialScans(jdbc);
			long began = System.nanoTime();
			pages.forEach((page, calls) -> measure(application.port(), page, calls));
			long scans = sequentialScans(jdbc) - before;
			print(Duration.ofNanos(System.nanoTime() - began));
			assertThat(scans).as("sequential scans of ojs_job").isZero();
		}
	}

	private static void fill(JdbcTemplate jdbc) {
		jdbc.execute("set synchronous_commit = off");
		jdbc.execute(JOBS.replace(":ended", String.valueOf(ENDED)).replace(":all", String.valueOf(ENDED + 100_000)));
		jdbc.execute(LABELS);
		jdbc.execute(MINUTES);
		jdbc.execute(EVENTS);
		TABLES.forEach((table) -> jdbc.execute("vacuum analyze " + table));
	}

	private static long sequentialScans(JdbcTemplate jdbc) {
		jdbc.execute("select pg_stat_clear_snapshot()");
		return Objects.requireNonNull(
				jdbc.queryForObject("select seq_scan from pg_stat_user_tables where relname = 'ojs_job'", Long.class));
	}

	/** The calls of each page, as its module in the dashboard makes them. */
	private static Map<String, List<String>> pages(JdbcTemplate jdbc) {
		String hour = "since=" + Instant.now().minus(Duration.ofHours(1)) + "&step=60";
		String week = "since=" + Instant.now().minus(Duration.ofDays(7)) + "&step=3600";
		Map<String, List<String>> pages = new LinkedHashMap<>();
		pages.put("overview", List.of("stats?by=none&" + hour, "stats?by=queue&" + hour, "depths", "attention"));
		pages.put("overview, 7 days",
				List.of("stats?by=none&" + week, "stats?by=queue&" + hour, "depths", "attention"));
		pages.put("queues", List.of("depths", "stats?by=queue&" + hour));
		pages.put("queue",
				List.of("depths", "queues/q7/config", "queues/q7/config/layers", "stats?by=none&queue=q7&" + hour,
						"stats?by=type&queue=q7&" + hour,
						"jobs?queue=q7&state=available,scheduled,retryable,pending&limit=200"));
		String middle = jdbc.queryForObject("select id::text from ojs_job order by id offset " + ENDED / 2 + " limit 1",
				String.class);
		for (String filter : List.of("", "queue=q7", "type=email.send7", "type=email.*", "state=active",
				"state=discarded", "state=available,scheduled,pending,retryable", "label=" + escaped("#many"),
				"label=" + escaped("customer=4711"), "error=" + escaped("timed out"), "error=nothing", "type=none",
				"tenant=acme", "queue=q7&state=active", "id=019", "label=" + escaped("customer=47*"),
				"worker=process-1", "cursor=" + middle)) {
			pages.put("jobs" + (filter.isEmpty() ? "" : ", " + filter), List.of("jobs?limit=50&" + filter));
		}
		for (String state : List.of("completed", "discarded", "available", "scheduled", "active")) {
			String id = jdbc.queryForObject("select id::text from ojs_job where state = ? order by id desc limit 1",
					String.class, state);
			pages.put("job, " + state, List.of("jobs/" + id, "jobs/" + id + "/why", "jobs/" + id + "/timeline"));
		}
		for (String filter : List.of("", "queue=q0", "type=email.send20", "type=email.*", "error_type=io.ojs.Error1",
				"error_hash=000000000000000a", "since=" + Instant.now().minus(Duration.ofDays(1)))) {
			pages.put("dead letters" + (filter.isEmpty() ? "" : ", " + filter),
					List.of("dead-letter?limit=50&total=false&" + filter, "dead-letter/facets?" + filter));
		}
		pages.put("workflows", List.of("workflows"));
		pages.put("crons", List.of("cron?runs=10"));
		pages.put("operations", List.of("operations"));
		pages.put("workers", List.of("admin/workers?per_page=100"));
		pages.put("limits", List.of("rate-limits"));
		pages.put("broker", List.of("broker"));
		pages.put("tenants", List.of("admin/tenants?view=unfinished&limit=100"));
		pages.put("tenant",
				List.of("admin/tenants?view=unfinished&limit=100", "admin/tenants/large/stats?view=unfinished"));
		pages.put("overview of a tenant",
				List.of(OF_TENANT + "stats?by=none&" + hour, OF_TENANT + "stats?by=queue&" + hour));
		pages.put("queue of a tenant",
				List.of(OF_TENANT + "queues/q8/stats?view=state", OF_TENANT + "stats?by=none&queue=q8&" + hour,
						OF_TENANT + "stats?by=type&queue=q8&" + hour,
						OF_TENANT + "jobs?queue=q8&state=available,scheduled,retryable,pending&limit=200"));
		for (String filter : List.of("", "queue=q8", "state=active", "error=nothing")) {
			pages.put("jobs of a tenant, " + filter, List.of(OF_TENANT + "jobs?limit=50&" + filter));
		}
		for (String filter : List.of("", "queue=q0", "type=email.*")) {
			pages.put("dead letters of a tenant, " + filter,
					List.of(OF_TENANT + "dead-letter?limit=50&total=false&" + filter,
							OF_TENANT + "dead-letter/facets?" + filter));
		}
		return pages;
	}

	private static String escaped(String value) {
		return URLEncoder.encode(value, StandardCharsets.UTF_8);
	}

	private void measure(int port, String page, List<String> calls) {
		double[] millis = new double[ROUNDS];
		for (int round = 0; round < ROUNDS; round++) {
			long began = System.nanoTime();
			List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
			calls.forEach((call) -> answers
				.add(this.client.sendAsync(request(port, call), HttpResponse.BodyHandlers.ofString())));
			answers.forEach((answer) -> assertThat(answer.join().statusCode()).as(page).isEqualTo(200));
			millis[round] = (System.nanoTime() - began) / 1e6;
		}
		Arrays.sort(millis);
		this.measured.put(page, millis);
	}

	private void call(int port, String call) {
		try {
			HttpResponse<String> answer = this.client.send(request(port, call), HttpResponse.BodyHandlers.ofString());
			assertThat(answer.statusCode()).as(call + ": " + answer.body()).isEqualTo(200);
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static HttpRequest request(int port, String call) {
		boolean ofTenant = call.startsWith(OF_TENANT);
		HttpRequest.Builder request = HttpRequest.newBuilder(URI
			.create("http://localhost:" + port + "/ojs/v1/" + (ofTenant ? call.substring(OF_TENANT.length()) : call)));
		return (ofTenant ? request.header("X-OJS-Tenant", "large") : request).build();
	}

	private void print(Duration took) {
		System.out.printf("%-60s %8s %8s %8s  (%d rounds each, %d s)%n", "page", "p50 ms", "p95 ms", "max ms", ROUNDS,
				took.toSeconds());
		this.measured.forEach((page, millis) -> System.out.printf("%-60s %8.1f %8.1f %8.1f%n", page, millis[ROUNDS / 2],
				millis[Math.min(ROUNDS - 1, (int) Math.ceil(ROUNDS * 0.95) - 1)], millis[ROUNDS - 1]));
	}

}
