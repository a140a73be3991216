package io.ojs.benchmark.contender;

/** A way of enqueueing. */
public enum Way {

	/** Many in one call. */
	BULK,

	/** One, and waiting until it is safe. */
	SINGLE,

	/** One after the other, without waiting in between. */
	ASYNC

}
