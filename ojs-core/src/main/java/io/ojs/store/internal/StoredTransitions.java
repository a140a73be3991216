package io.ojs.store.internal;

import java.util.List;

import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.job.JobError;
import io.ojs.store.StoredJob;

/**
 * Transitions of stored jobs, for listeners.
 */
public final class StoredTransitions {

	private StoredTransitions() {
	}

	/** Returns a transition of a job, with its last error. */
	public static JobTransition of(StoredJob stored, Transition transition) {
		JobTransition told = new JobTransition(transition, stored.job(), stored.job().attempt(), stored.maxAttempts());
		List<JobError> errors = stored.job().errors();
		return errors.isEmpty() ? told : told.error(errors.get(errors.size() - 1));
	}

}
