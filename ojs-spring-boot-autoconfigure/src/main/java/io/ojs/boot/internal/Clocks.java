package io.ojs.boot.internal;

import java.time.Clock;

import io.ojs.store.internal.StoreClock;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Which clock a bean uses.
 */
public final class Clocks {

	/**
	 * Name of the clock of the job store. It is no candidate for an application that
	 * injects a {@link Clock}.
	 */
	public static final String STORE = "ojsStoreClock";

	private Clocks() {
	}

	/**
	 * The clock of the store, if there is one: processes compare times, so they must not
	 * depend on their own clocks.
	 */
	public static Clock of(ObjectProvider<StoreClock> ofStore, ObjectProvider<Clock> clock) {
		StoreClock shared = ofStore.getIfAvailable();
		return (shared != null) ? shared : of(clock);
	}

	/** The application's clock, if it has exactly one, or else the system's. */
	public static Clock of(ObjectProvider<Clock> clock) {
		return clock.getIfUnique(Clock::systemUTC);
	}

}
