package io.ojs.deadletter;

/**
 * What became of a dead letter that was found outside the store. Whichever it is, the
 * store has the job, and whoever found it need not keep it.
 */
public enum Recorded {

	/**
	 * The store knew the job and thought that it was still to be run: a dead letter now.
	 */
	DISCARDED,

	/** The store did not know the job: kept as a dead letter. */
	ADOPTED,

	/**
	 * The job had ended already, perhaps as this very dead letter, or had ended and was
	 * deleted: nothing changed.
	 */
	ENDED,

	/**
	 * The job has been replayed since this one was published, or is in another queue:
	 * nothing changed.
	 */
	OUTDATED,

	/**
	 * Somebody has a lease on the job and decides what becomes of it, or the lease runs
	 * out: nothing changed.
	 */
	RUNNING

}
