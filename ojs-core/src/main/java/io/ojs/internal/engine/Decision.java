package io.ojs.internal.engine;

import java.time.Instant;

/**
 * Whether a job that a worker has received or fetched starts now.
 */
public sealed interface Decision {

	/** The job starts. */
	Decision START = new Start();

	/** The job is a dead letter: its {@code expires_at} has passed. */
	Decision EXPIRED = new Expired();

	/** The job is a dead letter: the end of its worker has cut off its last attempt. */
	Decision EXHAUSTED = new Exhausted();

	/**
	 * The job starts.
	 */
	record Start() implements Decision {
	}

	/**
	 * The job is a dead letter: its {@code expires_at} has passed.
	 */
	record Expired() implements Decision {
	}

	/**
	 * The job is a dead letter: the end of its worker has cut off its last attempt.
	 */
	record Exhausted() implements Decision {
	}

	/**
	 * The job waits for a worker that can run its version.
	 *
	 */
	record WaitForWorker(Instant until) implements Decision {
	}

	/**
	 * A limit does not let the job start. The job waits for the limit, is scheduled for
	 * later, or is discarded.
	 *
	 */
	record Limited(String key) implements Decision {
	}

}
