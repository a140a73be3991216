package io.ojs.deadletter;

/**
 * What became of a dead letter that was found outside the store. The store has the job,
 * and the finder need not keep the letter, unless it is {@link #REFUSED}.
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
	RUNNING,

	/**
	 * The letter is not of the job that the store has under this id: its arguments, type
	 * or time of creation differ, or the job cannot have been at the broker. Or only the
	 * store itself has jobs of this type. Nothing changed, and the finder keeps it.
	 */
	REFUSED

}
