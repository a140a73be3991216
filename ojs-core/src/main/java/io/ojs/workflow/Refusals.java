package io.ojs.workflow;

import io.ojs.OjsException;
import io.ojs.client.EnqueueException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobError;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.QueueNotAcceptingException;
import io.ojs.queue.QueueRefusedException;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreException;

/**
 * What it means that a job of a workflow cannot be enqueued.
 */
final class Refusals {

	private Refusals() {
	}

	/** Whether it can be enqueued later. */
	static boolean isTransient(OjsException refusal) {
		if (refusal instanceof JobNotStoredException) {
			return !(refusal.getCause() instanceof DuplicateIdException);
		}
		return refusal instanceof StoreException || refusal instanceof QueueFullException
				|| refusal instanceof QueueNotAcceptingException;
	}

	/** The id of the job that was refused, if the refusal says so. */
	static String jobId(OjsException refusal) {
		return (refusal instanceof EnqueueException enqueue) ? enqueue.job().id() : "";
	}

	/** The code of OJS Errors §4. */
	static String code(OjsException refusal) {
		if (refusal instanceof QueueRefusedException queue) {
			return queue.code();
		}
		if (refusal instanceof InvalidJobException) {
			return JobError.INVALID_PAYLOAD;
		}
		return (refusal instanceof EnqueueException) ? "DUPLICATE_JOB" : "ENQUEUE_REFUSED";
	}

}
