package io.ojs.handler.internal;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import io.ojs.handler.ArgumentMismatchException;
import io.ojs.handler.JobExpiredException;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.UnknownJobTypeException;
import io.ojs.job.ErrorCause;
import io.ojs.job.JobError;
import io.ojs.job.UndecodableJobException;
import io.ojs.retry.FailureResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What an exception says about an attempt: the error to record (OJS Errors §4, §6), and
 * whether trying again can help.
 */
class JobFailureTests {

	private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-15T09:30:00.123456Z"), ZoneOffset.UTC);

	static List<Arguments> throwables() {
		return List.of(arguments(new IllegalStateException("no"), JobError.HANDLER_ERROR, FailureResponse.RETRY),
				arguments(new Exception("no"), JobError.HANDLER_ERROR, FailureResponse.RETRY),
				arguments(new InterruptedException("no"), JobError.HANDLER_ERROR, FailureResponse.RETRY),
				arguments(new StackOverflowError("no"), JobError.HANDLER_PANIC, FailureResponse.RETRY),
				arguments(new AssertionError("no"), JobError.HANDLER_PANIC, FailureResponse.RETRY),
				arguments(new ArgumentMismatchException("no", null), JobError.INVALID_ARGS,
						FailureResponse.DEAD_LETTER),
				arguments(new UnknownJobTypeException("a.b", "default"), JobError.INVALID_JOB_TYPE,
						FailureResponse.DEAD_LETTER),
				arguments(new UndecodableJobException("no"), JobError.INVALID_PAYLOAD, FailureResponse.DEAD_LETTER),
				arguments(new JobExpiredException(OffsetDateTime.parse("2026-01-01T00:00:00Z")), JobError.JOB_EXPIRED,
						FailureResponse.DEAD_LETTER));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("throwables")
	void hasACodeAndAnAnswerToWhetherTryingAgainCanHelp(Throwable thrown, String code, FailureResponse response) {
		JobFailure failure = JobFailure.of(thrown, 2, CLOCK);
		assertThat(failure.error().code()).isEqualTo(code);
		assertThat(failure.response()).isEqualTo(response);
		assertThat(failure.error().type()).isEqualTo(thrown.getClass().getName());
		assertThat(failure.error().message()).isEqualTo(thrown.getMessage());
		assertThat(failure.error().attempt()).isEqualTo(2);
		assertThat(failure.error().occurredAt()).isEqualTo("2026-03-15T09:30:00.123Z");
	}

	@ParameterizedTest
	@EnumSource
	void ofAHandlerThatKnowsBetterIsInItsOwnWords(FailureResponse response) {
		JobFailure failure = JobFailure.of(new JobFailedException(response, "payment.declined", "The card is stolen.",
				Map.of("card", "4242"), new IllegalStateException("cause")), 1, CLOCK);
		assertThat(failure.response()).isEqualTo(response);
		assertThat(failure.error().type()).isEqualTo("payment.declined");
		assertThat(failure.error().code()).isEqualTo(JobError.HANDLER_ERROR);
		assertThat(failure.error().message()).isEqualTo("The card is stolen.");
		assertThat(failure.error().details()).isEqualTo(Map.of("card", "4242"));
	}

	@Test
	void shorthandsSayWhatTheyAreCalled() {
		assertThat(JobFailedException.retry("a", "b").response()).isEqualTo(FailureResponse.RETRY);
		assertThat(JobFailedException.discard("a", "b").response()).isEqualTo(FailureResponse.DISCARD);
		assertThat(JobFailedException.deadLetter("a", "b").response()).isEqualTo(FailureResponse.DEAD_LETTER);
	}

	@Test
	@SuppressWarnings("NullAway")
	void withoutATypeIsRefusedWhereItIsMade() {
		// Later, where the delivery is settled, it would settle nothing.
		assertThatNullPointerException().isThrownBy(() -> JobFailedException.retry(nothing(), "b"))
			.withMessageContaining("type");
	}

	@SuppressWarnings({ "NullAway", "TypeParameterUnusedInFormals" })
	private static <T> T nothing() {
		return null;
	}

	@Test
	void hasTheNameOfTheExceptionIfItHasNoMessage() {
		assertThat(JobFailure.of(new IllegalStateException(), 1, CLOCK).error().message())
			.isEqualTo("IllegalStateException");
	}

	@Test
	void ofAnExceptionThatFailsToSayWhyHasItsName() {
		class Mute extends RuntimeException {

			private static final long serialVersionUID = 1L;

			@Override
			public String getMessage() {
				throw new IllegalStateException("not even that");
			}

		}
		assertThat(JobFailure.of(new Mute(), 1, CLOCK).error().message()).isEqualTo("Mute");
	}

	@Test
	void keepsTheFirstFiftyFramesInOrder() {
		IllegalStateException thrown = new IllegalStateException("deep");
		StackTraceElement[] frames = new StackTraceElement[80];
		for (int i = 0; i < frames.length; i++) {
			frames[i] = new StackTraceElement("io.example.A", "m" + i, "A.java", i);
		}
		thrown.setStackTrace(frames);
		List<String> backtrace = JobFailure.of(thrown, 1, CLOCK).error().backtrace();
		assertThat(backtrace).hasSize(50)
			.startsWith("io.example.A.m0(A.java:0)")
			.endsWith("io.example.A.m49(A.java:49)");
		thrown.setStackTrace(new StackTraceElement[0]);
		assertThat(JobFailure.of(thrown, 1, CLOCK).error().backtrace()).isEmpty();
	}

	@Test
	void causesAreKeptWithTheFramesThatOthersDoNotHave() {
		Exception thrown = new IllegalStateException("outer",
				new java.io.IOException("inner", new Error((String) null)));
		JobError error = JobFailure.of(thrown, 1, Clock.systemUTC()).error();
		assertThat(error.causes()).extracting(ErrorCause::type)
			.containsExactly("java.io.IOException", "java.lang.Error");
		assertThat(error.causes()).extracting(ErrorCause::message).containsExactly("inner", "");
		assertThat(error.causes().get(0).frames()).as("all but the common ones").hasSizeLessThanOrEqualTo(1);
	}

	@Test
	void causesOfAnEncryptedJobHaveNoMessages() {
		Exception thrown = new IllegalStateException("outer", new IllegalArgumentException("card 4711"));
		JobError error = JobFailure.of(thrown, 1, Clock.systemUTC(), true).error();
		assertThat(error.message()).isEqualTo("outer");
		assertThat(error.causes()).extracting(ErrorCause::type).containsExactly("java.lang.IllegalArgumentException");
		assertThat(error.toString()).doesNotContain("4711");
	}

	@Test
	void causesAreBoundedInNumberAndSize() {
		Exception thrown = new Exception("last");
		for (int i = 0; i < 50; i++) {
			thrown = new Exception("x".repeat(100_000), thrown);
		}
		Exception circular = new Exception("a");
		circular.initCause(new Exception("b", circular));
		JobError error = JobFailure.of(thrown, 1, Clock.systemUTC()).error();
		assertThat(error.causes()).hasSize(5).allSatisfy((cause) -> {
			assertThat(cause.message()).hasSize(500);
			assertThat(cause.frames()).hasSizeLessThanOrEqualTo(20);
		});
		assertThat(JobFailure.of(circular, 1, Clock.systemUTC()).error().causes()).hasSize(1);
	}

	@Test
	void causeWhoseGettersThrowIsKeptAllTheSame() {
		Exception thrown = new Exception("outer", new RuntimeException() {

			@Override
			public String getMessage() {
				throw new IllegalStateException();
			}

			@Override
			public synchronized Throwable getCause() {
				throw new IllegalStateException();
			}

		});
		assertThat(JobFailure.of(thrown, 1, Clock.systemUTC()).error().causes()).singleElement()
			.satisfies((cause) -> assertThat(cause.message()).isEmpty());
	}

}
