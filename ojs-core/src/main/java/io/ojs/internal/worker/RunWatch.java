package io.ojs.internal.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.ojs.internal.fetch.FetchedQueues;
import io.ojs.store.internal.attempt.Reaper;

/**
 * Ends fetched runs whose lease or timeout is over: at every check while HTTP workers
 * fetch, and at an interval otherwise.
 */
public final class RunWatch {

	private final FetchedQueues fetched;

	private final RunTimeouts timeouts;

	private final Reaper reaper;

	private final Duration interval;

	private final Clock clock;

	private Instant checked = Instant.MIN;

	/**
	 * Creates the watch.
	 * @param fetched knows whether HTTP workers fetch
	 * @param interval how often to check if no HTTP worker fetches
	 */
	public RunWatch(FetchedQueues fetched, RunTimeouts timeouts, Reaper reaper, Duration interval, Clock clock) {
		this.fetched = fetched;
		this.timeouts = timeouts;
		this.reaper = reaper;
		this.interval = interval;
		this.clock = clock;
	}

	/**
	 * Checks the runs, if it is time to. To be called often, by one thread at a time.
	 */
	public void check() {
		Instant now = this.clock.instant();
		boolean used = this.fetched.isUsed();
		if (used) {
			this.reaper.reap();
		}
		if (used || !this.checked.plus(this.interval).isAfter(now)) {
			this.timeouts.check();
			this.checked = now;
		}
	}

}
