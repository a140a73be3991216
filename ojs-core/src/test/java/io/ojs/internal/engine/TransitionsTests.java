package io.ojs.internal.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.JobState;
import io.ojs.store.internal.Retention;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class TransitionsTests {

	private static final Duration DAY = Duration.ofDays(1);

	private static final Retention KEPT = new Retention(DAY, DAY, DAY, DAY);

	@Test
	void leaveACompletedJobAsItIs() {
		JobRow row = new JobRow(UUID.randomUUID());
		row.state = JobState.COMPLETED;
		Transitions transitions = new Transitions(new JobRowCodec(new JsonJobCodec(), Clock.systemUTC()),
				(queue) -> KEPT, (queue) -> queue, () -> null, Instant.EPOCH);
		for (Consumer<JobRow> transition : List.<Consumer<JobRow>>of((job) -> transitions.release(job, null),
				(job) -> transitions.start(job, "worker", Instant.EPOCH.plus(DAY)), transitions::handOver)) {
			assertThatIllegalStateException().isThrownBy(() -> transition.accept(row))
				.withMessageContaining(row.id + " is COMPLETED");
			assertThat(row.state).isEqualTo(JobState.COMPLETED);
		}
		assertThat(transitions.changed()).isEmpty();
		assertThat(transitions.events()).isEmpty();
	}

}
