package io.ojs.handler.internal;

import java.time.Duration;

import io.ojs.handler.InvalidJobHandlerException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The job's own retry policy lies on its handler's, which lies on its queue's (OJS Retry
 * §8.1).
 */
class RetryPolicyLayersTests {

	private static final RetryPolicy SLOW = RetryPolicy.DEFAULT.with(RetryOverrides.NONE.maxAttempts(7)
		.initialInterval(Duration.ofMinutes(10))
		.maxInterval(Duration.ofHours(1)));

	private final RetryPolicies policies = new RetryPolicies(
			(queue) -> queue.equals("slow") ? SLOW : RetryPolicy.DEFAULT,
			HandlerFixture.handlers(
					HandlerFixture.definition("report.run", "slow", RetryOverrides.NONE.maxAttempts(5).jitter(false)),
					HandlerFixture.definition("email.send", "default", RetryOverrides.NONE)));

	@Test
	void lieOnEachOther() {
		RetryPolicy policy = this.policies.of(job("report.run", "slow", RetryOverrides.NONE.backoffCoefficient(3)));
		assertThat(policy).isEqualTo(SLOW.with(RetryOverrides.NONE.maxAttempts(5).jitter(false).backoffCoefficient(3)));
		assertThat(policy.initialInterval()).hasMinutes(10);
	}

	@Test
	void upperOnesWin() {
		assertThat(this.policies.of(job("report.run", "slow", RetryOverrides.NONE.maxAttempts(2))).maxAttempts())
			.isEqualTo(2);
	}

	@Test
	void jobWithoutHandlerHasTheQueuesPolicy() {
		assertThat(this.policies.of(job("foreign.type", "slow", null))).isEqualTo(SLOW);
		assertThat(this.policies.ofReceived(job("foreign.type", "slow", null))).isEqualTo(SLOW);
	}

	@Test
	void jobInAnotherQueueThanItsHandlersHasThatQueuesPolicyAlone() {
		assertThat(this.policies.of(job("report.run", "default", null))).isEqualTo(RetryPolicy.DEFAULT);
	}

	@Test
	void jobThatIsEnqueuedMustFitTheLayersBelow() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.policies
				.of(job("email.send", "default", RetryOverrides.NONE.initialInterval(Duration.ofMinutes(6)))))
			.withMessageContainingAll("'retry.max_interval'", "PT6M", "PT5M");
		// What does not fit one queue fits another.
		assertThat(this.policies.of(job("a.b", "slow", RetryOverrides.NONE.initialInterval(Duration.ofMinutes(6))))
			.initialInterval()).hasMinutes(6);
	}

	@Test
	void jobThatCameHasItsWayWhereTheLayersBelowDoNotFit() {
		RetryPolicy longer = this.policies
			.ofReceived(job("email.send", "default", RetryOverrides.NONE.initialInterval(Duration.ofMinutes(6))));
		assertThat(longer.initialInterval()).hasMinutes(6);
		assertThat(longer.maxInterval()).hasMinutes(6);
		RetryPolicy shorter = this.policies
			.ofReceived(job("email.send", "default", RetryOverrides.NONE.maxInterval(Duration.ofMillis(200))));
		assertThat(shorter.initialInterval()).hasMillis(200);
		assertThat(shorter.maxInterval()).hasMillis(200);
	}

	@Test
	void jobThatCameKeepsTheLayersBelowWhereTheyFit() {
		RetryPolicy policy = this.policies
			.ofReceived(job("email.send", "default", RetryOverrides.NONE.initialInterval(Duration.ofSeconds(30))));
		assertThat(policy.initialInterval()).hasSeconds(30);
		assertThat(policy.maxInterval()).hasMinutes(5);
		assertThat(this.policies
			.ofReceived(job("email.send", "default", RetryOverrides.NONE.maxInterval(Duration.ofMinutes(1))))
			.initialInterval()).hasSeconds(1);
	}

	@Test
	void handlerThatDoesNotFitItsQueueDoesNotStart() {
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> new RetryPolicies((queue) -> SLOW,
					HandlerFixture.handlers(HandlerFixture.definition("email.send", "slow",
							RetryOverrides.NONE.maxInterval(Duration.ofMinutes(1))))))
			.withMessageContainingAll("X.email.send", "max_interval", "PT1M", "PT10M")
			.satisfies((ex) -> assertThat(ex.fix()).contains("@OjsRetry", "queue 'slow'"));
	}

	private static Job job(String type, String queue, RetryOverrides retry) {
		return Job.builder(HandlerFixture.ID, type, queue).retry(retry).build();
	}

}
