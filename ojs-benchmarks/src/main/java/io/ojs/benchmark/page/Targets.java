package io.ojs.benchmark.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Measurement;
import io.ojs.benchmark.measure.Scenario;
import io.ojs.benchmark.page.Target.Bound;
import org.jspecify.annotations.Nullable;

/** All that is to be reached. */
final class Targets {

	private static final String OJS = "OJS";

	private static final String STORE = "OJS_STORE";

	private static final String SPRING = "SPRING";

	private static final String JOBRUNR = "JOBRUNR";

	private static final String DB_SCHEDULER = "DB_SCHEDULER";

	private static final String TIMES = "×";

	private static final String MILLIS = "ms";

	private static final String PER_MINUTE = "s a minute";

	private static final String RATE = "rate";

	private static final String ENQUEUE_RATE = "enqueue.rate";

	private static final Profile BULK = Profile.throughput(Contenders.OJS, "bulk");

	private static final Profile SINGLE = Profile.throughput(Contenders.OJS, "single");

	private static final Profile ASYNC = Profile.throughput(Contenders.OJS, "async");

	private static final Profile LATENCY = Profile.of(Contenders.OJS, Scenario.LATENCY);

	private static final Profile DRAIN = Profile.of(Contenders.OJS, Scenario.DRAIN);

	private static final Profile STARTUP = Profile.of(Contenders.OJS, Scenario.STARTUP);

	private static final Profile STORE_BULK = Profile.throughput(Contenders.OJS_STORE, "bulk");

	private static final Profile STORE_THREADS = Profile.throughput(Contenders.OJS_STORE, "threads");

	private static final Profile STORE_LATENCY = Profile.of(Contenders.OJS_STORE, Scenario.LATENCY);

	private static final Profile STORE_DRAIN = Profile.of(Contenders.OJS_STORE, Scenario.DRAIN);

	private final List<Target> all = new ArrayList<>();

	private Targets() {
	}

	/** All of them, in the order in which they are told. */
	static List<Target> all() {
		Targets targets = new Targets();
		targets.broker();
		targets.store();
		targets.backlogs();
		targets.scale();
		return List.copyOf(targets.all);
	}

	private void broker() {
		String way = "broker only, `enqueueAll` to acked, against ";
		atLeast(2.5, "bulk-spring", way + "Spring AMQP with correlated confirms", BULK,
				ratio("bulk", RATE, OJS, SPRING));
		atLeast(1.4, "bulk-invoke", way + "Spring AMQP with `invoke`", BULK, ratio("bulk", RATE, OJS, "SPRING_INVOKE"));
		atLeast(0.75, "bulk-raw", way + "the raw client", BULK, ratio("bulk", RATE, OJS, "RAW"));
		atLeast(1, "single-spring", "broker only, `enqueue` one by one, against Spring AMQP one by one", SINGLE,
				ratio("single", ENQUEUE_RATE, OJS, SPRING));
		atLeast(4, "async-spring", "broker only, `enqueueAsync`, against Spring AMQP one by one", ASYNC,
				(all) -> all.series("async", OJS, ENQUEUE_RATE).over(all.series("single", SPRING, ENQUEUE_RATE)));
		atMost(0.3, MILLIS, "latency-p50", "broker only, latency more than that of the raw client, p50", LATENCY,
				added("p50"));
		atMost(2, MILLIS, "latency-p99", "broker only, latency more than that of the raw client, p99", LATENCY,
				added("p99"));
	}

	private void store() {
		String way = "with the store, `enqueueAll` to completed, against ";
		atLeast(4, "store-bulk-jobrunr", way + "JobRunr in bulk", STORE_BULK, ratio("bulk", RATE, STORE, JOBRUNR));
		atLeast(1.1, "store-bulk-by-hand", way + "raw client and grouped JDBC by hand", STORE_BULK,
				ratio("bulk", RATE, STORE, "RAW_JDBC_GROUPED"));
		String threads = "with the store, single jobs from 16 threads to completed, against ";
		atLeast(3, "store-threads-jobrunr", threads + "JobRunr", STORE_THREADS, ratio("threads", RATE, STORE, JOBRUNR));
		atLeast(2, "store-threads-db-scheduler", threads + "db-scheduler", STORE_THREADS,
				ratio("threads", RATE, STORE, DB_SCHEDULER));
		atMost(2, MILLIS, "store-latency-p50", "with the store, latency across two processes, p50", STORE_LATENCY,
				(all) -> all.series("latency", STORE, "p50"));
		atMost(10, MILLIS, "store-latency-p99", "with the store, latency across two processes, p99", STORE_LATENCY,
				(all) -> all.series("latency", STORE, "p99"));
		atMost(0.4, TIMES, "store-cost-jobrunr", "with the store, CPU time for 100,000 jobs, against JobRunr",
				STORE_BULK, (all) -> cost(all, STORE).over(cost(all, JOBRUNR)));
	}

	private void backlogs() {
		atLeast(1.5, "drain-db-scheduler", "with the store, drain of 10,000 jobs, against db-scheduler", STORE_DRAIN,
				(all) -> all.drain(STORE, 10_000, RATE).over(all.drain(DB_SCHEDULER, 10_000, RATE)));
		atLeast(1.2, "drain-spring", "broker only, drain of 10,000 jobs, against Spring AMQP", DRAIN,
				(all) -> all.drain(OJS, 10_000, RATE).over(all.drain(SPRING, 10_000, RATE)));
		atLeast(1.2, "drain-spring-200k", "broker only, drain of 200,000 jobs, against Spring AMQP", DRAIN,
				(all) -> all.drain(OJS, 200_000, RATE).over(all.drain(SPRING, 200_000, RATE)));
		atLeast(0.9, "backlog", "broker only, drain of 1,000,000 jobs, against 10,000", DRAIN, backlog(OJS));
		atLeast(0.8, "store-backlog", "with the store, drain of 1,000,000 jobs, against 10,000", STORE_DRAIN,
				backlog(STORE));
	}

	private void scale() {
		atLeast(0.9, "finished", "with the store, in bulk, beside 2,000,000 finished rows, against none", STORE_BULK,
				finished(RATE));
		atLeast(0.9, "finished-single", "with the store, one by one, beside 2,000,000 finished rows, against none",
				Profile.throughput(Contenders.OJS_STORE, "single"), finished("rate.single"));
		// No objects: less than ten bytes for each.
		atMost(1, "MB", "heap", "with the store, heap held for 100,000 scheduled jobs", null,
				(all) -> scaled(all, "heap", STORE, "bytes.per.100k", 100_000, Map.of()).map((bytes) -> bytes / 1e6));
		atMost(400, MILLIS, "startup", "start of the smallest application, more than with plain Spring AMQP", STARTUP,
				(all) -> all.series("startup", OJS, "ms").minus(all.series("startup", SPRING, "ms")));
		atMost(30, "MB", "startup-memory", "memory of the smallest application, more than with plain Spring AMQP", null,
				(all) -> all.series("startup", OJS, "rss.mb").minus(all.series("startup", SPRING, "rss.mb")));
		// Half a percent of a core is what such a clock does not tell from nothing.
		atMost(0.3, PER_MINUTE, "idle-delayed", "broker only, CPU time for 10,000 idle delayed jobs", null,
				idle(OJS, "delayed"));
		atMost(0.3, PER_MINUTE, "idle-scheduled", "with the store, CPU time for 10,000 idle scheduled jobs", null,
				idle(STORE, "scheduled"));
		atMost(0.3, PER_MINUTE, "idle-cron", "with the store, CPU time for 10,000 idle crons", null,
				idle(STORE, "cron"));
	}

	private static Function<Measurements, Series> ratio(String scenario, String figure, String ours, String theirs) {
		return (all) -> all.series(scenario, ours, figure).over(all.series(scenario, theirs, figure));
	}

	private static Function<Measurements, Series> finished(String figure) {
		return (all) -> scaled(all, "finished", STORE, figure, 2_000_000, Map.of("finished", "2000000"))
			.over(scaled(all, "finished", STORE, figure, 2_000_000, Map.of("finished", "0")));
	}

	/** What all processes use with entries more than without. */
	private static Function<Measurements, Series> idle(String contender, String entries) {
		return (all) -> idle(all, contender, entries).minus(idle(all, contender, "none"));
	}

	private static Series idle(Measurements all, String contender, String entries) {
		return Stream.of("cpu.jvm", "cpu.broker", "cpu.database")
			.map((figure) -> scaled(all, "idle", contender, figure, 10_000, Map.of("entries", entries)))
			.reduce(Series::plus)
			.orElse(Series.NONE);
	}

	private static Series scaled(Measurements all, String scenario, String contender, String figure, int backlog,
			Map<String, String> more) {
		Map<String, String> settings = all.base().with("backlog", String.valueOf(backlog));
		settings.putAll(more);
		return all.series(scenario, contender, figure, settings);
	}

	private static Function<Measurements, Series> added(String percentile) {
		return (all) -> all.series("latency", OJS, percentile).minus(all.series("latency", "RAW", percentile));
	}

	private static Function<Measurements, Series> backlog(String contender) {
		return (all) -> all.drain(contender, 1_000_000, RATE).over(all.drain(contender, 10_000, RATE));
	}

	/**
	 * CPU seconds of all processes, enqueueing included, over as many jobs as the target
	 * says at least.
	 */
	private static Series cost(Measurements all, String contender) {
		return all.of("cost")
			.stream()
			.map(Measurement::settings)
			.filter((settings) -> Long.parseLong(settings.getOrDefault("backlog", "0")) >= 100_000
					&& settings.getOrDefault("way", "bulk").equals("bulk"))
			.findFirst()
			.map((settings) -> all.series("cost", contender, "cpu.all", settings))
			.orElse(Series.NONE);
	}

	private void atLeast(double limit, String key, String text, Profile profile,
			Function<Measurements, Series> reached) {
		this.all.add(new Target(key, text, Bound.AT_LEAST, limit, TIMES, profile, reached));
	}

	private void atMost(double limit, String unit, String key, String text, @Nullable Profile profile,
			Function<Measurements, Series> reached) {
		this.all.add(new Target(key, text, Bound.AT_MOST, limit, unit, profile, reached));
	}

}
