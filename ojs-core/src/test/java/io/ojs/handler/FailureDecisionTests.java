package io.ojs.handler;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.ojs.job.JobError;
import io.ojs.job.Rfc3339;
import io.ojs.retry.FailureResponse;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailureDecisionTests {

	private static final RetryPolicy POLICY = RetryPolicy.DEFAULT
		.with(new RetryOverrides(3, Duration.ofSeconds(2), null, null, false, List.of("Auth.*"), null, null, Map.of()));

	private static FailureDecision decide(RetryPolicy policy, String type, FailureResponse response, int attempt) {
		JobError error = new JobError(type, "X", "no", attempt, Rfc3339.utc(Instant.EPOCH), List.of(), Map.of());
		return FailureDecision.of(JobFailure.recorded(error, response), policy, attempt, new Random(1));
	}

	@Test
	void retriesAsLongAsThereAreAttempts() {
		assertThat(decide(POLICY, "Net", FailureResponse.RETRY, 2)).isInstanceOfSatisfying(FailureDecision.Retry.class,
				(retry) -> {
					assertThat(retry.delay()).isEqualTo(Duration.ofSeconds(4));
					assertThat(retry.failure().error().code()).isEqualTo("X");
				});
	}

	@Test
	void theLastAttemptMakesADeadLetterOfWhatWasWrong() {
		assertThat(decide(POLICY, "Net", FailureResponse.RETRY, 3))
			.isInstanceOfSatisfying(FailureDecision.DeadLetter.class, (dead) -> {
				assertThat(dead.exhausted()).isTrue();
				assertThat(dead.failure().error().code()).isEqualTo("X");
			});
	}

	@Test
	void whatThePolicyDoesNotRetryIsCalledSo() {
		assertThat(decide(POLICY, "Auth.Expired", FailureResponse.RETRY, 1))
			.isInstanceOfSatisfying(FailureDecision.DeadLetter.class, (dead) -> {
				assertThat(dead.exhausted()).isFalse();
				assertThat(dead.failure().error().code()).isEqualTo(JobError.NON_RETRYABLE_ERROR);
				assertThat(dead.failure().error().type()).isEqualTo("Auth.Expired");
			});
	}

	@Test
	void discardsIfThePolicyOrTheHandlerSaysSo() {
		RetryPolicy discards = POLICY.with(RetryOverrides.NONE.onExhaustion(OnExhaustion.DISCARD));
		assertThat(decide(discards, "Net", FailureResponse.RETRY, 3))
			.isInstanceOfSatisfying(FailureDecision.Discard.class, (gone) -> assertThat(gone.exhausted()).isTrue());
		assertThat(decide(POLICY, "Net", FailureResponse.DISCARD, 1))
			.isInstanceOfSatisfying(FailureDecision.Discard.class, (gone) -> assertThat(gone.exhausted()).isFalse());
	}

}
