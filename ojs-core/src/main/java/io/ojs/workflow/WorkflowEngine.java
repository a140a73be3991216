package io.ojs.workflow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.log.SafeLogger;
import io.ojs.store.Poller;
import io.ojs.store.StoreTransactions;
import org.slf4j.Logger;

/**
 * Goes on with workflows whose jobs have ended. What has ended of one workflow is dealt
 * with together, in one transaction, with the workflow locked: what comes next is
 * enqueued exactly once, however many engines there are on however many instances, and
 * wherever they die.
 */
public final class WorkflowEngine implements AutoCloseable {

	/** Default of how long it sleeps at most. */
	public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

	private static final Logger logger = SafeLogger.of(WorkflowEngine.class);

	private static final int BATCH = 100;

	/** Somebody else has a workflow, for as long as a transaction takes. */
	private static final Duration SHORT_SLEEP = Duration.ofMillis(50);

	private static final int LONGEST_PAUSE_SECONDS = 30;

	private final WorkflowStore store;

	private final Advancing advancing;

	private final Clock clock;

	private final Duration pollInterval;

	private final Poller poller = new Poller("ojs-workflows", "Workflows cannot go on", this::round);

	/** Workflows that could not go on, and when it is tried again. */
	private final Map<String, Trouble> troubles = new HashMap<>();

	/**
	 * Creates an engine.
	 * @param store keeps workflows
	 * @param transactions what is done in one goes together
	 * @param jobs enqueues what comes next
	 * @param events is told what happens
	 * @param clock tells the time
	 * @param pollInterval how long it sleeps at most
	 */
	public WorkflowEngine(WorkflowStore store, StoreTransactions transactions, WorkflowJobs jobs, WorkflowEvents events,
			Clock clock, Duration pollInterval) {
		this.store = store;
		this.advancing = new Advancing(store, transactions, jobs, events, clock);
		this.clock = clock;
		this.pollInterval = pollInterval;
	}

	private record Trouble(int times, Instant until) {
	}

	/**
	 * Starts to go on with workflows.
	 */
	public void start() {
		this.store.whenDue(this::wake);
		this.poller.start();
	}

	/**
	 * Has it look at once: a job of a workflow has ended. Waits for nobody.
	 */
	public void wake() {
		this.poller.wake();
	}

	private Duration round() {
		return Poller.jittered(advance() ? SHORT_SLEEP : this.pollInterval);
	}

	/**
	 * Goes on with all workflows that can. To be called by one thread at a time.
	 * @return whether there are some that somebody else is at work on
	 */
	public boolean advance() {
		while (!this.poller.isStopped()) {
			// Those in trouble have been due longest: others are asked for beside them.
			List<String> due = this.store.due(BATCH + this.troubles.size());
			this.troubles.keySet().retainAll(due);
			int troubles = this.troubles.size();
			boolean progress = false;
			boolean held = false;
			for (String id : due) {
				if (!this.poller.isStopped() && !isInTrouble(id)) {
					boolean done = advance(id);
					progress |= done;
					held |= !done && !this.troubles.containsKey(id);
				}
			}
			if (!progress && this.troubles.size() <= troubles) {
				return held;
			}
		}
		return false;
	}

	private boolean isInTrouble(String id) {
		Trouble trouble = this.troubles.get(id);
		return trouble != null && trouble.until().isAfter(this.clock.instant());
	}

	/** One that cannot go on holds up no other. */
	private boolean advance(String id) {
		try {
			boolean done = this.advancing.advance(id);
			if (this.troubles.remove(id) != null) {
				logger.info("Workflow {} goes on again", id);
			}
			return done;
		}
		catch (RuntimeException ex) {
			Trouble before = this.troubles.get(id);
			int times = (before != null) ? before.times() + 1 : 1;
			if (before == null) {
				logger.warn("Workflow {} cannot go on, and it is tried again until it can", id, ex);
			}
			else {
				logger.debug("Workflow {} cannot go on", id, ex);
			}
			this.troubles.put(id, new Trouble(times, this.clock.instant().plus(Poller.jittered(backoff(times)))));
			return false;
		}
	}

	private static Duration backoff(int times) {
		return Duration.ofSeconds(Math.min(1L << Math.min(times - 1, 5), LONGEST_PAUSE_SECONDS));
	}

	/** Ends after what it is doing. */
	@Override
	public void close() {
		this.poller.close();
	}

}
