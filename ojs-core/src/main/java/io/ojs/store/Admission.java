package io.ojs.store;

import java.util.List;
import java.util.function.Supplier;

import io.ojs.OjsException;
import io.ojs.client.EncodedJob;

/**
 * Decides whether jobs may be enqueued at all, before they are kept. Called in the
 * transaction that keeps them.
 */
@FunctionalInterface
public interface Admission {

	/** Lets everything in. */
	Admission OPEN = (jobs) -> {
	};

	/**
	 * Lets jobs in, or refuses all of them.
	 * @param jobs those that are to be kept together
	 * @throws OjsException if one of them is refused; the transaction is rolled back
	 */
	void admit(List<EncodedJob> jobs);

	/**
	 * Enqueues, and again for as long as it pays to wait until there is room.
	 * @param <T> what enqueueing returns
	 * @param inTransaction whether the caller is in a transaction: then it is tried once,
	 * since whoever waits in one keeps the locks that others need to make room
	 * @param enqueue begins a transaction, calls {@link #admit}, keeps the jobs and
	 * commits
	 * @return what it returned
	 * @throws OjsException if a job is refused
	 */
	default <T> T patiently(boolean inTransaction, Supplier<T> enqueue) {
		return enqueue.get();
	}

}
