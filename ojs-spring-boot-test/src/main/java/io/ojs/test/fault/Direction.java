package io.ojs.test.fault;

/**
 * Which way bytes go through a {@link FaultProxy}.
 */
public enum Direction {

	/** From the application to the broker. */
	TO_BROKER,

	/** From the broker to the application. */
	FROM_BROKER,

	/** Both ways. */
	BOTH;

	boolean includes(Direction single) {
		return this == BOTH || this == single;
	}

}
