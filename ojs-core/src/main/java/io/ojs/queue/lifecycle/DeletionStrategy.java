package io.ojs.queue.lifecycle;

/**
 * What becomes of the jobs of a queue that is deleted (OJS Queue Configuration §5.3).
 */
public sealed interface DeletionStrategy {

	/**
	 * The name of this strategy in JSON.
	 * @return {@code reject}, {@code discard} or {@code move}
	 */
	String wireName();

	/**
	 * The queue is deleted only if it has no job that has not ended.
	 */
	record Reject() implements DeletionStrategy {

		@Override
		public String wireName() {
			return "reject";
		}

	}

	/**
	 * Jobs that wait are discarded.
	 */
	record Discard() implements DeletionStrategy {

		@Override
		public String wireName() {
			return "discard";
		}

	}

	/**
	 * Jobs that wait go to another queue.
	 *
	 * @param target the other queue
	 */
	record Move(String target) implements DeletionStrategy {

		public Move {
			Queue.requireName(target);
		}

		@Override
		public String wireName() {
			return "move";
		}

	}

}
