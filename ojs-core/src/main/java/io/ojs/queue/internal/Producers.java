package io.ojs.queue.internal;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Knows the producer name of each thread, for queues that take jobs of some producers
 * only (OJS Queue Configuration §6.5). It is the name of the application, unless the
 * thread acts for a caller.
 */
public final class Producers {

	/** The name of callers that do not send one. */
	public static final String ANONYMOUS = "anonymous";

	private final String application;

	private final ThreadLocal<String> caller = new ThreadLocal<>();

	/**
	 * Creates the producers.
	 * @param application the name of this application
	 */
	public Producers(String application) {
		this.application = application;
	}

	/**
	 * Returns the producer name of this thread.
	 * @return the name of the caller that it acts for, or that of the application
	 */
	public String current() {
		String name = this.caller.get();
		return (name != null) ? name : this.application;
	}

	/**
	 * Runs work on behalf of a caller.
	 * @param <T> the type of the result
	 * @param name the producer name of the caller
	 * @param work the work
	 * @return the result of the work
	 */
	public <T extends @Nullable Object> T supply(String name, Supplier<T> work) {
		String before = this.caller.get();
		this.caller.set(name);
		try {
			return work.get();
		}
		finally {
			if (before != null) {
				this.caller.set(before);
			}
			else {
				this.caller.remove();
			}
		}
	}

}
