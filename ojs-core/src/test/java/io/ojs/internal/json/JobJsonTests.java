package io.ojs.internal.json;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs as those are told of them who ask.
 */
class JobJsonTests {

	private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.250Z");

	private static final String ID = "01962222-bbbb-7ccc-8ddd-eeeeeeeeeeee";

	private static Job ended(JobState state, boolean begun) {
		return Job.builder(ID, "email.send", "mail")
			.state(state)
			.startedAt(begun ? Rfc3339.utc(NOW) : null)
			.completedAt(Rfc3339.utc(NOW))
			.errors(List.of(new JobError("t", "c", "m", 1, Rfc3339.utc(NOW), List.of(), Map.of())))
			.build();
	}

	@Test
	void jobIsCompletedIfItRanToAnEnd() {
		assertThat(JobJson.of(ended(JobState.COMPLETED, true), 3)).containsKey("completed_at")
			.doesNotContainKeys("cancelled_at", "discarded_at", "error");
		assertThat(JobJson.of(ended(JobState.DISCARDED, true), 3)).containsKeys("completed_at", "discarded_at",
				"error");
	}

	@Test
	void jobThatWasNeverBegunOrWasCancelledIsNotCompleted() {
		assertThat(JobJson.of(ended(JobState.DISCARDED, false), 3)).containsKey("discarded_at")
			.doesNotContainKey("completed_at");
		assertThat(JobJson.of(ended(JobState.CANCELLED, true), 3)).containsKey("cancelled_at")
			.doesNotContainKey("completed_at");
	}

	@Test
	void timesOfTheCallerAreTheirs() {
		Job job = Job.builder(ID, "email.send", "mail")
			.scheduledAt(Rfc3339.parse("scheduled_at", "2099-12-31T23:59:59+01:00"))
			.expiresAt(Rfc3339.parse("expires_at", "2099-12-31T23:00:00.5Z"))
			.createdAt(Rfc3339.utc(Instant.parse("2026-03-01T12:00:00Z")))
			.build();
		assertThat(JobJson.of(job, 3)).containsEntry("scheduled_at", "2099-12-31T23:59:59+01:00")
			.containsEntry("expires_at", "2099-12-31T23:00:00.500Z")
			.containsEntry("created_at", "2026-03-01T12:00:00.000Z");
	}

}
