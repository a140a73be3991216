package io.ojs.client;

import java.util.List;

import io.ojs.ErrorCode;
import io.ojs.job.Job;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a batch ended of which a part is not known to be safe.
 */
class BatchEnqueueExceptionTests {

	private static final Job SAFE = Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "a.b", "default").build();

	private static final Job LOST = Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e10", "a.b", "default").build();

	@Test
	void tellsWhichJobsAreSafeAndWhatBecameOfTheOthers() {
		EnqueueException failure = new Failure(LOST, false);
		BatchEnqueueException batch = new BatchEnqueueException(List.of(SAFE, SAFE), List.of(failure));
		assertThat(batch).hasMessage("1 of 3 jobs were not enqueued. The first: gone").hasCause(failure);
		assertThat(batch.enqueued()).containsExactly(SAFE, SAFE);
		assertThat(batch.failures()).containsExactly(failure);
		assertThat(batch.failures().get(0).job()).isEqualTo(LOST);
	}

	@Test
	void isUncertainIfOneOfThemIs() {
		assertThat(new BatchEnqueueException(List.of(), List.of(new Failure(LOST, false))).isOutcomeUnknown())
			.isFalse();
		assertThat(new BatchEnqueueException(List.of(), List.of(new Failure(LOST, false), new Failure(SAFE, true)))
			.isOutcomeUnknown()).isTrue();
	}

	private static final class Failure extends EnqueueException {

		private static final long serialVersionUID = 1L;

		private final boolean unknown;

		Failure(Job job, boolean unknown) {
			super(ErrorCode.BACKEND_ERROR, "gone", job, null);
			this.unknown = unknown;
		}

		@Override
		public boolean isOutcomeUnknown() {
			return this.unknown;
		}

	}

}
