package io.ojs.store.internal;

import java.time.Duration;

import io.ojs.internal.log.SafeLogger;
import io.ojs.retry.internal.Backoff;
import org.slf4j.Logger;

/**
 * Logs when a repeated failure begins and when it ends, and returns growing pauses
 * between the tries.
 */
final class Outage {

	private static final Logger logger = SafeLogger.of(Outage.class);

	private final String what;

	private final Backoff backoff;

	private int failures;

	Outage(String what) {
		this(what, Duration.ofSeconds(15));
	}

	Outage(String what, Duration longest) {
		this.what = what;
		this.backoff = new Backoff(Duration.ofSeconds(1), longest);
	}

	/** Records a failure and returns the pause before the next try. */
	Duration pause(Throwable failure) {
		this.failures++;
		if (this.failures == 1) {
			logger.warn("{}. This is tried again until it succeeds", this.what, failure);
		}
		else {
			logger.debug("{}", this.what, failure);
		}
		return this.backoff.after(this.failures);
	}

	/** Records a success. */
	void over() {
		if (this.failures > 0) {
			logger.info("{}: this is over, after {} failures", this.what, this.failures);
			this.failures = 0;
		}
	}

}
