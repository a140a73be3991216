package io.ojs.handler.internal;

import java.time.Duration;

import io.ojs.job.Job;
import io.ojs.retry.RetryOverrides;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whose timeout counts.
 */
class TimeoutsTests {

	private final Timeouts timeouts = new Timeouts(
			(queue) -> queue.equals("slow") ? Duration.ofHours(1) : Timeouts.DEFAULT);

	@Test
	@Tag("QC-6.2-4")
	@Tag("QC-7.3-1")
	@Tag("QC-11.3-4")
	void jobThenHandlerThenQueueThenHalfAnHour() {
		assertThat(this.timeouts.of(job("slow", 5), handler(Duration.ofSeconds(10)))).hasSeconds(5);
		assertThat(this.timeouts.of(job("slow", 0), handler(Duration.ofSeconds(10)))).hasSeconds(10);
		assertThat(this.timeouts.of(job("slow", 0), handler(null))).hasHours(1);
		assertThat(this.timeouts.of(job("other", 0), handler(null))).hasMinutes(30);
	}

	private static Job job(String queue, int seconds) {
		Job job = Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "a.b", queue).build();
		return (seconds > 0) ? job.toBuilder().timeout(Duration.ofSeconds(seconds)).build() : job;
	}

	private static JobHandlerDefinition handler(@Nullable Duration timeout) {
		return new JobHandlerDefinition("a.b", "slow", 0, timeout, RetryOverrides.NONE, (context) -> null, "test");
	}

}
