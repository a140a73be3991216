package io.ojs.client;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a caller learns of the job that was there first.
 */
class DuplicateJobExceptionTests {

	@Test
	void existingJobIsNamedAndTheKeyIsNot() {
		Job job = Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "invoice.render", "q").build();
		String existing = "019461a8-0000-7c3d-8e4f-5a6b7c8d9e0f";
		String key = "0123456789abcdef".repeat(4);
		DuplicateJobException ex = new DuplicateJobException(job, existing, JobState.ACTIVE, key);
		assertThat(ex).hasMessageContainingAll("invoice.render", existing, "active", "on_conflict");
		// OJS Unique Jobs §12: messages are logged, and keys are not.
		assertThat(ex.getMessage()).doesNotContain(key);
		assertThat(ex.job()).isEqualTo(job);
		assertThat(ex.existingJobId()).isEqualTo(existing);
		assertThat(ex.existingJobState()).isEqualTo(JobState.ACTIVE);
		assertThat(ex.uniqueKey()).isEqualTo(key);
		assertThat(ex.isOutcomeUnknown()).isFalse();
	}

}
