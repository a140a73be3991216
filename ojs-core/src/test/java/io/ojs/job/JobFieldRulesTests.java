package io.ojs.job;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.ojs.job.internal.JobRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The rules of the other fields of the envelope (OJS Core §5.1, §5.2), alone and as a
 * {@link Job} applies them.
 */
class JobFieldRulesTests {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	@ParameterizedTest
	@ValueSource(ints = { -100, -10, 0, 10, 100 })
	void priorityIsBetweenMinus100And100(int priority) {
		assertThat(JobRules.priority(priority)).isEqualTo(priority);
	}

	@ParameterizedTest
	@ValueSource(ints = { -101, 101, 999_999, Integer.MIN_VALUE, Integer.MAX_VALUE })
	void priorityIsNothingElse(int priority) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.priority(priority))
			.withMessage("Invalid job: 'priority' must be between -100 and 100, but was %d.", priority);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT1S", "PT30M", "PT720H", "PT2147483647S" })
	void timeoutIsInWholeSeconds(Duration timeout) {
		assertThat(JobRules.timeout(timeout)).isEqualTo(timeout);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.5S", "PT1.5S", "PT1.000000001S", "PT2147483648S",
			"PT9223372036854775807S" })
	void timeoutIsNothingElse(Duration timeout) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.timeout(timeout))
			.withMessageContainingAll("'timeout'", "whole number of seconds", "1 to 2147483647", timeout.toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "1.0", "1.0.0", "1.1", "1.0.0-rc.1" })
	void specVersionIsOneOfTheFirstMajorVersion(String version) {
		assertThat(JobRules.specVersion(version)).isEqualTo(version);
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "1", "2.0", "0.2", "1.", "1.x", "10.0", "1.0\n" })
	void specVersionIsNothingElse(String version) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobRules.specVersion(version))
			.withMessageContaining("'specversion'");
	}

	static Stream<Arguments> brokenFields() {
		OffsetDateTime tooLate = OffsetDateTime.parse("+10000-01-01T00:00:00Z");
		OffsetDateTime oddOffset = OffsetDateTime.parse("2026-01-01T00:00:00+01:00:01");
		return Stream.of(broken("specversion", (job) -> job.specVersion("2.0")),
				broken("priority", (job) -> job.priority(101)),
				broken("timeout", (job) -> job.timeout(Duration.ofMillis(1))),
				broken("attempt", (job) -> job.attempt(-1)), broken("scheduled_at", (job) -> job.scheduledAt(tooLate)),
				broken("expires_at", (job) -> job.expiresAt(tooLate)),
				broken("created_at", (job) -> job.createdAt(tooLate)),
				broken("enqueued_at", (job) -> job.enqueuedAt(tooLate)),
				broken("started_at", (job) -> job.startedAt(oddOffset)),
				broken("completed_at", (job) -> job.completedAt(oddOffset)));
	}

	private static Arguments broken(String field, UnaryOperator<JobBuilder> change) {
		return Arguments.of(field, change);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("brokenFields")
	void noJobBreaksThem(String field, UnaryOperator<JobBuilder> change) {
		JobBuilder job = change.apply(Job.builder(ID, "a.b", "default"));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(job::build)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	@ParameterizedTest
	@ValueSource(strings = { "specversion", "id", "type", "queue", "args", "meta", "priority", "timeout",
			"scheduled_at", "expires_at", "retry", "state", "attempt", "created_at", "enqueued_at", "started_at",
			"completed_at", "result", "errors" })
	void extensionIsNoFieldOfTheEnvelope(String field) {
		JobBuilder job = Job.builder(ID, "a.b", "default").extensions(Map.of(field, "x"));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(job::build)
			.withMessageContainingAll("'" + field + "'", "must not be set as an extension")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	@Test
	void badIdTypeOrQueueMakesNoJob() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(Job.builder("x", "a.b", "default")::build)
			.withMessageContaining("'id'");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(Job.builder(ID, "A.b", "default")::build)
			.withMessageContaining("'type'");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(Job.builder(ID, "a.b", "dlx.a")::build)
			.withMessageContaining("'queue'");
	}

	@Test
	void tagsAreTheTextsInMetaTags() {
		Job job = Job.builder(ID, "a.b", "default").meta(Map.of("tags", List.of("one", 2, "three"))).build();
		assertThat(job.tags()).containsExactly("one", "three");
		assertThat(job.toBuilder().meta(Map.of("tags", "one")).build().tags()).isEmpty();
		assertThat(job.toBuilder().meta(Map.of()).build().tags()).isEmpty();
	}

}
