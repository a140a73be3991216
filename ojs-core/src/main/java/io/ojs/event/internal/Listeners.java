package io.ojs.event.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ojs.internal.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Listeners of one kind of events. If a listener throws, neither what has happened nor
 * other listeners are affected.
 *
 * @param <L> the type of the listeners
 */
public final class Listeners<L> {

	private static final Logger logger = SafeLogger.of(Listeners.class);

	private final List<L> listeners;

	/**
	 * Creates listeners.
	 * @param listeners the listeners, in the order of their calls
	 */
	public Listeners(List<L> listeners) {
		this.listeners = new CopyOnWriteArrayList<>(listeners);
	}

	/** Adds a listener, which is called after all others. */
	public void add(L listener) {
		this.listeners.add(listener);
	}

	/**
	 * Calls all listeners, one after the other, on this thread.
	 * @param event names the event for the log, such as {@code job.started of job 7}
	 * @param call passes the event to one listener
	 */
	public void notifyOf(Supplier<String> event, Consumer<L> call) {
		for (L listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (Throwable ex) {
				// Errors too, such as a missing class of the listener: the event has
				// happened.
				logger.warn("Listener {} failed on {}. The event stands, and the other listeners are called", listener,
						event.get(), ex);
			}
		}
	}

}
