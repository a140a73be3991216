package io.ojs.test.assertj;

import java.util.List;

import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.test.jobs.TestJobs;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about the jobs that were enqueued since the test began.
 */
public final class JobsAssert extends AbstractAssert<JobsAssert, OjsOperations> {

	JobsAssert(OjsOperations actual) {
		super(actual, JobsAssert.class);
	}

	/**
	 * Asserts that a job of a type was enqueued.
	 * @param type the type
	 * @return assertions about the jobs of that type
	 */
	public EnqueuedAssert hasEnqueued(String type) {
		return new EnqueuedAssert(jobs(), type, this.info);
	}

	/**
	 * Asserts that no job of a type was enqueued.
	 * @param type the type
	 * @return this
	 */
	public JobsAssert hasNotEnqueued(String type) {
		List<Job> found = jobs().all(type);
		if (!found.isEmpty()) {
			failWithMessage("Expected no job %s, but %d were enqueued:%s", type, found.size(), ShownJobs.list(found));
		}
		return this;
	}

	/**
	 * Asserts that no job was enqueued.
	 * @return this
	 */
	public JobsAssert hasEnqueuedNothing() {
		List<Job> found = jobs().all();
		if (!found.isEmpty()) {
			failWithMessage("Expected no job, but %d were enqueued:%s", found.size(), ShownJobs.list(found));
		}
		return this;
	}

	private TestJobs jobs() {
		isNotNull();
		if (!(this.actual instanceof TestJobs jobs)) {
			throw new AssertionError("%s does not keep what is enqueued; have the TestJobs of @OjsTest or "
					+ "@AutoConfigureOjsTest injected instead.".formatted(this.actual.getClass().getName()));
		}
		return jobs;
	}

}
