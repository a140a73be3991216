package io.ojs.deadletter.internal;

/**
 * The result of recording a dead letter that was found on the broker. The finder removes
 * the message, unless the result is {@link #REFUSED}.
 */
public enum Recorded {

	/**
	 * The store knew the job as one that had not ended; it is a dead letter now.
	 */
	DISCARDED,

	/** The store did not know the job, and keeps it as a dead letter. */
	ADOPTED,

	/**
	 * The job had ended already, perhaps as this very dead letter, and may have been
	 * deleted. Nothing changed.
	 */
	ENDED,

	/**
	 * The job has been replayed since this message was published, or is in another queue.
	 * Nothing changed.
	 */
	OUTDATED,

	/**
	 * A worker has a valid lease on the job: it will record an outcome, or the lease will
	 * run out. Nothing changed.
	 */
	RUNNING,

	/**
	 * The message does not belong to the job that the store has under this id: its
	 * arguments, type or time of creation differ, or the job cannot have been at the
	 * broker. Or its type is reserved for the store. Nothing changed, and the finder
	 * keeps the message.
	 */
	REFUSED

}
