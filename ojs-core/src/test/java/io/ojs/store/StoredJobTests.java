package io.ojs.store;

import java.time.Instant;
import java.util.Map;

import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What those are told who ask about a job.
 */
class StoredJobTests {

	private static final Instant NOON = Instant.parse("2026-03-15T12:00:00Z");

	private static Job job(JobState state) {
		return Job.builder("019539a4-b68c-7def-8000-1a2b3c4d5e6f", "test.it", "mail")
			.state(state)
			.extensions(Map.of("tenant", "x", "max_attempts", 99))
			.build();
	}

	@Test
	void theStoreKnowsMoreThanTheEnvelope() {
		Job retryable = new StoredJob(job(JobState.RETRYABLE), 3, Map.of(), NOON, null, null, 0).described();
		assertThat(retryable.extensions())
			.isEqualTo(Map.of("tenant", "x", "max_attempts", 3, "next_retry_at", Rfc3339.format(Rfc3339.utc(NOON))));
		Job dead = new StoredJob(job(JobState.DISCARDED), 3, Map.of(), null, NOON, "graveyard", 0).described();
		assertThat(dead.extensions()).isEqualTo(Map.of("tenant", "x", "max_attempts", 3, "dead_lettered_at",
				Rfc3339.format(Rfc3339.utc(NOON)), "dead_letter_queue", "graveyard"));
		assertThat(new JsonJobCodec().decode(new JsonJobCodec().encode(dead))).isEqualTo(dead);
	}

	@Test
	void whatDoesNotApplyIsLeftOut() {
		Job scheduled = new StoredJob(job(JobState.SCHEDULED), 3, Map.of(), NOON, null, null, 0).described();
		assertThat(scheduled.extensions()).containsOnlyKeys("tenant", "max_attempts");
		assertThat(scheduled.queue()).isEqualTo("mail");
	}

}
