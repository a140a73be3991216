package io.ojs.test.internal.fault;

/**
 * The direction of bytes through a {@link FaultProxy}.
 */
public enum Direction {

	/** From the application to the broker. */
	TO_BROKER,

	/** From the broker to the application. */
	FROM_BROKER,

	/** Both directions. */
	BOTH;

	boolean includes(Direction single) {
		return this == BOTH || this == single;
	}

}
