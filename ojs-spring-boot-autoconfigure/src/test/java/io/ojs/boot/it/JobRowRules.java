package io.ojs.boot.it;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.json.JsonMapper;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What the rows of the job store have to be like, whoever has done whatever: the state of
 * a job says which columns there are.
 */
final class JobRowRules {

	/** What must not be there, by what it would mean. */
	private static final Map<String, String> BROKEN = new LinkedHashMap<>();

	static {
		BROKEN.put("state that does not exist",
				"state not in ('scheduled', 'available', 'pending', 'active', 'completed', 'retryable', 'cancelled', "
						+ "'discarded')");
		BROKEN.put("active without a run, or without an end of its lease",
				"state = 'active' and (lease_until is null or worker is null or started_at is null or attempt < 1 "
						+ "or run < 1)");
		BROKEN.put("lease without a run",
				"state <> 'active' and (lease_until is not null or timeout_at is not null or worker is not null "
						+ "or lease_ms is not null)");
		BROKEN.put("waits for a time that nobody knows", "state in ('scheduled', 'retryable') and due_at is null");
		BROKEN.put("waits for a time, and does not wait",
				"state not in ('scheduled', 'retryable') and due_at is not null");
		BROKEN.put("retryable without an attempt", "state = 'retryable' and (attempt < 1 or errors is null)");
		BROKEN.put("ended without a time, or never removed",
				"state in ('completed', 'cancelled', 'discarded') and (ended_at is null or prune_at is null)");
		BROKEN.put("not ended, with an end",
				"state not in ('completed', 'cancelled', 'discarded') and (ended_at is not null or prune_at is not null)");
		BROKEN.put("published though it has ended",
				"state in ('completed', 'cancelled', 'discarded', 'pending') and relay_at is not null");
		BROKEN.put("runs, and no process looks whether it is lost", "state = 'active' and relay_at is null");
		BROKEN.put("dead letter that is none", "(dead_lettered_at is null) <> (dead_letter_queue is null) "
				+ "or dead_lettered_at is not null and state <> 'discarded'");
		BROKEN.put("discarded without a reason", "state = 'discarded' and errors is null");
		BROKEN.put("waits for a limit or a turn, and does not wait",
				"(blocked_by is not null or awaits_turn is not null) and state <> 'available'");
		BROKEN.put("has a place, and neither runs nor was let through",
				"has_places and state <> 'active' and (state <> 'available' or blocked_until is null)");
		BROKEN.put("in line, and neither waits nor runs", "fetchable and state not in ('available', 'active')");
		BROKEN.put("ended as something else", "ended_as <> case when ended_at is null then '' else state end");
		BROKEN.put("available, and not in line", "state = 'available' and not fetchable");
		BROKEN.put("waits for a worker of its version, and does not wait",
				"worker_wait_until is not null and state <> 'available'");
		BROKEN.put("available, and nobody will come for it",
				"state = 'available' and relay_at is null and published_at is null and blocked_by is null "
						+ "and queue not in (select queue from ojs_fetched_queue) "
						+ "and queue not in (select name from ojs_queue where state <> 'active')");
		BROKEN.put("attempts beyond what it has", "attempt > max_attempts or attempt < 0 or max_attempts < 1");
		BROKEN.put("half a workflow", "(workflow_id is null) <> (workflow_step is null)");
		BROKEN.put("size of something else", "size_bytes < 1 or envelope is null");
	}

	private final JdbcTemplate jdbc;

	JobRowRules(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Rows that break a rule, with the rule. */
	Map<String, List<Map<String, Object>>> broken() {
		Map<String, List<Map<String, Object>>> found = new LinkedHashMap<>();
		BROKEN.forEach((meaning, condition) -> note(found, meaning,
				"select id, type, queue, state, attempt, max_attempts, run, due_at, relay_at, published_at, lease_until, "
						+ "worker, ended_at, prune_at, dead_lettered_at, blocked_by from ojs_job where " + condition));
		note(found, "workflow that has ended without a time, or has one and goes on",
				"select id, state, ended_at, prune_at from ojs_workflow where "
						+ "(state in ('completed', 'failed', 'cancelled')) <> (ended_at is not null) "
						+ "or (ended_at is null) <> (prune_at is null)");
		note(found, "worker in no state", "select id, state, directive from ojs_worker where state not in "
				+ "('running', 'quiet', 'terminate') or directive not in ('running', 'quiet', 'terminate')");
		note(found, "cron that is enabled and never fires",
				"select name, expression from ojs_cron where enabled and next_run_at is null");
		return found;
	}

	/** Ends of jobs that workflows have not been told. */
	int untold() {
		Integer count = this.jdbc.queryForObject("select count(*) from ojs_workflow_end", Integer.class);
		return (count != null) ? count : 0;
	}

	Map<String, Long> states() {
		return counts("select state, count(*) from ojs_job group by state order by state");
	}

	/** How often what has happened, to jobs too that are gone. */
	Map<String, Long> events() {
		Map<String, Long> counts = new TreeMap<>();
		this.jdbc.query("select events from ojs_event", (row) -> {
			JsonMapper.shared()
				.readTree(row.getString(1))
				.forEach((event) -> counts.merge(event.path("type").asString(), 1L, Long::sum));
		});
		return counts;
	}

	private Map<String, Long> counts(String query) {
		Map<String, Long> counts = new LinkedHashMap<>();
		this.jdbc.query(query, (row) -> {
			counts.put(row.getString(1), row.getLong(2));
		});
		return counts;
	}

	private void note(Map<String, List<Map<String, Object>>> found, String meaning, String query) {
		List<Map<String, Object>> rows = this.jdbc.queryForList(query + " fetch first 3 rows only");
		if (!rows.isEmpty()) {
			found.put(meaning, rows);
		}
	}

}
