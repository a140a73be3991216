package io.ojs.internal.worker;

/**
 * Rules for names of workers.
 */
final class WorkerIds {

	/** The name of workers that do not send one. */
	static final String ANONYMOUS = "anonymous";

	private static final int LONGEST = 128;

	private WorkerIds() {
	}

	static String check(String id) {
		if (id.isBlank() || id.length() > LONGEST || id.chars().anyMatch(Character::isISOControl)) {
			throw new InvalidWorkerRequestException("worker_id", id,
					"must be 1 to " + LONGEST + " characters without control characters");
		}
		return id;
	}

}
