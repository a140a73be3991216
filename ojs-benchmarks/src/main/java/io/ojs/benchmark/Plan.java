package io.ojs.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.contender.Contenders.Uses;
import io.ojs.benchmark.contender.Way;
import io.ojs.benchmark.measure.Run;
import io.ojs.benchmark.measure.Scenario;
import io.ojs.benchmark.page.Profile;

/**
 * What is run, and in which order: all contenders do one thing before the next one comes,
 * so that those that are compared are minutes apart at most.
 */
final class Plan {

	/** The default of this project. */
	static final String QUEUE = "quorum";

	static final int SHORT_BACKLOG = 10_000;

	static final int LONG_BACKLOG = 200_000;

	static final int LONGEST_BACKLOG = 1_000_000;

	static final int COUNTED_JOBS = 100_000;

	/** Its target is about a few percent, so that one round says little. */
	static final int FINISHED_ROUNDS = 4;

	static final String OTHER_JAVA = "25";

	/** Who would take the better part of an hour over a long backlog. */
	private static final Set<Contenders> SLOW = EnumSet.of(Contenders.JOBRUNR, Contenders.DB_SCHEDULER,
			Contenders.QUARTZ, Contenders.JDBC, Contenders.RAW_JDBC);

	/** Whose backlog is worked as another one's is, or for minutes. */
	private static final Set<Contenders> NO_DRAIN = EnumSet.of(Contenders.SPRING_INVOKE, Contenders.QUARTZ);

	/** In no ratio of a target: one round is enough. */
	private static final Set<Contenders> FOR_REFERENCE = EnumSet.of(Contenders.OJS_DEFAULTS,
			Contenders.OJS_STORE_DEFAULTS, Contenders.QUARTZ, Contenders.JDBC, Contenders.JDBC_GROUPED,
			Contenders.RAW_JDBC);

	private static final List<Contenders> OURS = List.of(Contenders.OJS, Contenders.OJS_STORE);

	private final List<Run> runs = new ArrayList<>();

	private final Set<String> javas;

	private final double seconds;

	private Plan(Set<String> javas, double seconds) {
		this.javas = javas;
		this.seconds = seconds;
	}

	/**
	 * Everything.
	 * @param rounds how often
	 * @param seconds how long each part of a run takes, roughly
	 * @param javas the major versions of Java that there are
	 */
	static List<Run> full(int rounds, double seconds, Set<String> javas) {
		Plan plan = new Plan(javas, seconds);
		for (int round = 1; round <= rounds; round++) {
			plan.compared(round);
			plan.longer(round);
			if (round == 1) {
				plan.modes();
				plan.scale();
			}
		}
		for (int round = 1; round <= FINISHED_ROUNDS; round++) {
			plan.add(Scenario.FINISHED, Contenders.OJS_STORE, round, Scenario.FINISHED.backlogs(List.of()).get(0));
		}
		return List.copyOf(plan.runs);
	}

	/** The comparisons, once and briefly. */
	static List<Run> quick(double seconds, Set<String> javas) {
		Plan plan = new Plan(javas, seconds);
		plan.compared(1);
		return List.copyOf(plan.runs);
	}

	/** What is recorded of a profile. */
	static Run profile(Profile profile, double seconds, List<String> jvmOptions) {
		List<String> options = new ArrayList<>(jvmOptions);
		if (!profile.part().isEmpty()) {
			options.add("-D%s=%s".formatted(Scenario.ONLY, profile.part()));
		}
		int backlog = (profile.scenario() == Scenario.DRAIN) ? LONG_BACKLOG / 2 : 0;
		return new Run(profile.scenario(), profile.contender(), 1, QUEUE, own(), false, seconds, backlog, options);
	}

	private void compared(int round) {
		List<Contenders> all = Arrays.stream(Contenders.values())
			.filter((each) -> round == 1 || !FOR_REFERENCE.contains(each))
			.toList();
		for (Contenders contender : all) {
			add(Scenario.THROUGHPUT, contender, round, 0);
		}
		for (Contenders contender : Contenders.values()) {
			// A target is about the latency of the store with its defaults.
			if (contender.ways().contains(Way.SINGLE) && contender.survivesProcess()
					&& (all.contains(contender) || contender == Contenders.OJS_STORE_DEFAULTS)) {
				add(Scenario.LATENCY, contender, round, 0);
			}
		}
		for (Contenders contender : all) {
			if (!NO_DRAIN.contains(contender) && contender.survivesProcess()) {
				add(Scenario.DRAIN, contender, round, SHORT_BACKLOG);
			}
		}
	}

	/** For which there is no target. */
	private void modes() {
		for (Contenders contender : OURS) {
			mode(contender, "classic", own(), false);
			for (String java : new TreeSet<>(List.of(own(), OTHER_JAVA))) {
				mode(contender, QUEUE, java, false);
				mode(contender, QUEUE, java, true);
			}
		}
	}

	private void mode(Contenders contender, String queue, String java, boolean virtualThreads) {
		// Virtual threads came with Java 21.
		if (!this.javas.contains(java) || (virtualThreads && Integer.parseInt(java) < 21)
				|| (queue.equals(QUEUE) && java.equals(own()) && !virtualThreads)) {
			return;
		}
		for (Scenario scenario : List.of(Scenario.THROUGHPUT, Scenario.LATENCY)) {
			this.runs.add(new Run(scenario, contender, 1, queue, java, virtualThreads, this.seconds, 0, List.of()));
		}
	}

	private void longer(int round) {
		for (Contenders contender : Contenders.values()) {
			if (!NO_DRAIN.contains(contender) && !SLOW.contains(contender) && !FOR_REFERENCE.contains(contender)
					&& contender.survivesProcess()) {
				add(Scenario.DRAIN, contender, round, LONG_BACKLOG);
			}
		}
		for (Contenders contender : List.of(Contenders.OJS_STORE, Contenders.OJS_STORE_DELIVERY,
				Contenders.DB_SCHEDULER)) {
			add(Scenario.COST, contender, round, COUNTED_JOBS);
		}
	}

	/** What takes minutes, or compares within itself. Once is enough. */
	private void scale() {
		OURS.forEach((contender) -> add(Scenario.DRAIN, contender, 1, LONGEST_BACKLOG));
		for (Scenario scenario : List.of(Scenario.HEAP, Scenario.STARTUP, Scenario.IDLE)) {
			OURS.stream()
				.filter(scenario::suits)
				.forEach((contender) -> add(scenario, contender, 1, scenario.backlogs(List.of()).get(0)));
		}
	}

	private void add(Scenario scenario, Contenders contender, int round, int backlog) {
		this.runs.add(new Run(scenario, contender, round, QUEUE, own(), false, this.seconds, backlog, List.of()));
	}

	private static String own() {
		return String.valueOf(Runtime.version().feature());
	}

	/**
	 * About how many seconds a run takes on two cores, to tell how long there is to wait.
	 */
	static double expected(Run run) {
		double start = 6;
		return start + switch (run.scenario()) {
			case THROUGHPUT -> throughput(run);
			case LATENCY -> 30 * run.seconds() + start;
			case DRAIN -> 15 * run.seconds() + 10 + run.backlog() / pace(run.contender());
			case COST -> parts(run.contender()) * (15 * run.seconds() + 24 + run.backlog() / pace(run.contender()));
			case FINISHED -> 25 * run.seconds() + 100;
			case HEAP, STARTUP -> 60;
			case IDLE -> 75 * run.seconds() + 15;
			default -> 0;
		};
	}

	/** The first way has a longer warm-up than the others. */
	private static double throughput(Run run) {
		int parts = parts(run.contender());
		// Who polls takes seconds to notice any number of jobs.
		double least = (run.contender().leastJobs() > 200) ? 30 * parts : 0;
		return Math.max(least, run.seconds() * (11 + 4 * (parts - 1)) + 8 * parts);
	}

	private static int parts(Contenders contender) {
		return contender.ways().size() + (contender.ways().contains(Way.SINGLE) ? 1 : 0);
	}

	/** Jobs a second that are enqueued and then worked. */
	private static double pace(Contenders contender) {
		if (SLOW.contains(contender)) {
			return 1_000;
		}
		return (contender.uses() == Uses.BROKER) ? 8_000 : 3_000;
	}

	/** A run in a few words. */
	static String text(Run run) {
		return String.format(Locale.ROOT, "%s of %s%s, %s queue, Java %s%s, round %d",
				run.scenario().name().toLowerCase(Locale.ROOT), run.contender().title(),
				(run.backlog() > 0) ? ", %,d jobs".formatted(run.backlog()) : "", run.queueType(), run.java(),
				run.virtualThreads() ? " with virtual threads" : "", run.round());
	}

}
