package io.ojs.benchmark;

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.contender.Contenders.Uses;
import io.ojs.benchmark.contender.Way;
import io.ojs.benchmark.measure.Run;

/**
 * About how long runs take on two cores, to tell how long there is to wait. Compilers set
 * the pace of the first warm-up, so what has much code takes longer.
 */
final class Estimate {

	/** Applications of Spring Boot with all of this project. */
	private static final Set<Contenders> MUCH_CODE = EnumSet.of(Contenders.OJS, Contenders.OJS_STORE,
			Contenders.OJS_STORE_DELIVERY, Contenders.OJS_DEFAULTS, Contenders.OJS_STORE_DEFAULTS);

	/** Contenders that work one or two thousand jobs a second. */
	private static final Set<Contenders> SLOW = EnumSet.of(Contenders.JOBRUNR, Contenders.QUARTZ, Contenders.JDBC,
			Contenders.RAW_JDBC);

	private Estimate() {
	}

	/** In seconds. */
	static double of(Run run) {
		double part = run.seconds();
		boolean muchCode = MUCH_CODE.contains(run.contender());
		double start = muchCode ? 6 : 2;
		double warm = start + (muchCode ? Math.max(22, 5 * part) : 5 * part + 1);
		double further = 3 * part + 2;
		return switch (run.scenario()) {
			case THROUGHPUT -> throughput(run, warm + part + 1, further);
			// Two processes start and share the compilers' processors.
			case LATENCY -> 2 * start + warm + 9 * part + 3;
			// A shorter backlog is worked before, and what has been enqueued has to rest.
			case DRAIN -> warm + 12 + run.backlog() / pace(run.contender());
			case COST -> warm + 4 + (parts(run) - 1) * further + parts(run) * run.backlog() / pace(run.contender());
			case FINISHED -> warm + part + 1 + 5 * further + run.backlog() / 25_000.0;
			case HEAP -> 45;
			case STARTUP -> 120;
			case IDLE -> ((run.contender() == Contenders.OJS_STORE) ? 3 : 2) * 30 * part + 20;
			default -> 0;
		};
	}

	private static double throughput(Run run, double first, double further) {
		// A contender that polls takes seconds to notice any number of jobs.
		double least = (run.contender().leastJobs() > 200) ? 30.0 * parts(run) : 0;
		return Math.max(least, first + (parts(run) - 1) * further);
	}

	private static int parts(Run run) {
		if (!run.only().isEmpty()) {
			return run.only().size();
		}
		Set<Way> ways = run.contender().ways();
		return ways.size() + (ways.contains(Way.SINGLE) ? 1 : 0);
	}

	/** Jobs a second that are enqueued and then worked. */
	private static double pace(Contenders contender) {
		if (SLOW.contains(contender)) {
			return 1_500;
		}
		return (contender.uses() == Uses.BROKER) ? 7_000 : 4_000;
	}

	/** In seconds: JMH gives each benchmark a fixed time. */
	static double microBenchmarks(boolean quick) {
		return quick ? 30 : 180;
	}

	/**
	 * Runs as a table in Markdown, with the rounds and the minutes of each.
	 * @param runs the runs
	 * @param microBenchmarks the seconds of micro-benchmarks; 0 without any
	 * @return the table
	 */
	static String table(Collection<Run> runs, double microBenchmarks) {
		Map<String, double[]> rows = new LinkedHashMap<>();
		for (Run run : runs) {
			double[] row = rows.computeIfAbsent(kind(run), (none) -> new double[2]);
			row[0]++;
			row[1] += of(run);
		}
		if (microBenchmarks > 0) {
			rows.put("micro-benchmarks |  | ", new double[] { 1, microBenchmarks });
		}
		double[] all = new double[2];
		StringBuilder text = new StringBuilder("| scenario | contender | mode | rounds | minutes |\n")
			.append("| --- | --- | --- | --- | --- |\n");
		rows.forEach((kind, row) -> {
			all[0] += row[0];
			all[1] += row[1];
			text.append(line(kind, row));
		});
		return text.append(line("all |  | ", all)).toString();
	}

	private static String kind(Run run) {
		String scenario = run.scenario().name().toLowerCase(Locale.ROOT)
				+ ((run.backlog() > 0) ? String.format(Locale.ROOT, ", %,d", run.backlog()) : "");
		return "%s | %s | %s queue, Java %s%s".formatted(scenario, run.contender().title(), run.queueType(), run.java(),
				run.virtualThreads() ? ", virtual threads" : "");
	}

	private static String line(String kind, double[] row) {
		return String.format(Locale.ROOT, "| %s | %.0f | %.1f |%n", kind, row[0], row[1] / 60);
	}

}
