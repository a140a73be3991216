package io.ojs.worker;

/**
 * What workers may call themselves.
 */
final class WorkerIds {

	/** Those that do not say. */
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
