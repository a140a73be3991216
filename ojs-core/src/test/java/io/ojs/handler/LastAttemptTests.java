package io.ojs.handler;

import java.util.HashMap;
import java.util.Map;

import io.ojs.handler.internal.HandlerFixture;
import io.ojs.job.Job;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler can know that nobody will try after it.
 */
class LastAttemptTests {

	@ParameterizedTest
	@CsvSource({ "1, 3, false", "2, 3, false", "3, 3, true", "4, 3, true", "1, 1, true" })
	void isTheOneThatNoneFollows(int attempt, int maxAttempts, boolean last) {
		Job job = Job.builder(HandlerFixture.ID, "a.b", "default").build();
		JobContext context = new JobContext() {
			@Override
			public Job job() {
				return job;
			}

			@Override
			public int attempt() {
				return attempt;
			}

			@Override
			public int maxAttempts() {
				return maxAttempts;
			}

			@Override
			public boolean isCancelled() {
				return false;
			}

			@Override
			public void heartbeat() {
				throw new UnsupportedOperationException();
			}

			@Override
			public void progress(double progress, String message) {
				// Nobody listens.
			}

			@Override
			public Map<String, Object> attributes() {
				return new HashMap<>();
			}
		};
		assertThat(context.isLastAttempt()).isEqualTo(last);
	}

}
