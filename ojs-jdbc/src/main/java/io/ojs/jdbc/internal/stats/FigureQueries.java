package io.ojs.jdbc.internal.stats;

/**
 * Queries for figures that differ between databases. Each begins with the names of all
 * queues or limits, and then reads a bounded number of rows for each.
 *
 * @param queues the queues with jobs that have not ended
 * @param someJobs some of their jobs by state; the parameter is how many are counted of
 * each queue
 * @param deadQueues the queues with dead letters
 * @param deadLetters their dead letters; the parameter is how many are counted of each
 * @param oldest since when the oldest available job of each queue and priority waits
 * @param limits the limits that jobs wait for, with the first job in line; the parameters
 * are the time since before which it waits, and how many limits to return
 * @param fresh the dead letters of each queue since the time that is the first parameter;
 * the second is how many are counted
 */
record FigureQueries(String queues, String someJobs, String deadQueues, String deadLetters, String oldest,
		String limits, String fresh) {

	/** How many queues, limits or priorities are looked at. */
	private static final int MOST = 5000;

	private static final String UNFINISHED = "ended_at is null";

	private static final String DEAD = "dead_lettered_at is not null";

	private static final String WAITING = "fetchable and blocked_by is null";

	private static final String BLOCKED = "blocked_by is not null";

	/** Reads all jobs in the order of the table, which is faster than queue by queue. */
	static final String ALL_JOBS = "select queue, state, blocked_by is not null as blocked, count(*) as jobs "
			+ "from ojs_job where " + UNFINISHED + " group by queue, state, blocked_by is not null";

	/** The columns of one count. */
	private static final String BY_STATE = "state, blocked_by is not null as blocked";

	static final FigureQueries POSTGRESQL = new FigureQueries(names("queue", UNFINISHED) + "select name from k",
			names("queue", UNFINISHED) + "select k.name as queue, c.state, c.blocked, c.jobs from k cross join lateral "
					+ "(select j.state, j.blocked, count(*) as jobs from (select " + BY_STATE
					+ " from ojs_job where queue = k.name and " + UNFINISHED
					+ " limit ?) j group by j.state, j.blocked) c",
			names("dead_letter_queue", DEAD) + "select name from k",
			names("dead_letter_queue", DEAD) + "select k.name as queue, c.jobs from k cross join lateral "
					+ "(select count(*) as jobs from (select 1 from ojs_job where dead_letter_queue = k.name and "
					+ DEAD + " order by dead_lettered_at limit ?) j) c",
			// The next priority of the same queue, or else the first one of the next
			// queue.
			"with recursive k (queue, priority) as ((select queue, priority from ojs_job where " + WAITING
					+ " order by queue, priority desc limit 1) union all select n.queue, n.priority from k "
					+ "cross join lateral (select * from ((select queue, priority from ojs_job where " + WAITING
					+ " and queue = k.queue and priority < k.priority order by queue, priority desc limit 1) union all "
					+ "(select queue, priority from ojs_job where " + WAITING
					+ " and queue > k.queue order by queue, priority desc limit 1)) u limit 1) n) "
					+ "select k.queue, o.enqueued_at from (select * from k limit " + MOST
					+ ") k cross join lateral (select enqueued_at from ojs_job where " + WAITING
					+ " and state = 'available' and queue = k.queue and priority = k.priority "
					+ "order by enqueued_at, id limit 1) o",
			names("blocked_by", BLOCKED)
					+ "select k.name as blocked_by, h.queue, h.enqueued_at from (select * from k limit " + MOST
					+ ") k cross join lateral (select queue, enqueued_at from ojs_job where blocked_by = k.name "
					+ "order by blocked_rank, priority desc, enqueued_at, id limit 1) h where h.enqueued_at < ? "
					+ "order by h.enqueued_at limit ?",
			names("dead_letter_queue", DEAD) + "select k.name as queue, c.jobs, c.first from k cross join lateral "
					+ "(select count(*) as jobs, min(j.dead_lettered_at) as first from (select dead_lettered_at "
					+ "from ojs_job where dead_letter_queue = k.name and dead_lettered_at >= ? "
					+ "order by dead_lettered_at limit ?) j) c where c.jobs > 0");

	static final FigureQueries H2 = new FigureQueries("select distinct queue as name from ojs_job where " + UNFINISHED,
			"select queue, state, blocked, count(*) as jobs from (select queue, " + BY_STATE
					+ ", row_number() over (partition by queue order by id) as place from ojs_job where " + UNFINISHED
					+ ") j where place <= ? group by queue, state, blocked",
			"select distinct dead_letter_queue as name from ojs_job where " + DEAD,
			"select queue, count(*) as jobs from (select dead_letter_queue as queue, row_number() over "
					+ "(partition by dead_letter_queue order by id) as place from ojs_job where " + DEAD
					+ ") j where place <= ? group by queue",
			"select queue, min(enqueued_at) as enqueued_at from ojs_job where " + WAITING
					+ " and state = 'available' group by queue",
			"select blocked_by, queue, enqueued_at from (select blocked_by, queue, enqueued_at, row_number() over "
					+ "(partition by blocked_by order by blocked_rank, priority desc, enqueued_at, id) as place "
					+ "from ojs_job where " + BLOCKED + ") j where place = 1 and enqueued_at < ? "
					+ "order by enqueued_at limit ?",
			"select queue, count(*) as jobs, min(dead_lettered_at) as first from (select dead_letter_queue as queue, "
					+ "dead_lettered_at, row_number() over (partition by dead_letter_queue order by dead_lettered_at) as place "
					+ "from ojs_job where dead_lettered_at >= ?) j where place <= ? group by queue");

	/** Goes from one name to the next, without reading all rows of each. */
	private static String names(String column, String which) {
		return ("with recursive k (name) as ((select %1$s from ojs_job where %2$s order by %1$s limit 1) union all "
				+ "select n.%1$s from k cross join lateral (select %1$s from ojs_job where %2$s and %1$s > k.name "
				+ "order by %1$s limit 1) n) ")
			.formatted(column, which);
	}

}
