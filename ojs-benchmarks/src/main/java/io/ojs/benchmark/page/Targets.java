package io.ojs.benchmark.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Scenario;
import io.ojs.benchmark.page.Target.Bound;
import org.jspecify.annotations.Nullable;

/** All that is to be reached. */
final class Targets {

	private static final String OJS = "OJS";

	private static final String STORE = "OJS_STORE";

	private static final String STORE_DELIVERY = "OJS_STORE_DELIVERY";

	private static final String STORE_DEFAULTS = "OJS_STORE_DEFAULTS";

	private static final String SPRING = "SPRING";

	private static final String JOBRUNR = "JOBRUNR";

	private static final String DB_SCHEDULER = "DB_SCHEDULER";

	private static final String TIMES = "×";

	private static final String MILLIS = "ms";

	private static final String RATE = "rate";

	private static final Profile BULK = Profile.throughput(Contenders.OJS, "bulk");

	private static final Profile SINGLE = Profile.throughput(Contenders.OJS, "single");

	private static final Profile THREADS = Profile.throughput(Contenders.OJS, "threads");

	private static final Profile DRAIN = Profile.of(Contenders.OJS, Scenario.DRAIN);

	private static final Profile STARTUP = Profile.of(Contenders.OJS, Scenario.STARTUP);

	private static final Profile STORE_BULK = Profile.throughput(Contenders.OJS_STORE, "bulk");

	private static final Profile STORE_SINGLE = Profile.throughput(Contenders.OJS_STORE, "single");

	private static final Profile STORE_THREADS = Profile.throughput(Contenders.OJS_STORE, "threads");

	private static final Profile STORE_LATENCY = Profile.of(Contenders.OJS_STORE_DEFAULTS, Scenario.LATENCY);

	private final List<Target> all = new ArrayList<>();

	private Targets() {
	}

	/** All of them, in the order in which they are told. */
	static List<Target> all() {
		Targets targets = new Targets();
		targets.broker();
		targets.store();
		targets.deliveryByStore();
		targets.scale();
		return List.copyOf(targets.all);
	}

	private void broker() {
		String bulk = "broker only, in bulk, against ";
		atLeast(0.95, "bulk-raw", bulk + "the raw client with the same messages", BULK,
				ratio("bulk", RATE, OJS, "RAW_OJS"));
		because("The JVM makes, checks, encodes, decodes and reports each job; and the broker takes more CPU "
				+ "time for messages that reach it in smaller groups.");
		atLeast(3, "bulk-spring", bulk + "Spring AMQP with correlated confirms", BULK,
				ratio("bulk", RATE, OJS, SPRING));
		because("Three times as fast would leave less CPU time for a job than the broker alone takes for its "
				+ "message.");
		atLeast(0.8, "bulk-invoke", bulk + "Spring AMQP with `invoke`", BULK,
				ratio("bulk", RATE, OJS, "SPRING_INVOKE"));
		because("A job has an envelope, headers and properties of about 700 bytes, as the binding has it; there "
				+ "the messages are 200 bytes long.");
		atLeast(1, "drain-spring", "broker only, drain of 200,000 jobs, against Spring AMQP", DRAIN,
				(all) -> all.drain(OJS, 200_000, RATE).over(all.drain(SPRING, 200_000, RATE)));
		atLeast(1, "single-spring", "broker only, one by one, against Spring AMQP", SINGLE,
				ratio("single", RATE, OJS, SPRING));
		atLeast(1, "threads-spring", "broker only, 16 threads, against Spring AMQP", THREADS,
				ratio("threads", RATE, OJS, SPRING));
	}

	private void store() {
		String bulk = "with the store, in bulk, against ";
		String threads = "with the store, 16 threads, against ";
		atLeast(1.1, "store-bulk-db-scheduler", bulk + "db-scheduler", STORE_BULK,
				ratio("bulk", RATE, STORE, DB_SCHEDULER));
		because("Each job is a message besides: the broker takes as much CPU time as the database, on the same "
				+ "two cores. Without messages, see `delivery=store`.");
		atLeast(1.1, "store-threads-db-scheduler", threads + "db-scheduler", STORE_THREADS,
				ratio("threads", RATE, STORE, DB_SCHEDULER));
		because("As in bulk: each job is a message besides. The rounds are on both sides of the limit.");
		atLeast(0.7, "store-single-db-scheduler", "with the store, one by one, against db-scheduler", STORE_SINGLE,
				ratio("single", RATE, STORE, DB_SCHEDULER));
		because("Each job is committed twice and written to disk by a quorum queue besides, one after the other. "
				+ "Without messages, see `delivery=store`.");
		atLeast(3, "store-bulk-jobrunr", bulk + "JobRunr", STORE_BULK, ratio("bulk", RATE, STORE, JOBRUNR));
		atLeast(3, "store-threads-jobrunr", threads + "JobRunr", STORE_THREADS, ratio("threads", RATE, STORE, JOBRUNR));
		because("As in bulk: broker, database and JVM share two cores. The rounds differ by a factor of two.");
		// No flame graph shows what the database does.
		atMost(0.4, TIMES, "store-cost-db-scheduler",
				"with the store, CPU time of the database for 100,000 jobs in bulk, against db-scheduler", null,
				(all) -> cost(all, STORE, "cpu.database").over(cost(all, DB_SCHEDULER, "cpu.database")));
		because("A job is a row that stays, with its indexes and an event, updated at its start and at its end; "
				+ "there a row is inserted, updated and deleted.");
		// A job is claimed once here, and its end moves it in an index: never HOT.
		this.all.add(new Target("store-hot", "with the store, claims that are HOT updates", Bound.AT_LEAST, 90, "%",
				null, (all) -> cost(all, STORE, "db.updated.hot").map((share) -> 100 * share), null));
		because("A job that waits for more than six seconds is noted as published, and its claim then changes an "
				+ "index. Half of these 100,000 wait for longer: they are enqueued three times as fast as they "
				+ "run.");
		atMost(2, MILLIS, "store-latency-p50", "with the store and default settings, latency across two processes, p50",
				STORE_LATENCY, (all) -> all.series("latency", STORE_DEFAULTS, "p50"));
		atMost(8, MILLIS, "store-latency-p99", "with the store and default settings, latency across two processes, p99",
				STORE_LATENCY, (all) -> all.series("latency", STORE_DEFAULTS, "p99"));
	}

	private void deliveryByStore() {
		String with = "with the store and `delivery=store`, ";
		String against = ", against db-scheduler";
		atLeast(1.8, "store-delivery-bulk", with + "in bulk" + against,
				Profile.throughput(Contenders.OJS_STORE_DELIVERY, "bulk"),
				ratio("bulk", RATE, STORE_DELIVERY, DB_SCHEDULER));
		atLeast(1.8, "store-delivery-drain", with + "drain of 10,000 jobs" + against,
				Profile.of(Contenders.OJS_STORE_DELIVERY, Scenario.DRAIN),
				(all) -> all.drain(STORE_DELIVERY, 10_000, RATE).over(all.drain(DB_SCHEDULER, 10_000, RATE)));
		atLeast(1.3, "store-delivery-threads", with + "16 threads" + against,
				Profile.throughput(Contenders.OJS_STORE_DELIVERY, "threads"),
				ratio("threads", RATE, STORE_DELIVERY, DB_SCHEDULER));
		atLeast(1, "store-delivery-single", with + "one by one" + against,
				Profile.throughput(Contenders.OJS_STORE_DELIVERY, "single"),
				ratio("single", RATE, STORE_DELIVERY, DB_SCHEDULER));
		because("Either waits for its commits most of the time. What is more is CPU time of the JVM, for checks, "
				+ "encoding and reports; the rounds are on both sides of the limit.");
	}

	private void scale() {
		atLeast(0.97, "finished", "with the store, in bulk, beside 2,000,000 finished rows, against none", STORE_BULK,
				finished(RATE));
		atLeast(0.97, "finished-single", "with the store, one by one, beside 2,000,000 finished rows, against none",
				STORE_SINGLE, finished("rate.single"));
		atMost(350, MILLIS, "startup", "start of the smallest application, more than with plain Spring AMQP", STARTUP,
				startup("ms"));
		because("CPU time of classes: about 1,200 more are loaded, half of them Jackson's, which the other "
				+ "application does not have.");
		atMost(12, "MB", "startup-memory",
				"memory of the smallest application after a full collection, more than with plain Spring AMQP", null,
				startup("collected.mb"));
		because("Classes, their names and their code, and 2 to 3 MB of heap: those of Jackson, of the library "
				+ "and of its configuration.");
	}

	private static Function<Measurements, Series> ratio(String scenario, String figure, String ours, String theirs) {
		return (all) -> all.series(scenario, ours, figure).over(all.series(scenario, theirs, figure));
	}

	private static Function<Measurements, Series> finished(String figure) {
		return (all) -> scaled(all, "finished", STORE, figure, 2_000_000, Map.of("finished", "2000000"))
			.over(scaled(all, "finished", STORE, figure, 2_000_000, Map.of("finished", "0")));
	}

	private static Function<Measurements, Series> startup(String figure) {
		return (all) -> all.series("startup", OJS, figure).minus(all.series("startup", SPRING, figure));
	}

	private static Series cost(Measurements all, String contender, String figure) {
		return scaled(all, "cost", contender, figure, 100_000, Map.of("way", "bulk"));
	}

	private static Series scaled(Measurements all, String scenario, String contender, String figure, int backlog,
			Map<String, String> more) {
		Map<String, String> settings = all.base().with("backlog", String.valueOf(backlog));
		settings.putAll(more);
		return all.series(scenario, contender, figure, settings);
	}

	/** Says what stands in the way of the target that was added last. */
	private void because(String why) {
		this.all.add(this.all.remove(this.all.size() - 1).because(why));
	}

	private void atLeast(double limit, String key, String text, Profile profile,
			Function<Measurements, Series> reached) {
		this.all.add(new Target(key, text, Bound.AT_LEAST, limit, TIMES, profile, reached, null));
	}

	private void atMost(double limit, String unit, String key, String text, @Nullable Profile profile,
			Function<Measurements, Series> reached) {
		this.all.add(new Target(key, text, Bound.AT_MOST, limit, unit, profile, reached, null));
	}

}
