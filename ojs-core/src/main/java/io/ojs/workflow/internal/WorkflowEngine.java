package io.ojs.workflow.internal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.log.SafeLogger;
import io.ojs.retry.internal.Backoff;
import io.ojs.store.internal.Poller;
import io.ojs.store.internal.StoreTransactions;
import org.slf4j.Logger;

/**
 * Advances workflows whose jobs have ended. Handles all ends of one workflow in one
 * transaction that locks the workflow. So the next jobs are enqueued exactly once, with
 * any number of engines and instances, and after any crash.
 */
public final class WorkflowEngine implements AutoCloseable {

	/** The default of the longest sleep. */
	public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

	private static final Logger logger = SafeLogger.of(WorkflowEngine.class);

	private static final int BATCH = 100;

	/** The pause while another transaction has locked a workflow. */
	private static final Duration SHORT_SLEEP = Duration.ofMillis(50);

	/** The pauses after failures of one workflow. */
	private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

	private final WorkflowStore store;

	private final Advancing advancing;

	private final Clock clock;

	private final Duration pollInterval;

	private final Poller poller = new Poller("ojs-workflows", "Workflows cannot go on", this::round);

	/** Workflows that could not be advanced, and when to try again. */
	private final Map<String, Trouble> troubles = new HashMap<>();

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
	 * Starts the thread of the engine.
	 */
	public void start() {
		this.store.whenDue(this::wake);
		this.poller.start();
	}

	/**
	 * Starts the next round at once, because a job of a workflow has ended. Does not
	 * wait.
	 */
	public void wake() {
		this.poller.wake();
	}

	private Duration round() {
		return Backoff.jittered(advance() ? SHORT_SLEEP : this.pollInterval);
	}

	/**
	 * Advances all workflows that can be advanced. To be called by one thread at a time.
	 * @return whether another transaction has locked some of them
	 */
	public boolean advance() {
		while (!this.poller.isStopped()) {
			// Workflows in trouble have been due longest, so ask for as many others
			// beside them.
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

	/** Advances one workflow. If that fails, the workflow does not delay others. */
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
			this.troubles.put(id, new Trouble(times, this.clock.instant().plus(BACKOFF.after(times))));
			return false;
		}
	}

	/** Stops the engine after the workflow in progress. */
	@Override
	public void close() {
		this.poller.close();
	}

}
