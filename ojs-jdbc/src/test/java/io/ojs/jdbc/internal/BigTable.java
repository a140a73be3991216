package io.ojs.jdbc.internal;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Many jobs in PostgreSQL, most of which have ended.
 */
final class BigTable {

	private static final String FILL = """
			insert into ojs_job (id, type, queue, state, priority, attempt, max_attempts, run, size_bytes, created_at,
				enqueued_at, scheduled_at, started_at, ended_at, due_at, relay_at, published_at, lease_until,
				dead_lettered_at, dead_letter_queue, prune_at, worker, error_type, error_hash, errors, unique_key, fetchable, ended_as, envelope)
			select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'email.send', 'q' || n % 20, state,
				n % 5, 1, 3, 1, 200, at, at, case when state = 'scheduled' then at + interval '30 days' end, at,
				case when state in ('completed', 'discarded') then at end,
				case when state = 'scheduled' then at + interval '30 days' end,
				case when state = 'scheduled' then at + interval '30 days'
					when state = 'available' and n % 10 = 0 or state = 'active' then now() + interval '1 hour' end,
				at, case when state = 'active' then now() + interval '1 hour' end,
				case when state = 'discarded' then at end, case when state = 'discarded' then 'q' || n % 20 end,
				case when state in ('completed', 'discarded') then at + interval '30 days' end,
				'worker', case when state = 'discarded' then 'java.net.Error' || n / 20 % 7 end,
				case when state = 'discarded' then lpad(to_hex(n / 20 % 40), 16, '0') end,
				case when state = 'discarded' then '[{"type":"java.net.Error","code":"HANDLER_ERROR","message":"' || n
					|| '","attempt":3,"occurred_at":"2026-03-15T12:00:00Z"}]' end, case when n % 10 = 0 then lpad(to_hex(n % 1000), 64, '0') end,
				state = 'available', case when state in ('completed', 'discarded') then state else '' end,
				'{"specversion":"1.0","id":"00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0')
					|| '","type":"email.send","queue":"mail","args":["' || repeat('x', 100) || '"]}'
			from (select n, now() - n * interval '1 second' as at,
				case when n > :ended then (array['scheduled', 'available', 'available', 'available', 'active'])[n % 5 + 1]
					when n % 20 = 0 then 'discarded' else 'completed' end as state
				from generate_series(1, :all) n) s
			""";

	private BigTable() {
	}

	/** Fills the table. */
	static void fill(JdbcTemplate jdbc, int ended, int waiting) {
		fillOnly(jdbc, ended, waiting);
		jdbc.execute("vacuum analyze ojs_job");
	}

	/** Fills the table and leaves the server without statistics. */
	static void fillOnly(JdbcTemplate jdbc, int ended, int waiting) {
		jdbc.execute("set synchronous_commit = off");
		jdbc.execute(FILL.replace(":ended", String.valueOf(ended)).replace(":all", String.valueOf(ended + waiting)));
	}

	/** The id of the n-th job. */
	static String id(int n) {
		return "00000000-0000-7000-8000-%012x".formatted(n);
	}

}
