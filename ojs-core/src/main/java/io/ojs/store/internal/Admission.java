package io.ojs.store.internal;

import java.util.List;
import java.util.function.Supplier;

import io.ojs.OjsException;
import io.ojs.client.internal.EncodedJob;

/**
 * Decides whether jobs may be enqueued, in the transaction that keeps them. The store
 * first locks what the decision depends on, and then decides about unique jobs. It does
 * not ask about a job that it ignores or rejects for another one like it, so such a job
 * takes nothing from other jobs (OJS Extension Interactions §14.1).
 */
@FunctionalInterface
public interface Admission {

	/** Admits every job. */
	Admission OPEN = new Admission() {

		@Override
		public boolean locks(List<EncodedJob> jobs) {
			return false;
		}

		@Override
		public Decision lock(List<EncodedJob> jobs) {
			return Decision.ALL;
		}

	};

	/**
	 * Checks whether the caller may enqueue jobs. Called on the caller's thread, before
	 * there is a transaction; another thread may call {@link #lock}.
	 * @throws OjsException if the caller may not enqueue one of them
	 */
	default void authorize(List<EncodedJob> jobs) {
		// By default, every caller may.
	}

	/**
	 * Whether {@link #lock} has something to lock for jobs. If not, {@link #lock} and its
	 * decision do not use the database and need no transaction.
	 * @param jobs the jobs that are to be kept together
	 * @return whether a lock is needed
	 */
	default boolean locks(List<EncodedJob> jobs) {
		return true;
	}

	/**
	 * Locks what a decision about jobs depends on, so that no other transaction changes
	 * it before the commit.
	 * @param jobs the jobs that are to be kept together
	 * @return the decision about them, to be made in the same transaction
	 */
	Decision lock(List<EncodedJob> jobs);

	/**
	 * Enqueues jobs, and tries again for as long as waiting for room in a queue is
	 * allowed.
	 * @param inTransaction whether the caller is in a transaction: then there is one try,
	 * because a caller that waits in its transaction keeps locks that other transactions
	 * need to make room
	 * @param enqueue begins a transaction, calls {@link #lock}, makes the decision, keeps
	 * the jobs and commits
	 * @throws OjsException if a job is refused
	 */
	default <T> T patiently(boolean inTransaction, Supplier<T> enqueue) {
		return enqueue.get();
	}

	/**
	 * Decides about jobs after {@link #lock} has locked what the decision depends on.
	 */
	@FunctionalInterface
	interface Decision {

		/** Admits every job. */
		Decision ALL = (jobs) -> {
		};

		/**
		 * Admits jobs, or refuses all of them.
		 * @param jobs the locked jobs that the store will insert; the store may call this
		 * with some of them, keep those, and call it again with others
		 * @throws OjsException if one of them is refused; the transaction is rolled back
		 */
		void admit(List<EncodedJob> jobs);

		/**
		 * Admits jobs that were merged into existing jobs, or refuses all of them. The
		 * existing jobs are in the same queues already and replaced no other job there,
		 * so no job is dropped for them. Called before {@link #admit} for the jobs of the
		 * same round.
		 * @throws OjsException if one of them is refused; the transaction is rolled back
		 */
		default void merge(List<EncodedJob> jobs) {
			// A merge adds no job to a queue.
		}

	}

}
