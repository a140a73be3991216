package io.ojs.version;

import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

import io.ojs.handler.JobHandlers;
import io.ojs.log.SafeLogger;
import io.ojs.store.Poller;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.slf4j.Logger;

/**
 * Tells the job store again and again which queues this process works and which versions
 * of jobs it takes, and has jobs published that wait for that.
 */
public final class HandlerAnnouncer implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(HandlerAnnouncer.class);

	private final HandlerStore store;

	private final String process;

	private final JobHandlers handlers;

	private final ToIntFunction<String> consumers;

	private final Clock clock;

	private final Poller poller = new Poller("ojs-handlers",
			"Other processes cannot be told which versions of jobs this one works", () -> {
				announce();
				return HandlerStore.INTERVAL;
			});

	/**
	 * Creates it.
	 * @param store is told
	 * @param process what this process calls itself, like no other; at most 128
	 * characters
	 * @param handlers the handlers of this process
	 * @param consumers how many consumers it has for a queue at most
	 * @param clock tells the time
	 */
	public HandlerAnnouncer(HandlerStore store, String process, JobHandlers handlers, ToIntFunction<String> consumers,
			Clock clock) {
		this.store = store;
		this.process = process;
		this.handlers = handlers;
		this.consumers = consumers;
		this.clock = clock;
	}

	/**
	 * Begins, if there are any handlers.
	 */
	public void start() {
		if (!this.handlers.byQueue().isEmpty()) {
			this.poller.start();
		}
	}

	/**
	 * Tells it once.
	 * @throws StoreUnavailableException if the database cannot be reached
	 */
	public void announce() {
		Set<String> queues = new TreeSet<>(this.handlers.byQueue().keySet());
		Map<String, Integer> consumed = new TreeMap<>();
		queues.forEach((queue) -> consumed.put(queue, this.consumers.applyAsInt(queue)));
		this.store.announce(this.process, consumed, this.handlers.handled(), this.clock.instant());
		int released = this.store.release(queues, this.handlers.handled(), this.clock.instant());
		if (released > 0) {
			logger.info("{} jobs are published again that waited for a worker of their version", released);
		}
	}

	/** Nobody waits for this process any longer. */
	@Override
	public void close() {
		if (this.handlers.byQueue().isEmpty()) {
			return;
		}
		this.poller.close();
		try {
			this.store.withdraw(this.process);
		}
		catch (StoreException ex) {
			// Others find out when they have not heard of it for a while.
			logger.debug("Cannot say that this process works no jobs any longer", ex);
		}
	}

}
