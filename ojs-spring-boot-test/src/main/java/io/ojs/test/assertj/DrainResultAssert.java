package io.ojs.test.assertj;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.test.jobs.DrainResult;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about the results of jobs that ran.
 */
public final class DrainResultAssert extends AbstractAssert<DrainResultAssert, DrainResult> {

	DrainResultAssert(DrainResult actual) {
		super(actual, DrainResultAssert.class);
	}

	/**
	 * Asserts that every job that ran has completed. It passes if no job ran: use
	 * {@link #hasCompleted} if some must have run.
	 * @return this
	 */
	public DrainResultAssert hasNoFailures() {
		isNotNull();
		List<Job> others = this.actual.jobs().stream().filter((job) -> job.state() != JobState.COMPLETED).toList();
		if (!others.isEmpty()) {
			failWithMessage("%s", "Expected all jobs to complete, but %d of %d did not:%s".formatted(others.size(),
					this.actual.jobs().size(), ShownJobs.list(others)));
		}
		return this;
	}

	/**
	 * Asserts that jobs of these types have completed, and that no other job ran.
	 * @param types a type for each job, in any order
	 * @return this
	 */
	public DrainResultAssert hasCompleted(String... types) {
		hasNoFailures();
		List<String> expected = new ArrayList<>(Arrays.asList(types));
		List<String> completed = new ArrayList<>(this.actual.completed().stream().map(Job::type).toList());
		expected.sort(null);
		completed.sort(null);
		if (!completed.equals(expected)) {
			failWithMessage("%s",
					"Expected the jobs %s to complete, but %s%s".formatted(expected,
							this.actual.jobs().isEmpty() ? "none ran"
									: "these did:" + ShownJobs.list(this.actual.jobs()),
							ShownJobs.left(this.actual.left())));
		}
		return this;
	}

	/**
	 * Asserts that no job ran, because none was due.
	 * @return this
	 */
	public DrainResultAssert isEmpty() {
		isNotNull();
		if (!this.actual.jobs().isEmpty()) {
			failWithMessage("%s", "Expected no job to run, but these did:" + ShownJobs.list(this.actual.jobs()));
		}
		return this;
	}

}
