package io.ojs.benchmark.measure;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.ojs.benchmark.contender.Contender;
import io.ojs.benchmark.contender.Contenders;

/** What is done with a contender. */
public enum Scenario {

	/** Jobs are enqueued in every way there is, while others work them. */
	THROUGHPUT(with(Throughput::new)),

	/** Jobs are enqueued at a steady pace, by another process: {@link #PACE}. */
	LATENCY(with(Latency::new)),

	/** Enqueues at a steady pace until it is told to end. */
	PACE(with(Pace::new)),

	/** A backlog is worked off. */
	DRAIN(with(Drain::new), 10_000, EnumSet.allOf(Contenders.class)),

	/** As many jobs are enqueued and worked, and the CPU time counted. */
	COST(with(Cost::new), 100_000, EnumSet.allOf(Contenders.class)),

	/** Jobs are enqueued and worked beside finished ones; those are the backlog. */
	FINISHED(with(Finished::new), 2_000_000, EnumSet.of(Contenders.OJS_STORE)),

	/** A backlog is scheduled, and no worker holds it. */
	HEAP(new Heap(), 100_000, EnumSet.of(Contenders.OJS_STORE)),

	/** The smallest application starts, and the one with plain Spring AMQP. */
	STARTUP(new Startup(), 0, EnumSet.of(Contenders.OJS)),

	/** A backlog waits for its time, and nothing else happens. */
	IDLE(new Idle(), 10_000, EnumSet.of(Contenders.OJS, Contenders.OJS_STORE));

	/** System property that names the only ways of enqueueing to measure. */
	static final String ONLY = "ojs.benchmark.only";

	private final Procedure procedure;

	/** 0 for those that have none. */
	private final int backlog;

	private final Set<Contenders> contenders;

	Scenario(Procedure procedure) {
		this(procedure, 0, EnumSet.allOf(Contenders.class));
	}

	Scenario(Procedure procedure, int backlog, Set<Contenders> contenders) {
		this.procedure = procedure;
		this.backlog = backlog;
		this.contenders = contenders;
	}

	private static Procedure with(Supplier<Steps> steps) {
		return (task, results) -> {
			try (Contender contender = task.contender().open(task.site())) {
				steps.get().run(task, contender, results);
			}
		};
	}

	/**
	 * Whether it can be done with a contender.
	 * @param contender the contender
	 * @return whether it shows anything
	 */
	public boolean suits(Contenders contender) {
		return this.contenders.contains(contender);
	}

	/**
	 * The sizes to do it with.
	 * @param wanted backlogs that were asked for
	 * @return those, or its own one if there are none; 0 if it has no use for any
	 */
	public List<Integer> backlogs(List<Integer> wanted) {
		return (this.backlog == 0 || wanted.isEmpty()) ? List.of(this.backlog) : wanted;
	}

	void run(Task task, Results results) throws Exception {
		this.procedure.run(task, results);
	}

	/** A scenario that starts by itself whatever it needs. */
	interface Procedure {

		/**
		 * Does it.
		 * @param task what there is to do
		 * @param results takes what was seen
		 * @throws Exception if it cannot be done
		 */
		void run(Task task, Results results) throws Exception;

	}

	/** The steps of a scenario that needs a contender. */
	interface Steps {

		/**
		 * Does it.
		 * @param task what there is to do
		 * @param contender who is measured, ready to enqueue
		 * @param results takes what was seen
		 * @throws Exception if it cannot be done
		 */
		void run(Task task, Contender contender, Results results) throws Exception;

	}

}
