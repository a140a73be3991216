package io.ojs.store;

import java.util.List;

/**
 * What became of a job that was to be kept.
 */
public sealed interface Insertion {

	/**
	 * It is kept.
	 *
	 * @param replaced the jobs that were cancelled to make room for it, as they were
	 * before
	 * @param heldBack whether it waits for the turn of its tenant, and is not to be
	 * published by others
	 */
	record Inserted(List<StoredJob> replaced, boolean heldBack) implements Insertion {

		/** Nothing had to give way. */
		public static final Inserted NEW = new Inserted(List.of());

		/**
		 * A job that is published at once.
		 * @param replaced the jobs that were cancelled to make room for it, as they were
		 * before
		 */
		public Inserted(List<StoredJob> replaced) {
			this(replaced, false);
		}

		public Inserted {
			replaced = List.copyOf(replaced);
		}

	}

	/**
	 * An existing job was given its arguments and keeps its schedule
	 * ({@code replace_except_schedule}).
	 *
	 * @param updated the existing job, as it is now
	 */
	record Merged(StoredJob updated) implements Insertion {
	}

	/**
	 * It is not kept, since there is one like it and its policy says {@code ignore}.
	 *
	 * @param existing the existing job
	 */
	record Ignored(StoredJob existing) implements Insertion {
	}

	/**
	 * It is not kept, since there is one like it and its policy says {@code reject}. The
	 * caller rolls the whole batch back.
	 *
	 * @param existing the existing job
	 */
	record Rejected(StoredJob existing) implements Insertion {
	}

}
