package io.ojs.store;

import java.util.List;
import java.util.function.Supplier;

import io.ojs.OjsException;
import io.ojs.client.EncodedJob;

/**
 * Decides whether jobs may be enqueued at all, before they are kept. Called in the
 * transaction that keeps them. Everything that this takes is locked first, and unique
 * jobs are decided upon next: a job that meets another one like it is not asked about,
 * and takes nothing from others (OJS Extension Interactions §14.1).
 */
@FunctionalInterface
public interface Admission {

	/** Lets everything in. */
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
	 * Asks whether the caller may enqueue jobs. Called on its own thread, before there is
	 * a transaction; {@link #lock} may be called by another one.
	 * @param jobs the jobs
	 * @throws OjsException if it may not enqueue one of them
	 */
	default void authorize(List<EncodedJob> jobs) {
		// Every caller may.
	}

	/**
	 * Whether there is anything to lock for jobs. If there is not, {@link #lock} and its
	 * decision touch no database, and need no transaction.
	 * @param jobs those that are to be kept together
	 * @return whether there is
	 */
	default boolean locks(List<EncodedJob> jobs) {
		return true;
	}

	/**
	 * Locks what a decision about jobs is made by, so that no other transaction changes
	 * it in between.
	 * @param jobs those that are to be kept together
	 * @return who decides about them, in the same transaction
	 */
	Decision lock(List<EncodedJob> jobs);

	/**
	 * Enqueues, and again for as long as it pays to wait until there is room.
	 * @param <T> what enqueueing returns
	 * @param inTransaction whether the caller is in a transaction: then it is tried once,
	 * since whoever waits in one keeps the locks that others need to make room
	 * @param enqueue begins a transaction, calls {@link #lock}, has the decision made,
	 * keeps the jobs and commits
	 * @return what it returned
	 * @throws OjsException if a job is refused
	 */
	default <T> T patiently(boolean inTransaction, Supplier<T> enqueue) {
		return enqueue.get();
	}

	/**
	 * Decides about jobs, once what it takes is locked.
	 */
	@FunctionalInterface
	interface Decision {

		/** Lets everything in. */
		Decision ALL = (jobs) -> {
		};

		/**
		 * Lets jobs in, or refuses all of them.
		 * @param jobs those of the locked ones that meet no other job like them; may be
		 * called with some of them first, which are kept then, and with others later
		 * @throws OjsException if one of them is refused; the transaction is rolled back
		 */
		void admit(List<EncodedJob> jobs);

		/**
		 * Lets jobs in whose content an existing job has taken over, or refuses all of
		 * them. The existing jobs are in the queues of these already, and have replaced
		 * no other job there; nothing is thrown away for them. Called before
		 * {@link #admit} for those that go with them.
		 * @param jobs those of the locked ones that were merged
		 * @throws OjsException if one of them is refused; the transaction is rolled back
		 */
		default void merge(List<EncodedJob> jobs) {
			// What an existing job becomes concerns it alone.
		}

	}

}
