package io.ojs.worker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.ojs.fetch.FetchedQueues;
import io.ojs.store.attempt.Reaper;

/**
 * Ends runs of fetched jobs when their leases or their time are over: at once as long as
 * there are workers that fetch, and seldom otherwise.
 */
public final class RunWatch {

	private final FetchedQueues fetched;

	private final RunTimeouts timeouts;

	private final Reaper reaper;

	private final Duration interval;

	private final Clock clock;

	private Instant checked = Instant.MIN;

	/**
	 * Creates it.
	 * @param fetched knows whether there are workers that fetch
	 * @param timeouts ends what takes too long
	 * @param reaper takes back what was lost
	 * @param interval how often to look if nobody fetches
	 * @param clock tells the time
	 */
	public RunWatch(FetchedQueues fetched, RunTimeouts timeouts, Reaper reaper, Duration interval, Clock clock) {
		this.fetched = fetched;
		this.timeouts = timeouts;
		this.reaper = reaper;
		this.interval = interval;
		this.clock = clock;
	}

	/**
	 * Looks, if it is time to. To be called often, by one thread at a time.
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
