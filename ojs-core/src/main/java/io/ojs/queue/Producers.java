package io.ojs.queue;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Knows by which name each thread enqueues jobs, for queues that only some producers may
 * enqueue to (OJS Queue Configuration §6.5). That is the application's own name, unless
 * the thread acts for a caller.
 */
public final class Producers {

	/** The name of producers that do not say who they are. */
	public static final String ANONYMOUS = "anonymous";

	private final String application;

	private final ThreadLocal<String> caller = new ThreadLocal<>();

	/**
	 * Creates it.
	 * @param application the name of this application
	 */
	public Producers(String application) {
		this.application = application;
	}

	/**
	 * The name by which this thread enqueues.
	 * @return the name of the caller that it acts for, or that of the application
	 */
	public String current() {
		String name = this.caller.get();
		return (name != null) ? name : this.application;
	}

	/**
	 * Does something for a caller.
	 * @param <T> the result
	 * @param name the name of the caller
	 * @param work what to do
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
