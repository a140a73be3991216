package io.ojs.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.job.JobError;
import io.ojs.job.internal.ForeignText;

/**
 * The errors of a job that fails again and again (OJS Extension Interactions §10.2).
 */
final class ErrorHistory {

	/** How many of the latest errors keep their backtrace, details and whole message. */
	private static final int WHOLE_ERRORS = 25;

	/** How many of the latest errors keep the causes of their exceptions. */
	private static final int WITH_CAUSES = 5;

	/** How many of the latest errors are kept. */
	static final int MOST_ERRORS = 1000;

	private static final int BRIEF_MESSAGE = 200;

	private ErrorHistory() {
	}

	/**
	 * Adds an error. Errors before the last {@link #WHOLE_ERRORS} keep no backtrace, no
	 * details and only the first 200 characters of their message, so that a row stays
	 * small; those before the last {@link #WITH_CAUSES} keep no causes. The oldest errors
	 * are dropped when there are more than {@link #MOST_ERRORS}.
	 * @param before the errors of earlier attempts, the oldest first
	 * @return all errors, the oldest first
	 */
	static List<JobError> add(List<JobError> before, JobError latest) {
		List<JobError> errors = new ArrayList<>(before);
		errors.add(latest);
		int brief = errors.size() - WHOLE_ERRORS - 1;
		if (brief >= 0) {
			errors.set(brief, brief(errors.get(brief)));
		}
		int plain = errors.size() - WITH_CAUSES - 1;
		if (plain >= 0 && !errors.get(plain).causes().isEmpty()) {
			JobError error = errors.get(plain);
			errors.set(plain, new JobError(error.type(), error.code(), error.message(), error.attempt(),
					error.occurredAt(), error.backtrace(), error.details()));
		}
		return List.copyOf(errors.subList(Math.max(0, errors.size() - MOST_ERRORS), errors.size()));
	}

	private static JobError brief(JobError error) {
		return new JobError(error.type(), error.code(), ForeignText.beginning(error.message(), BRIEF_MESSAGE),
				error.attempt(), error.occurredAt(), List.of(), Map.of());
	}

}
