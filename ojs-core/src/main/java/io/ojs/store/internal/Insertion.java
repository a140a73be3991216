package io.ojs.store.internal;

import java.util.List;

import io.ojs.store.StoredJob;

/**
 * The result of inserting a job.
 */
public sealed interface Insertion {

	/**
	 * The job is kept.
	 *
	 * @param replaced the jobs that were cancelled because this one replaces them, as
	 * they were before
	 * @param waits whether the job waits for a limit or for the turn of its tenant, so
	 * that its producer must not publish it
	 */
	record Inserted(List<StoredJob> replaced, boolean waits) implements Insertion {

		/** The job is kept and replaced no other one. */
		public static final Inserted NEW = new Inserted(List.of());

		/**
		 * Creates the result for a job that is published at once.
		 * @param replaced the jobs that were cancelled because this one replaces them, as
		 * they were before
		 */
		public Inserted(List<StoredJob> replaced) {
			this(replaced, false);
		}

		public Inserted {
			replaced = List.copyOf(replaced);
		}

	}

	/**
	 * The existing job has taken over the content of this one, and keeps its id and its
	 * schedule ({@code replace_except_schedule}).
	 *
	 * @param updated the existing job, as it is now
	 */
	record Merged(StoredJob updated) implements Insertion {
	}

	/**
	 * The job is not kept: there is one like it, and the policy says {@code ignore}.
	 *
	 */
	record Ignored(StoredJob existing) implements Insertion {
	}

	/**
	 * The job is not kept: there is one like it, and the policy says {@code reject}. The
	 * caller rolls back the whole batch.
	 *
	 */
	record Rejected(StoredJob existing) implements Insertion {
	}

}
