package io.ojs.cron.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.ojs.cron.CronRequest;
import io.ojs.internal.log.SafeLogger;
import io.ojs.retry.internal.Backoff;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.Poller;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Fires crons in time: it sleeps until the next one is due. Any number of schedulers can
 * run at the same time, on many instances.
 */
public final class CronScheduler implements AutoCloseable {

	/** The default of the longest sleep. */
	public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(5);

	private static final Logger logger = SafeLogger.of(CronScheduler.class);

	/** The pause if a cron is due that another transaction has locked. */
	private static final Duration SHORT_SLEEP = Duration.ofMillis(100);

	/** How often to look for waiting runs that can be released. */
	private static final Duration RELEASE_INTERVAL = Duration.ofSeconds(1);

	private final CronStore store;

	private final CronFiring firing;

	private final StoreCronJobs crons;

	private final Clock clock;

	private final Duration pollInterval;

	/** When to try again the crons that could not be fired, by name. */
	private final Map<String, Instant> failed = new HashMap<>();

	private final Poller poller = new Poller("ojs-cron", "Crons cannot be fired", this::round);

	private volatile @Nullable Runnable declaration;

	/**
	 * Creates a scheduler.
	 * @param crons wakes the scheduler after a change
	 * @param pollInterval the longest sleep, after which a cron that another process has
	 * registered is seen
	 */
	public CronScheduler(CronStore store, CronFiring firing, StoreCronJobs crons, Clock clock, Duration pollInterval) {
		this.store = store;
		this.firing = firing;
		this.crons = crons;
		this.clock = clock;
		this.pollInterval = pollInterval;
	}

	/**
	 * Registers the crons that an application declares, and starts to fire. If the
	 * database is away, the crons are registered as soon as it is back.
	 */
	public void start(String application, Collection<CronRequest> requests) {
		this.crons.onChange(this::wake);
		List<CronRequest> declared = List.copyOf(requests);
		this.declaration = () -> this.crons.declare(application, declared);
		try {
			declare();
		}
		catch (StoreUnavailableException ex) {
			logger.debug("What '{}' declares is registered when the job store is back", application, ex);
		}
		this.poller.start();
	}

	private void declare() {
		Runnable toDo = this.declaration;
		if (toDo != null) {
			toDo.run();
			this.declaration = null;
		}
	}

	/**
	 * Starts the next round at once. Does not wait.
	 */
	public void wake() {
		this.poller.wake();
	}

	private Duration round() {
		declare();
		return fire();
	}

	/**
	 * Fires all crons that are due, as the scheduler's thread does. To be called by one
	 * thread at a time, such as that of a test with its own clock.
	 * @return the pause before the next call
	 * @throws StoreException if the database fails; crons stay due
	 */
	public Duration fire() {
		Instant now = this.clock.instant();
		Set<String> again = new HashSet<>(this.failed.keySet());
		again.removeIf((name) -> this.failed.get(name).isAfter(now));
		this.failed.keySet().removeAll(again);
		boolean more = true;
		while (more && !this.poller.isStopped()) {
			more = fireNext(now, again);
		}
		while (!this.poller.isStopped() && this.firing.releaseNext().isPresent()) {
			logger.debug("A run waits no longer for those before it");
		}
		return untilNext();
	}

	/**
	 * Fires one cron. A cron that cannot be fired does not delay others: it is tried
	 * again later.
	 */
	private boolean fireNext(Instant now, Set<String> again) {
		Set<String> except = new HashSet<>(this.failed.keySet());
		try {
			return this.firing.fireNext(except).isPresent();
		}
		catch (StoreUnavailableException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			except.removeAll(this.failed.keySet());
			if (except.isEmpty()) {
				throw ex;
			}
			for (String name : except) {
				this.failed.put(name, now.plus(this.pollInterval));
				if (!again.contains(name)) {
					logger.warn("Cron '{}' could not be fired, and is tried again every {}", name, this.pollInterval,
							ex);
				}
			}
			return true;
		}
	}

	private Duration untilNext() {
		Duration longest = this.store.hasWaiting() ? Collections.min(List.of(RELEASE_INTERVAL, this.pollInterval))
				: this.pollInterval;
		Instant now = this.clock.instant();
		Duration until = Stream.concat(this.store.nextAt(this.failed.keySet()).stream(), this.failed.values().stream())
			.min(Comparator.naturalOrder())
			.map((next) -> Duration.between(now, next))
			.orElse(longest);
		Duration pause = (until.isZero() || until.isNegative()) ? Backoff.jittered(SHORT_SLEEP) : until;
		return Collections.min(List.of(pause, longest));
	}

	/** Stops the scheduler after the cron that it is firing. */
	@Override
	public void close() {
		this.poller.close();
	}

}
