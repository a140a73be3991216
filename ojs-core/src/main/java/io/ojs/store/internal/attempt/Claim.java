package io.ojs.store.internal.attempt;

import java.time.Instant;

import io.ojs.job.JobState;
import io.ojs.store.StoredJob;

/**
 * The result of a claim.
 */
public sealed interface Claim {

	/**
	 * The worker runs the job.
	 *
	 * @param job the job, active, with this attempt counted
	 * @param adopted whether the store did not know the job before
	 * @param limited whether the job has a place under a limit, which another job gets
	 * when it ends
	 */
	record Taken(StoredJob job, Lease lease, boolean adopted, boolean limited) implements Claim {
	}

	/**
	 * The job is not due yet: its message came early, or was not delayed.
	 *
	 */
	record NotDue(StoredJob job, Instant dueAt) implements Claim {
	}

	/**
	 * The job came after its {@code expires_at}; it is a dead letter now.
	 *
	 */
	record Expired(StoredJob job) implements Claim {
	}

	/**
	 * The last attempt of the job was cut off by the end of its worker; it is a dead
	 * letter now.
	 *
	 */
	record Exhausted(StoredJob job) implements Claim {
	}

	/**
	 * The store does not know the job, and only applications with this store create jobs
	 * of its type: the message is not genuine.
	 */
	record Forged() implements Claim {
	}

	/**
	 * The message was left behind: the job has been moved to another queue, and is or
	 * will be published there.
	 *
	 */
	record Elsewhere(String queue) implements Claim {
	}

	/**
	 * The message is a duplicate: another worker has the job, or the job has ended.
	 *
	 */
	record Duplicate(JobState state) implements Claim {
	}

	/**
	 * This store has published the job, or has adopted it before, and has deleted it
	 * since its end.
	 */
	record Gone() implements Claim {
	}

	/**
	 * A limit does not let the job start. The store has taken the job back, so its
	 * message is of no use any more.
	 *
	 * @param job the job: available, scheduled for later, or discarded
	 */
	record Limited(StoredJob job, String key) implements Claim {
	}

	/**
	 * The worker cannot run this version of the job, but another one may. The store has
	 * taken the job back and publishes it again, so its message is of no use any more.
	 *
	 * @param until when it is published again, unless a worker for its version appears
	 * before
	 */
	record WaitForWorker(StoredJob job, Instant until) implements Claim {
	}

}
