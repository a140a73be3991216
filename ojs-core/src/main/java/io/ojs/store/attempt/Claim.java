package io.ojs.store.attempt;

import java.time.Instant;

import io.ojs.job.JobState;
import io.ojs.store.StoredJob;

/**
 * What became of a claim.
 */
public sealed interface Claim {

	/**
	 * The job is to be run.
	 *
	 * @param job the job, active, its attempt counted
	 * @param lease the right to run it
	 * @param adopted whether it is new to the store
	 * @param limited whether it has a place under a limit, which others get when it ends
	 */
	record Taken(StoredJob job, Lease lease, boolean adopted, boolean limited) implements Claim {
	}

	/**
	 * The job waits for a time that has not come: this message came early, or the one
	 * that was to come later was never sent.
	 *
	 * @param job the job, scheduled or retryable
	 * @param dueAt when to run it
	 */
	record NotDue(StoredJob job, Instant dueAt) implements Claim {
	}

	/**
	 * The job came too late: its {@code expires_at} had passed, and it is discarded now.
	 *
	 * @param job the job, discarded
	 */
	record Expired(StoredJob job) implements Claim {
	}

	/**
	 * The job was executed as often as it may be, the last time by a worker that died: it
	 * is a dead letter now.
	 *
	 * @param job the job, discarded
	 */
	record Exhausted(StoredJob job) implements Claim {
	}

	/**
	 * The store does not have the job, and only the store's own application makes jobs of
	 * its type: somebody else has sent it.
	 */
	record Forged() implements Claim {
	}

	/**
	 * The job waits in another queue by now, where it is published or will be: a message
	 * that was left behind.
	 *
	 * @param queue that queue
	 */
	record Elsewhere(String queue) implements Claim {
	}

	/**
	 * The job is not to be run, since it is in another's hands or has ended: a duplicate.
	 *
	 * @param state the state it is in
	 */
	record Duplicate(JobState state) implements Claim {
	}

	/**
	 * This store has published the job and has it no longer: it has ended, and was
	 * deleted since.
	 */
	record Gone() implements Claim {
	}

	/**
	 * The job may not start because of a rate limit. The store has taken it back: its
	 * message is of no use any more.
	 *
	 * @param job the job: available, scheduled for later, or discarded
	 * @param key the key that did not let it
	 */
	record Limited(StoredJob job, String key) implements Claim {
	}

	/**
	 * The worker cannot run this version of the job, and somebody else may. The store has
	 * taken it back and will have it published again: its message is of no use any more.
	 *
	 * @param job the job, available
	 * @param until when it is published again, unless somebody comes for it before
	 */
	record Held(StoredJob job, Instant until) implements Claim {
	}

}
