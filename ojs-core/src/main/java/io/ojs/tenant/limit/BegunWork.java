package io.ojs.tenant.limit;

import java.util.function.Supplier;

/**
 * Knows which threads go on with what has begun, such as a workflow: no limit of a tenant
 * is to stop them on the way. Safe for use by many threads; what is said on one holds for
 * that one.
 */
public final class BegunWork {

	private final ThreadLocal<Boolean> present = new ThreadLocal<>();

	/**
	 * Goes on with something.
	 * @param <T> what comes of it
	 * @param work what to do
	 * @return what came of it
	 */
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
