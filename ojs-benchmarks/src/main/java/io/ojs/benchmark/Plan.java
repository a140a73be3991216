package io.ojs.benchmark;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Run;
import io.ojs.benchmark.measure.Scenario;
import io.ojs.benchmark.page.Profile;

import static io.ojs.benchmark.Turn.compared;

/**
 * What is run, and in which order. Contenders that a target compares run one after the
 * other in each round, so that they are minutes apart at most. Contenders that only a
 * table has follow them in the first round.
 */
final class Plan {

	/** The default of this project. */
	static final String QUEUE = "quorum";

	static final String OTHER_JAVA = "25";

	private static final int SHORT_BACKLOG = 10_000;

	private static final int LONG_BACKLOG = 200_000;

	private static final int COUNTED_JOBS = 100_000;

	private static final int FINISHED_ROWS = 2_000_000;

	/** Of many jobs, the full run counts what those in bulk cost. */
	private static final List<String> COUNTED_WAYS = List.of("bulk");

	/** What the table of modes has. */
	private static final List<String> WAYS_OF_MODES = List.of("bulk", "threads");

	private static final List<Contenders> OURS = List.of(Contenders.OJS, Contenders.OJS_STORE);

	private static final List<Turn> TURNS = List.of(
			new Turn(Scenario.THROUGHPUT, 0,
					List.of(compared(Contenders.OJS, "bulk", "single", "threads"), compared(Contenders.RAW_OJS, "bulk"),
							compared(Contenders.SPRING, "bulk", "single", "threads"),
							compared(Contenders.SPRING_INVOKE, "bulk")),
					List.of(Contenders.RAW, Contenders.OJS_DEFAULTS)),
			new Turn(Scenario.THROUGHPUT, 0,
					List.of(compared(Contenders.OJS_STORE, "bulk", "single", "threads"),
							compared(Contenders.OJS_STORE_DELIVERY, "bulk", "single", "threads"),
							compared(Contenders.DB_SCHEDULER, "bulk", "single", "threads"),
							compared(Contenders.JOBRUNR, "bulk", "threads")),
					List.of(Contenders.OJS_STORE_DEFAULTS, Contenders.QUARTZ, Contenders.JDBC, Contenders.JDBC_GROUPED,
							Contenders.RAW_JDBC, Contenders.RAW_JDBC_GROUPED)),
			new Turn(Scenario.LATENCY, 0, List.of(compared(Contenders.OJS_STORE_DEFAULTS)),
					List.of(Contenders.OJS_STORE, Contenders.OJS_STORE_DELIVERY, Contenders.JOBRUNR,
							Contenders.DB_SCHEDULER, Contenders.QUARTZ, Contenders.OJS, Contenders.RAW,
							Contenders.SPRING)),
			new Turn(Scenario.DRAIN, SHORT_BACKLOG,
					List.of(compared(Contenders.OJS_STORE_DELIVERY), compared(Contenders.DB_SCHEDULER)),
					List.of(Contenders.OJS_STORE, Contenders.JOBRUNR)),
			new Turn(Scenario.DRAIN, LONG_BACKLOG, List.of(compared(Contenders.OJS), compared(Contenders.SPRING)),
					List.of(Contenders.RAW, Contenders.OJS_STORE)),
			new Turn(Scenario.COST, COUNTED_JOBS,
					List.of(compared(Contenders.OJS_STORE), compared(Contenders.DB_SCHEDULER)),
					List.of(Contenders.OJS_STORE_DELIVERY)),
			new Turn(Scenario.FINISHED, FINISHED_ROWS, List.of(compared(Contenders.OJS_STORE)), List.of()),
			// A start is one of five already.
			new Turn(Scenario.STARTUP, 0, List.of(), List.of(Contenders.OJS)));

	private final List<Run> runs = new ArrayList<>();

	private final Set<String> javas;

	private final double seconds;

	private Plan(Set<String> javas, double seconds) {
		this.javas = javas;
		this.seconds = seconds;
	}

	/**
	 * All that the page has a target or a table for.
	 * @param rounds how often what is compared runs
	 * @param seconds how long each part of a run takes, roughly
	 * @param javas the major versions of Java that there are
	 */
	static List<Run> full(int rounds, double seconds, Set<String> javas) {
		Plan plan = new Plan(javas, seconds);
		for (int round = 1; round <= rounds; round++) {
			for (Turn turn : TURNS) {
				plan.add(turn, round);
			}
			if (round == 1) {
				plan.modes();
			}
		}
		return List.copyOf(plan.runs);
	}

	/** The comparisons, once and briefly. */
	static List<Run> quick(double seconds, Set<String> javas) {
		Plan plan = new Plan(javas, seconds);
		TURNS.stream()
			.filter((turn) -> turn.scenario() == Scenario.THROUGHPUT || turn.scenario() == Scenario.LATENCY
					|| turn.backlog() == SHORT_BACKLOG)
			.forEach((turn) -> plan.add(turn, 1));
		return List.copyOf(plan.runs);
	}

	/**
	 * What is left of a plan of which a part is done. A comparison that was interrupted
	 * is left as a whole, since contenders that are compared run minutes apart at most.
	 * @param plan the plan
	 * @param done whether a run is done
	 */
	static List<Run> left(List<Run> plan, Predicate<Run> done) {
		Set<Object> open = plan.stream()
			.filter(done.negate())
			.map(Plan::comparison)
			.collect(Collectors.toCollection(HashSet::new));
		return plan.stream().filter((run) -> open.contains(comparison(run))).toList();
	}

	/** The turn and the round of a run that is compared; the run itself otherwise. */
	private static Object comparison(Run run) {
		boolean usual = run.queueType().equals(QUEUE) && run.java().equals(own()) && !run.virtualThreads();
		for (Turn turn : TURNS) {
			if (usual && turn.compares(run)) {
				return List.of(TURNS.indexOf(turn), run.round());
			}
		}
		return run;
	}

	/** What is recorded of a profile. */
	static Run profile(Profile profile, double seconds, List<String> jvmOptions) {
		int backlog = (profile.scenario() == Scenario.DRAIN) ? LONG_BACKLOG / 2 : 0;
		List<String> only = profile.part().isEmpty() ? List.of() : List.of(profile.part());
		return new Run(profile.scenario(), profile.contender(), 1, QUEUE, own(), false, seconds, backlog, only,
				jvmOptions);
	}

	private void add(Turn turn, int round) {
		for (Turn.Compared each : turn.compared()) {
			// The tables have all ways, once.
			add(turn, each.contender(), round, (round == 1) ? List.of() : each.ways());
		}
		if (round == 1) {
			turn.once().forEach((contender) -> add(turn, contender, round, List.of()));
		}
	}

	private void add(Turn turn, Contenders contender, int round, List<String> ways) {
		add(turn.scenario(), contender, round, turn.backlog(),
				(turn.scenario() == Scenario.COST) ? COUNTED_WAYS : ways);
	}

	private void add(Scenario scenario, Contenders contender, int round, int backlog, List<String> only) {
		this.runs.add(new Run(scenario, contender, round, QUEUE, own(), false, this.seconds, backlog, only, List.of()));
	}

	/** No target is about them. */
	private void modes() {
		for (Contenders contender : OURS) {
			mode(Scenario.THROUGHPUT, contender, "classic", own(), false);
			mode(Scenario.LATENCY, contender, "classic", own(), false);
			for (String java : new TreeSet<>(List.of(own(), OTHER_JAVA))) {
				mode(Scenario.THROUGHPUT, contender, QUEUE, java, false);
				mode(Scenario.THROUGHPUT, contender, QUEUE, java, true);
			}
		}
	}

	private void mode(Scenario scenario, Contenders contender, String queue, String java, boolean virtualThreads) {
		// Virtual threads came with Java 21.
		if (!this.javas.contains(java) || (virtualThreads && Integer.parseInt(java) < 21)
				|| (queue.equals(QUEUE) && java.equals(own()) && !virtualThreads)) {
			return;
		}
		this.runs.add(new Run(scenario, contender, 1, queue, java, virtualThreads, this.seconds, 0,
				(scenario == Scenario.THROUGHPUT) ? WAYS_OF_MODES : List.of(), List.of()));
	}

	private static String own() {
		return String.valueOf(Runtime.version().feature());
	}

	/** What tells whether a run is done: all that its figures depend on. */
	static String key(Run run) {
		return "%s, %s s%s".formatted(text(run), run.seconds(),
				run.jvmOptions().isEmpty() ? "" : ", " + String.join(" ", run.jvmOptions()));
	}

	/** A run in a few words. */
	static String text(Run run) {
		return String.format(Locale.ROOT, "%s of %s%s%s, %s queue, Java %s%s, round %d",
				run.scenario().name().toLowerCase(Locale.ROOT), run.contender().title(),
				run.only().isEmpty() ? "" : " (" + String.join(", ", run.only()) + ")",
				(run.backlog() > 0) ? ", %,d jobs".formatted(run.backlog()) : "", run.queueType(), run.java(),
				run.virtualThreads() ? " with virtual threads" : "", run.round());
	}

}
