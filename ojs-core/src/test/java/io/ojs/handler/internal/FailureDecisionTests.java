package io.ojs.handler.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.ojs.event.internal.Transition;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.retry.FailureResponse;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FailureDecisionTests {

	private static final RetryPolicy POLICY = RetryPolicy.DEFAULT
		.with(new RetryOverrides(3, Duration.ofSeconds(2), null, null, false, List.of("Auth.*"), null, null, Map.of()));

	private static FailureDecision decide(RetryPolicy policy, String type, FailureResponse response, int attempt) {
		JobError error = new JobError(type, "X", "no", attempt, Rfc3339.utc(Instant.EPOCH), List.of(), Map.of());
		return FailureDecision.of(JobFailure.recorded(error, response), policy, attempt, new Random(1));
	}

	private static Transition transition(RetryPolicy policy, FailureResponse response, int attempt) {
		return decide(policy, "Net", response, attempt).transition();
	}

	@Test
	void retriesAsLongAsThereAreAttempts() {
		FailureDecision decision = decide(POLICY, "Net", FailureResponse.RETRY, 2);
		assertThat(decision.transition()).isEqualTo(Transition.RETRY);
		assertThat(decision.isRetried()).isTrue();
		assertThat(decision.delay()).isEqualTo(Duration.ofSeconds(4));
		assertThat(decision.error().code()).isEqualTo("X");
		assertThat(decide(POLICY, "Net", FailureResponse.RETRY, 1).delay()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void theLastAttemptMakesADeadLetterOfWhatWasWrong() {
		FailureDecision decision = decide(POLICY, "Net", FailureResponse.RETRY, 3);
		assertThat(decision.transition()).isEqualTo(Transition.EXHAUST);
		assertThat(decision.isRetried()).isFalse();
		assertThat(decision.isDeadLetter()).isTrue();
		assertThat(decision.error().code()).isEqualTo("X");
		assertThat(transition(POLICY, FailureResponse.RETRY, 4)).isEqualTo(Transition.EXHAUST);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void policyOfNoOrOneAttemptIsExhaustedAtOnce(int attempts) {
		assertThat(transition(POLICY.with(RetryOverrides.NONE.maxAttempts(attempts)), FailureResponse.RETRY, 1))
			.isEqualTo(Transition.EXHAUST);
	}

	@Test
	void lastPossibleAttemptIsNoOverflow() {
		RetryPolicy policy = POLICY.with(RetryOverrides.NONE.maxAttempts(Integer.MAX_VALUE));
		assertThat(transition(policy, FailureResponse.RETRY, Integer.MAX_VALUE - 1)).isEqualTo(Transition.RETRY);
		assertThat(transition(policy, FailureResponse.RETRY, Integer.MAX_VALUE)).isEqualTo(Transition.EXHAUST);
	}

	@Test
	void whatThePolicyDoesNotRetryIsCalledSo() {
		FailureDecision decision = decide(POLICY, "Auth.Expired", FailureResponse.RETRY, 1);
		assertThat(decision.transition()).isEqualTo(Transition.REJECT);
		assertThat(decision.error().code()).isEqualTo(JobError.NON_RETRYABLE_ERROR);
		assertThat(decision.error().type()).isEqualTo("Auth.Expired");
	}

	@Test
	void discardsIfThePolicySaysSo() {
		RetryPolicy discards = POLICY.with(RetryOverrides.NONE.onExhaustion(OnExhaustion.DISCARD));
		assertThat(transition(discards, FailureResponse.RETRY, 3)).isEqualTo(Transition.EXHAUST_AND_DISCARD);
		FailureDecision rejected = decide(discards, "Auth.Expired", FailureResponse.RETRY, 1);
		assertThat(rejected.transition()).isEqualTo(Transition.REJECT_AND_DISCARD);
		assertThat(rejected.isDeadLetter()).isFalse();
		assertThat(rejected.error().code()).isEqualTo("X");
	}

	@Test
	void handlerOverrulesThePolicy() {
		RetryPolicy discards = POLICY.with(RetryOverrides.NONE.onExhaustion(OnExhaustion.DISCARD));
		assertThat(transition(discards, FailureResponse.DEAD_LETTER, 1)).isEqualTo(Transition.REJECT);
		assertThat(transition(POLICY, FailureResponse.DISCARD, 1)).isEqualTo(Transition.REJECT_AND_DISCARD);
		assertThat(transition(POLICY, FailureResponse.FAIL, 1)).isEqualTo(Transition.REJECT_AND_DISCARD);
	}

}
