package io.ojs.benchmark.contender;

import java.util.List;

/**
 * What a contender is set to where it matters for speed, and why. Contenders take their
 * values from here, so the page shows what was measured.
 *
 * @param contender who
 * @param name the setting
 * @param value its value
 * @param reason where it comes from: what the documentation of the contender says
 */
public record Setting(String contender, String name, String value, String reason) {

	static final int CONSUMERS = 4;

	static final int PREFETCH = 250;

	/** As many as there are messages without a confirm at most: each has a channel. */
	static final int SPRING_CHANNELS = 1_000;

	static final int SPRING_MESSAGES_PER_ACK = 1;

	static final int STORE_CONCURRENCY = 48;

	static final int STORE_PREFETCH = 20;

	static final String STORE_DELIVERY = "store";

	static final int DB_SCHEDULER_THREADS = 16;

	static final double DB_SCHEDULER_LOWER = 1.0;

	static final double DB_SCHEDULER_UPPER = 4.0;

	static final int DB_SCHEDULER_POLL_MILLIS = 100;

	static final int JOBRUNR_WORKERS = 16;

	static final int JOBRUNR_POLL_SECONDS = 5;

	static final int QUARTZ_THREADS = 16;

	static final int QUARTZ_IDLE_MILLIS = 1_000;

	private static final String AS_SPRING = "as Spring AMQP and the raw client, so that they are compared";

	/**
	 * All of them, in the order of contenders.
	 * @return the settings
	 */
	public static List<Setting> all() {
		return List.of(of("OJS, default settings", "all", "defaults", "what a user gets who configures nothing"),
				of("OJS, broker only", "`concurrency`, `prefetch`", CONSUMERS + ", " + PREFETCH, AS_SPRING),
				of("OJS, job store", "`concurrency`, `prefetch`", STORE_CONCURRENCY + ", " + STORE_PREFETCH,
						"jobs that end together are recorded together"),
				of("OJS, job store, delivery=store", "`ojs.queue-defaults.delivery`", STORE_DELIVERY,
						"workers fetch jobs from the database, without messages; all else as OJS, job store"),
				of("raw amqp-client", "consumers, prefetch", CONSUMERS + ", " + PREFETCH,
						"as Spring AMQP; each message is acked by itself, calls with many wait for their confirms once"),
				of("Spring AMQP", "consumers, prefetch", CONSUMERS + ", " + PREFETCH,
						"250 is the default, which \"should keep consumers busy in most common scenarios\"; "
								+ "consumers are twice the cores, and more were not tried"),
				of("Spring AMQP", "`batchSize`", String.valueOf(SPRING_MESSAGES_PER_ACK),
						"the default: an ack for each message, as OJS and the raw client have it. More reduces "
								+ "acks and repeats more jobs after a failure"),
				of("Spring AMQP", "`channelCacheSize`", String.valueOf(SPRING_CHANNELS),
						"its reference: increase the 25 if channels are created and closed at a high rate, "
								+ "which correlated confirms in bulk do"),
				of("Spring AMQP", "confirms", "correlated; simple for `invoke`",
						"its reference: correlation for single messages, scoped operations for many on one channel"),
				of("Spring AMQP", "`usePublisherConnection`", "true",
						"its reference: consumers are not held up when the broker blocks publishers"),
				of("JobRunr", "workers", String.valueOf(JOBRUNR_WORKERS),
						"the default on two cores: eight threads for each"),
				of("JobRunr", "poll interval", JOBRUNR_POLL_SECONDS + " s",
						"the shortest that it accepts; 15 s by default. An idle worker fetches without waiting for it"),
				of("JobRunr", "many jobs", "a stream in one call", "its documentation: saved in batches"),
				of("db-scheduler", "`pollUsingLockAndFetch`", DB_SCHEDULER_LOWER + ", " + DB_SCHEDULER_UPPER,
						"its README: lock-and-fetch above 1,000 executions a second, and these limits \"for high "
								+ "throughput (i.e. keep threads busy)\"; 0.5, 1.0 for normal usage"),
				of("db-scheduler", "`threads`", String.valueOf(DB_SCHEDULER_THREADS),
						"10 by default; its own benchmark had 20 on machines with two cores"),
				of("db-scheduler", "`pollingInterval`", DB_SCHEDULER_POLL_MILLIS + " ms",
						"10 s by default; what another process schedules is found by polling alone"),
				of("db-scheduler", "`enableImmediateExecution`", "true",
						"its README: what is scheduled for now is executed without waiting for a poll"),
				of("db-scheduler", "priorities", "off, without their column and index", "the default"),
				of("Quartz", "threads, batch", String.valueOf(QUARTZ_THREADS),
						"its reference: as many triggers in a batch as threads, acquired within a lock"),
				of("Quartz", "`idleWaitTime`", QUARTZ_IDLE_MILLIS + " ms", "the shortest that it accepts"));
	}

	private static Setting of(String contender, String name, String value, String reason) {
		return new Setting(contender, name, value, reason);
	}

}
