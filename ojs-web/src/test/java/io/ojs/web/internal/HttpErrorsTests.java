package io.ojs.web.internal;

import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.client.ControlException;
import io.ojs.client.DuplicateJobException;
import io.ojs.client.EnqueueException;
import io.ojs.client.JobStoreRequiredException;
import io.ojs.client.TenantLimitExceededException;
import io.ojs.client.UnsupportedJobException;
import io.ojs.cron.CronNotFoundException;
import io.ojs.deadletter.NotReplayableException;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import io.ojs.internal.worker.RunConflictException;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.UndecodableJobException;
import io.ojs.middleware.JobRejectedException;
import io.ojs.queue.InvalidQueueConfigException;
import io.ojs.queue.JobTypeNotAllowedException;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.ProducerNotAllowedException;
import io.ojs.queue.QueueDepth;
import io.ojs.queue.QueueExistsException;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.QueueNotAcceptingException;
import io.ojs.queue.QueueNotFoundException;
import io.ojs.queue.QueueState;
import io.ojs.queue.UnknownQueueException;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.tenant.TenantEvent;
import io.ojs.tenant.TenantRequiredException;
import io.ojs.web.HttpError;
import io.ojs.webhook.TooManyWebhooksException;
import io.ojs.webhook.WebhookNotFoundException;
import io.ojs.workflow.IllegalWorkflowStateException;
import io.ojs.workflow.WorkflowState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The answer to each exception: its status, its code, whether the same request may
 * succeed later, and no text from the database.
 */
class HttpErrorsTests {

	private static final String SECRET = "FATAL: role \"ojs\" at 10.0.0.7";

	private static final Job JOB = Job.builder("019539a4-0000-7000-8000-000000000001", "a.b", "mail").build();

	private final HttpErrors errors = new HttpErrors(false);

	static Stream<Arguments> failures() {
		return Stream.of(arguments(new UndecodableJobException("No JSON"), 400, "invalid_payload", Map.of()),
				arguments(new InvalidJobException("args[1]", 7, "must be text"), 400, "invalid_request",
						Map.of("field", "args[1]")),
				arguments(new InvalidJobException("retry", 7, "must be an object"), 400, "invalid_request",
						Map.of("field", "retry")),
				arguments(new InvalidJobException("retry.max_attempts", -1, "must be 0 or more"), 422,
						"invalid_request", Map.of("field", "retry.max_attempts")),
				arguments(new InvalidJobException("jobs[3].options.retry.jitter", 7, "must be a boolean"), 422,
						"invalid_request", Map.of("field", "jobs[3].options.retry.jitter")),
				arguments(new InvalidQueueConfigException("default_retry.retry.x", 7, "is unknown"), 400,
						"invalid_request", Map.of("field", "default_retry.retry.x")),
				arguments(made(TenantRequiredException.class), 422, "invalid_request",
						Map.of("field", "meta.tenant_id")),
				arguments(new JobRejectedException("Not today"), 422, "job_rejected", Map.of()),
				arguments(new JobStoreRequiredException("Looking jobs up"), 422, "unsupported", Map.of()),
				arguments(new UnsupportedJobException("unique", "queue 'mail' has delivery=hand-over."), 422,
						"unsupported", Map.of()),
				arguments(made(QueueNotFoundException.class, "mail"), 404, "not_found",
						Map.of("resource_type", "queue", "resource_id", "mail")),
				arguments(made(CronNotFoundException.class, "nightly"), 404, "not_found",
						Map.of("resource_type", "cron", "resource_id", "nightly")),
				arguments(made(WebhookNotFoundException.class, "sub_1"), 404, "not_found",
						Map.of("resource_type", "subscription", "resource_id", "sub_1")),
				arguments(made(QueueExistsException.class, "mail", QueueState.ACTIVE), 409, "conflict",
						Map.of("queue", "mail")),
				arguments(made(TooManyWebhooksException.class, "acme", 50), 409, "conflict", Map.of()),
				arguments(
						made(NotReplayableException.class,
								new ReplayResult.Skipped("1", SkipReason.EXPIRED, "It is over.")),
						409, "conflict", Map.of()),
				arguments(made(IllegalWorkflowStateException.class, "1", WorkflowState.COMPLETED), 409, "conflict",
						Map.of("current_state", "completed")),
				arguments(new IllegalStateTransitionException(JobState.COMPLETED, JobState.CANCELLED), 409, "conflict",
						Map.of("current_state", "completed", "requested_state", "cancelled")),
				arguments(new RunConflictException("1", JobState.COMPLETED, "It is over."), 409, "conflict",
						Map.of("job_id", "1", "current_state", "completed", "expected_state", "active")),
				arguments(new DuplicateJobException(JOB, "2", JobState.ACTIVE, "key"), 409, "duplicate",
						Map.of("existing_job_id", "2", "existing_job_state", "active", "unique_key", "key")),
				arguments(new JobNotStoredException(JOB, new DuplicateIdException("3", null)), 409, "duplicate",
						Map.of("existing_job_id", "3")),
				arguments(made(ProducerNotAllowedException.class, JOB, "shop", List.of("billing")), 403,
						"PERMISSION_DENIED", Map.of("queue", "mail")),
				arguments(made(JobTypeNotAllowedException.class, JOB, List.of("c.d")), 422, "JOB_TYPE_NOT_ALLOWED",
						Map.of("queue", "mail", "field", "type")),
				arguments(made(QueueNotAcceptingException.class, JOB, QueueState.DRAINING), 422, "QUEUE_PAUSED",
						Map.of("queue", "mail")),
				arguments(made(UnknownQueueException.class, JOB), 422, "INVALID_QUEUE", Map.of("queue", "mail")));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void eachExceptionHasItsStatusCodeAndDetails(OjsException failure, int status, String code,
			Map<String, Object> details) {
		HttpError error = this.errors.of(failure, "req_1");
		assertThat(error.status()).isEqualTo(status);
		assertThat(error.code()).isEqualTo(code);
		assertThat(error.details()).isEqualTo(details);
		assertThat(error.retryable()).isEqualTo(code.equals("QUEUE_PAUSED"));
		assertThat(error.headers()).isEmpty();
		if (status != 404 && !(failure instanceof JobNotStoredException)) {
			assertThat(error.message()).isEqualTo(failure.getMessage());
		}
	}

	@Test
	void deletedQueueDoesNotComeBackByItself() {
		HttpError error = this.errors.of(made(QueueNotAcceptingException.class, JOB, QueueState.DELETED), "req_1");
		assertThat(error.retryable()).isFalse();
	}

	@Test
	void deletedJobHasNoState() {
		HttpError error = this.errors.of(new RunConflictException("1", null, "It is gone."), "req_1");
		assertThat(error.details()).containsEntry("current_state", null);
	}

	static Stream<RuntimeException> outages() {
		return Stream.of(new StoreException(SECRET, null), new StoreUnavailableException(SECRET, null),
				new ControlException(SECRET, null),
				new JobNotStoredException(JOB, new StoreUnavailableException(SECRET, null)), new BrokenEnqueue(false));
	}

	@ParameterizedTest
	@MethodSource("outages")
	void outageIsRetryableAndHidesTheMessageOfTheDatabase(RuntimeException failure) {
		HttpError error = this.errors.of(failure, "req_1");
		assertThat(error.status()).isEqualTo(503);
		assertThat(error.code()).isEqualTo("backend_error");
		assertThat(error.retryable()).isTrue();
		assertThat(error.headers()).containsEntry("Retry-After", "1");
		assertThat(error.toString()).doesNotContain("FATAL", "10.0.0.7");
		assertThat(error.message()).contains("Try again");
	}

	@Test
	void databaseIsNamedIfItIsWhatFailed() {
		assertThat(outages().map((failure) -> this.errors.of(failure, "req_1").message().split(" cannot")[0]))
			.containsExactly("The database", "The database", "The backend (job store or broker)", "The database",
					"The backend (job store or broker)");
	}

	/** If the outcome is unknown, the same request could make the change twice. */
	@ParameterizedTest
	@CsvSource({ "true", "false" })
	void unknownOutcomeIsSaid(boolean unknown) {
		StoreUnavailableException uncommitted = new StoreUnavailableException(SECRET, null, unknown);
		assertThat(Stream.of(new BrokenEnqueue(unknown), new JobNotStoredException(JOB, uncommitted), uncommitted)
			.map((failure) -> this.errors.of(failure, "req_1").message().contains("Look whether it was made")))
			.containsOnly(unknown);
	}

	@Test
	void unexpectedExceptionIsOnlyLogged() {
		HttpError error = this.errors.of(new IllegalStateException(SECRET), "req_1");
		assertThat(error.status()).isEqualTo(500);
		assertThat(error.code()).isEqualTo("backend_error");
		assertThat(error.retryable()).isFalse();
		assertThat(error.toString()).doesNotContain("FATAL", "stack_trace");
	}

	@Test
	void stackTraceIsShownOnlyIfConfiguredAndOfServerErrors() {
		HttpErrors verbose = new HttpErrors(true);
		assertThat(verbose.of(new IllegalStateException("x"), "req_1").details().get("stack_trace")).asString()
			.contains("IllegalStateException", "HttpErrorsTests");
		assertThat(verbose.of(new StoreException("x", null), "req_1").details()).containsKey("stack_trace");
		assertThat(verbose.of(new UndecodableJobException("x"), "req_1").details()).doesNotContainKey("stack_trace");
	}

	@ParameterizedTest
	@CsvSource({ "max_size, 100, 12", "max_size_bytes, 100, 3400" })
	void fullQueueReportsItsDepthInTheUnitOfTheLimit(String limit, long bound, long depth) {
		HttpError error = this.errors.of(
				made(QueueFullException.class, JOB, limit, bound, new QueueDepth(12, 3400), OverflowPolicy.REJECT),
				"req_1");
		assertThat(error.status()).isEqualTo(429);
		assertThat(error.code()).isEqualTo("QUEUE_FULL");
		assertThat(error.retryable()).isTrue();
		assertThat(error.details()).isEqualTo(Map.of("queue", "mail", "limit", limit, "bound", bound, "depth", depth));
		assertThat(error.headers()).isEqualTo(Map.of("Retry-After", "1", "X-OJS-Queue-Depth", Long.toString(depth),
				"X-OJS-Queue-Bound", Long.toString(bound)));
	}

	/** Rounded up: a request that comes too early is refused again. */
	@ParameterizedTest
	@CsvSource({ "PT5S, 5", "PT5.001S, 6", "PT0.2S, 1" })
	void retryAfterOfATenantAtItsLimitIsInWholeSeconds(Duration wait, String seconds) {
		HttpError error = this.errors.of(limited(10, wait), "req_1");
		assertThat(error.status()).isEqualTo(429);
		assertThat(error.code()).isEqualTo("TENANT_LIMIT_EXCEEDED");
		assertThat(error.retryable()).isTrue();
		assertThat(error.headers()).isEqualTo(Map.of("Retry-After", seconds));
		assertThat(error.details())
			.isEqualTo(Map.of("tenant_id", "acme", "limit", "max_scheduled", "current", 9L, "maximum", 10L));
	}

	@Test
	void batchLargerThanTheLimitIsNotRetryable() {
		HttpError error = this.errors.of(limited(11, Duration.ofSeconds(5)), "req_1");
		assertThat(error.status()).isEqualTo(429);
		assertThat(error.retryable()).isFalse();
		assertThat(error.headers()).isEmpty();
	}

	private static TenantLimitExceededException limited(long jobs, Duration wait) {
		return made(TenantLimitExceededException.class, JOB,
				new TenantEvent.Refused("acme", "max_scheduled", 9, 10, jobs), wait);
	}

	/** For constructors that are package-private. */
	private static <T extends OjsException> T made(Class<T> type, @Nullable Object... values) {
		Constructor<?> constructor = Arrays.stream(type.getDeclaredConstructors())
			.filter((each) -> each.getParameterCount() == values.length)
			.findFirst()
			.orElseThrow();
		constructor.setAccessible(true);
		try {
			return type.cast(constructor.newInstance(values));
		}
		catch (ReflectiveOperationException ex) {
			throw new AssertionError("Could not make a %s of %s".formatted(type, Arrays.toString(values)), ex);
		}
	}

	/**
	 * The broker did not confirm a job.
	 */
	@SuppressWarnings("serial")
	private static final class BrokenEnqueue extends EnqueueException {

		private final boolean unknown;

		BrokenEnqueue(boolean unknown) {
			super(ErrorCode.BACKEND_UNAVAILABLE, SECRET, JOB, null);
			this.unknown = unknown;
		}

		@Override
		public boolean isOutcomeUnknown() {
			return this.unknown;
		}

	}

}
