package io.ojs.store;

import java.time.Duration;

import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Tells of a failure that goes on once when it begins and once when it is over, and gives
 * whoever tries again a pause that grows.
 */
final class Outage {

	private static final Logger logger = SafeLogger.of(Outage.class);

	private static final int LONGEST_PAUSE_SECONDS = 15;

	private final String what;

	private final Duration longest;

	private int failures;

	Outage(String what) {
		this(what, Duration.ofSeconds(LONGEST_PAUSE_SECONDS));
	}

	Outage(String what, Duration longest) {
		this.what = what;
		this.longest = longest;
	}

	/** It failed. */
	Duration pause(Throwable failure) {
		this.failures++;
		if (this.failures == 1) {
			logger.warn("{}, and tries again until it can", this.what, failure);
		}
		else {
			logger.debug("{}", this.what, failure);
		}
		return Poller
			.jittered(Duration.ofSeconds(Math.min(1L << Math.min(this.failures - 1, 4), this.longest.toSeconds())));
	}

	/** It did not fail. */
	void over() {
		if (this.failures > 0) {
			logger.info("{}: this is over, after {} failures", this.what, this.failures);
			this.failures = 0;
		}
	}

}
