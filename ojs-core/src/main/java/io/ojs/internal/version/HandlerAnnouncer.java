package io.ojs.internal.version;

import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;

import io.ojs.handler.internal.JobHandlers;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.process.ProcessList;
import io.ojs.internal.process.ThisProcess;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.Poller;
import org.slf4j.Logger;

/**
 * Announces to the job store, at intervals, which queues this process consumes and which
 * versions of jobs it can run, and releases the jobs that wait for them.
 */
public final class HandlerAnnouncer implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(HandlerAnnouncer.class);

	private final HandlerStore store;

	private final ProcessList processes;

	private final ThisProcess process;

	private final JobHandlers handlers;

	private final ToIntFunction<String> consumers;

	private final IntSupplier running;

	private final Clock clock;

	private final Poller poller = new Poller("ojs-handlers",
			"Other processes cannot be told which versions of jobs this one works", () -> {
				announce();
				return HandlerStore.INTERVAL;
			});

	/**
	 * Creates the announcer.
	 * @param consumers returns the largest number of consumers of a queue
	 * @param running returns the number of jobs that this process runs
	 */
	public HandlerAnnouncer(HandlerStore store, ProcessList processes, ThisProcess process, JobHandlers handlers,
			ToIntFunction<String> consumers, IntSupplier running, Clock clock) {
		this.store = store;
		this.processes = processes;
		this.process = process;
		this.handlers = handlers;
		this.consumers = consumers;
		this.running = running;
		this.clock = clock;
	}

	/**
	 * Starts to announce, if this process has handlers.
	 */
	public void start() {
		if (!this.handlers.byQueue().isEmpty()) {
			this.poller.start();
		}
	}

	/**
	 * Announces once.
	 * @throws StoreUnavailableException if the database cannot be reached
	 */
	public void announce() {
		Set<String> queues = new TreeSet<>(this.handlers.byQueue().keySet());
		Map<String, Integer> consumed = new TreeMap<>();
		queues.forEach((queue) -> consumed.put(queue, this.consumers.applyAsInt(queue)));
		this.store.announce(this.process.id(), consumed, this.handlers.handled(), this.clock.instant());
		this.processes.describe(this.process, this.running.getAsInt());
		int released = this.store.release(queues, this.handlers.handled(), this.clock.instant());
		if (released > 0) {
			logger.info("{} jobs are published again that waited for a worker of their version", released);
		}
	}

	/** Withdraws the announcement: jobs do not wait for this process any longer. */
	@Override
	public void close() {
		if (this.handlers.byQueue().isEmpty()) {
			return;
		}
		this.poller.close();
		try {
			this.store.withdraw(this.process.id());
		}
		catch (StoreException ex) {
			// Without this, other processes find out when the announcement is too old.
			logger.debug("Cannot say that this process works no jobs any longer", ex);
		}
	}

}
