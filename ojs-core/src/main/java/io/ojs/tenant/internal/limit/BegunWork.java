package io.ojs.tenant.internal.limit;

import java.util.function.Supplier;

/**
 * Marks threads that continue work which has begun, such as a workflow: limits of tenants
 * do not reject its jobs. Thread-safe; the mark applies to the current thread only.
 */
public final class BegunWork {

	private final ThreadLocal<Boolean> present = new ThreadLocal<>();

	/** Runs work as the continuation of work that has begun. */
	public <T> T goOn(Supplier<T> work) {
		if (isPresent()) {
			return work.get();
		}
		this.present.set(Boolean.TRUE);
		try {
			return work.get();
		}
		finally {
			this.present.remove();
		}
	}

	boolean isPresent() {
		return this.present.get() != null;
	}

}
