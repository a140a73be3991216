package io.ojs.benchmark.measure;

import io.ojs.benchmark.contender.Contender;

/** What is done with a contender. */
public enum Scenario {

	/** Jobs are enqueued in every way there is, while others work them. */
	THROUGHPUT(Throughput::new),

	/** Jobs are enqueued at a steady pace, by another process: {@link #PACE}. */
	LATENCY(Latency::new),

	/** Enqueues at a steady pace until it is told to end. */
	PACE(Pace::new),

	/** A backlog is worked off. */
	DRAIN(Drain::new);

	private final Procedure procedure;

	Scenario(Procedure procedure) {
		this.procedure = procedure;
	}

	void run(Task task, Contender contender, Results results) throws Exception {
		this.procedure.start().run(task, contender, results);
	}

	/** Makes the steps of a scenario. */
	private interface Procedure {

		Steps start();

	}

	/** The steps of a scenario. */
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
