package io.ojs.queue;

/**
 * What happens to the jobs of a queue that is deleted (OJS Queue Configuration §5.3). A
 * minor version may add strategies: a {@code switch} over them needs a {@code default}.
 */
public sealed interface DeletionStrategy {

	/**
	 * Returns the name of this strategy in JSON.
	 * @return {@code reject}, {@code discard} or {@code move}
	 */
	String wireName();

	/**
	 * The queue is deleted only if all of its jobs have ended.
	 */
	record Reject() implements DeletionStrategy {

		@Override
		public String wireName() {
			return "reject";
		}

	}

	/**
	 * Waiting jobs are discarded.
	 */
	record Discard() implements DeletionStrategy {

		@Override
		public String wireName() {
			return "discard";
		}

	}

	/**
	 * Waiting jobs move to another queue.
	 *
	 * @param target the other queue
	 */
	record Move(String target) implements DeletionStrategy {

		public Move {
			JobQueue.requireName(target);
		}

		@Override
		public String wireName() {
			return "move";
		}

	}

}
