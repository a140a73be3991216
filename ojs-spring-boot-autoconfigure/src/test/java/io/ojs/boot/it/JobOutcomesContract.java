package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.OjsOperations;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.event.JobEvent;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import io.ojs.middleware.JobRejectedException;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What becomes of jobs, whoever works them: a worker with a job store, or the jobs in
 * memory that applications are tested with. Both have the same outcome, or tests lie.
 */
abstract class JobOutcomesContract {

	/** What the application of both has in its configuration. */
	static final Map<String, Object> PROPERTIES = Map.of("ojs.queues.desk.retry.max-attempts", 2,
			"ojs.queues.desk.retry.initial-interval", "100ms", "ojs.queues.desk.retry.jitter", false,
			"ojs.queues.desk.retry.non-retryable-errors", "java.lang.ArithmeticException", "ojs.tenancy.enabled", true,
			"ojs.tenancy.required", false, "ojs.encryption.keys.k1", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
			"ojs.encryption.types", "desk.secret");

	abstract OjsOperations ojs();

	abstract TransactionTemplate transactions();

	/** Waits until these jobs have ended, or has them run. */
	abstract void finish(Job... jobs);

	/** Has time pass, in a handler. */
	abstract void pass(Duration duration) throws InterruptedException;

	@BeforeEach
	final void clear() {
		OutcomesDesk.clear(this::pass);
	}

	@Test
	void success() {
		Job job = ojs().enqueue("desk.add", 2, 3);
		assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
		finish(job);
		Job done = now(job);
		assertThat(done.state()).isEqualTo(JobState.COMPLETED);
		assertThat(done.result()).isEqualTo(5);
		assertThat(done.attempt()).isEqualTo(1);
		assertThat(done.completedAt()).isNotNull();
		assertThat(worked(job)).containsExactly("started", "completed");
		assertThat(told(job)).containsOnlyOnce("enqueued");
	}

	@Test
	void aFailureThatIsTriedAgainSucceeds() {
		Job job = ojs().enqueue("desk.second", "a");
		finish(job);
		Job done = now(job);
		assertThat(done.state()).isEqualTo(JobState.COMPLETED);
		assertThat(done.attempt()).isEqualTo(2);
		assertThat(done.result()).isEqualTo("a: no luck at attempt 1 of 2");
		assertThat(done.errors()).extracting(JobError::attempt).containsExactly(1);
		assertThat(worked(job)).containsExactly("started", "failed", "retrying", "started", "completed");
		assertThat(told(job)).containsOnlyOnce("enqueued");
	}

	/** What a handler throws, the error that is recorded, and what is told. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					state    | 2 | java.lang.IllegalStateException | HANDLER_ERROR       | started failed retrying started failed retry_exhausted dead_lettered
					error    | 2 | java.lang.StackOverflowError    | HANDLER_PANIC       | started failed retrying started failed retry_exhausted dead_lettered
					slow     | 2 | timeout                         | HANDLER_TIMEOUT     | started failed retrying started failed retry_exhausted dead_lettered
					never    | 1 | java.lang.ArithmeticException   | NON_RETRYABLE_ERROR | started failed dead_lettered
					dead     | 1 | desk.dead                       | HANDLER_ERROR       | started failed dead_lettered
					discard  | 1 | desk.gone                       | HANDLER_ERROR       | started failed discarded
					argument | 1 | io.ojs.handler.ArgumentMismatchException | INVALID_ARGS | started failed dead_lettered
					""")
	void failure(String how, int attempts, String type, String code, String events) {
		Job job = how.equals("argument") ? ojs().enqueue("desk.fail", Map.of()) : ojs().enqueue("desk.fail", how);
		finish(job);
		Job failed = now(job);
		assertThat(failed.state()).isEqualTo(JobState.DISCARDED);
		assertThat(failed.attempt()).isEqualTo(attempts);
		assertThat(failed.errors()).hasSize(attempts);
		JobError last = failed.errors().get(attempts - 1);
		assertThat(last.type()).isEqualTo(type);
		assertThat(last.code()).isEqualTo(code);
		assertThat(last.attempt()).isEqualTo(attempts);
		assertThat(failed.extensions().get("dead_letter_queue")).isEqualTo(how.equals("discard") ? null : "desk");
		assertThat(failed.extensions().containsKey("dead_lettered_at")).isEqualTo(!how.equals("discard"));
		assertThat(worked(job)).containsExactly(events.split(" "));
	}

	@Test
	void aFailureThatCannotBeKeptIsADeadLetter() {
		Job job = ojs().enqueue("desk.unwritable");
		finish(job);
		assertThat(now(job).state()).isEqualTo(JobState.DISCARDED);
		assertThat(now(job).errors()).singleElement()
			.satisfies((error) -> assertThat(error.message()).contains("JSON"));
		assertThat(worked(job)).containsExactly("started", "failed", "dead_lettered");
	}

	@Test
	void aScheduledJobRunsWhenItIsDue() {
		Instant time = time().plusSeconds(5);
		Job job = ojs().enqueue(JobRequest.of("desk.add", 1, 1).scheduledAt(time));
		assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
		finish(job);
		assertThat(now(job).state()).isEqualTo(JobState.COMPLETED);
		// A broker may be some milliseconds early.
		assertThat(now(job).startedAt().toInstant()).isAfter(time.minusMillis(500));
		assertThat(OutcomesDesk.runs).containsExactly(job.id());
		assertThat(told(job)).containsExactlyInAnyOrder("scheduled", "enqueued", "started", "completed")
			.startsWith("scheduled");
	}

	@Test
	void aJobThatIsTooLateIsADeadLetter() {
		Job job = ojs().enqueue(JobRequest.of("desk.add", 1, 1).expiresAt(time().minusSeconds(1)));
		finish(job);
		Job late = now(job);
		assertThat(late.state()).isEqualTo(JobState.DISCARDED);
		assertThat(late.attempt()).isZero();
		assertThat(late.errors()).extracting(JobError::type, JobError::code, JobError::attempt)
			.containsExactly(tuple("job_expired", "JOB_EXPIRED", 0));
		assertThat(worked(job)).containsExactly("expired", "dead_lettered");
	}

	@Test
	void theSecondOfAKindIsRefusedOrDropped() {
		JobRequest request = later("later.one").unique((unique) -> unique);
		Job first = ojs().enqueue(request);
		assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> ojs().enqueue(request))
			.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(first.id()))
			.satisfies((ex) -> assertThat(ex.existingJobState()).isEqualTo(JobState.SCHEDULED));
		assertThat(ojs().enqueue(request.unique((unique) -> unique.onConflict(OnConflict.IGNORE))).id())
			.isEqualTo(first.id());
		JobRequest other = JobRequest.of("later.one", 1).queue("desk").scheduledAt(time().plusSeconds(3600));
		assertThat(ojs().enqueue(other.unique((unique) -> unique.keys(UniqueDimension.ARGS))).id())
			.isNotEqualTo(first.id());
		ojs().cancel(first.id());
		assertThat(ojs().enqueue(request).state()).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void theSecondOfAKindTakesThePlaceOfTheFirst() {
		Job first = ojs().enqueue(later("later.replaced"));
		Job second = ojs().enqueue(later("later.replaced").unique((unique) -> unique.onConflict(OnConflict.REPLACE)));
		assertThat(now(first).state()).isEqualTo(JobState.SCHEDULED);
		Job third = ojs().enqueue(later("later.replaced").unique((unique) -> unique.onConflict(OnConflict.REPLACE)));
		assertThat(now(second).state()).isEqualTo(JobState.CANCELLED);
		assertThat(worked(second)).containsExactly("cancelled");
		Job merged = ojs().enqueue(later("later.replaced").meta("new", true)
			.scheduledAt(time().plusSeconds(7200))
			.unique((unique) -> unique.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE)));
		assertThat(merged.id()).isEqualTo(third.id());
		assertThat(now(third).scheduledAt()).isEqualTo(third.scheduledAt());
		assertThat(now(third).meta()).containsEntry("new", true);
	}

	@Test
	void ofABatchAllAreEnqueuedOrNone() {
		Job first = ojs().enqueue(later("later.batch").unique(UniquePolicy.DEFAULT));
		JobRequest other = JobRequest.of("desk.add", 1, 1).id("019539a4-b68c-7def-8000-1a2b3c4d5e6f");
		assertThatExceptionOfType(DuplicateJobException.class)
			.isThrownBy(() -> ojs().enqueueAll(List.of(other, later("later.batch").unique(UniquePolicy.DEFAULT))));
		assertThat(ojs().find(String.valueOf(other.id()))).isEmpty();
		assertThatExceptionOfType(JobNotStoredException.class)
			.isThrownBy(() -> ojs().enqueueAll(List.of(other, later("later.batch").id(first.id()))))
			.withCauseInstanceOf(DuplicateIdException.class);
		assertThat(ojs().find(String.valueOf(other.id()))).isEmpty();
	}

	@Test
	void whatIsRolledBackWasNeverEnqueued() {
		Job first = ojs().enqueue(later("later.rolled-back").unique(UniquePolicy.DEFAULT));
		Job second = transactions().execute((status) -> {
			Job job = ojs()
				.enqueue(later("later.rolled-back").unique((unique) -> unique.onConflict(OnConflict.REPLACE)));
			assertThat(now(job).state()).isEqualTo(JobState.SCHEDULED);
			status.setRollbackOnly();
			return job;
		});
		assertThat(ojs().find(second.id())).isEmpty();
		assertThat(told(second)).isEmpty();
		Job third = transactions().execute((status) -> {
			Job job = ojs().enqueue("desk.add", 1, 1);
			assertThat(told(job)).isEmpty();
			return job;
		});
		finish(third);
		assertThat(told(third)).containsOnlyOnce("enqueued");
		assertThat(now(first).state()).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void whatIsReplacedInATransactionThatIsRolledBackWasNeverEnqueuedEither() {
		JobRequest request = later("later.never").unique((unique) -> unique.onConflict(OnConflict.REPLACE));
		List<Job> jobs = transactions().execute((status) -> {
			List<Job> both = List.of(ojs().enqueue(request), ojs().enqueue(request));
			assertThat(now(both.get(0)).state()).isEqualTo(JobState.CANCELLED);
			status.setRollbackOnly();
			return both;
		});
		assertThat(jobs).hasSize(2).allSatisfy((job) -> {
			assertThat(ojs().find(job.id())).isEmpty();
			assertThat(told(job)).isEmpty();
		});
		assertThat(ojs().enqueue(later("later.never").unique(UniquePolicy.DEFAULT)).state())
			.isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void middlewareChangesDropsAndRefusesJobs() {
		Job job = ojs().enqueue("desk.add", 1, 1);
		assertThat(now(job).meta()).containsEntry("locale", "de");
		Job dropped = ojs().enqueue("desk.drop");
		assertThat(dropped.state()).isNull();
		assertThat(ojs().find(dropped.id())).isEmpty();
		assertThatExceptionOfType(JobRejectedException.class).isThrownBy(() -> ojs().enqueue("desk.reject"));
		finish(job);
		assertThat(OutcomesDesk.around).containsExactly("before desk.add", "after desk.add");
	}

	@Test
	void theHandlerWorksForTheTenantOfTheJob() {
		Job job = ojs().enqueue(JobRequest.of("desk.follow").meta("tenant_id", "acme"));
		finish(job);
		Job next = ojs().find(String.valueOf(now(job).result())).orElseThrow();
		assertThat(next.meta()).containsEntry("tenant_id", "acme");
	}

	@Test
	void onlyTheHandlerReadsWhatIsEncrypted() {
		Job job = ojs().enqueue("desk.secret", "sesame");
		assertThat(JobEncryption.isEncoded(now(job).args())).isTrue();
		finish(job);
		assertThat(now(job).result()).isEqualTo(6);
		assertThat(JobEncryption.isEncoded(now(job).args())).isTrue();
	}

	@Test
	void anOldJobIsMadeIntoANewOneAndOneFromTheFutureWaits() {
		Job old = ojs().enqueue(JobRequest.of("desk.price", 5).version("1.0").queue("desk"));
		Job future = ojs().enqueue(JobRequest.of("desk.price", 5).version("3.0").queue("desk"));
		finish(old);
		assertThat(now(old).result()).isEqualTo("5 EUR");
		assertThat(now(old).args()).containsExactly(5);
		assertThat(now(future).state()).isEqualTo(JobState.AVAILABLE);
		assertThat(now(future).attempt()).isZero();
	}

	@Test
	void aJobIsCancelledWhileItWaitsAndWhileItRuns() {
		Job waiting = ojs().enqueue(later("later.cancelled"));
		assertThat(ojs().cancel(waiting.id())).get().extracting(Job::state).isEqualTo(JobState.CANCELLED);
		assertThat(worked(waiting)).containsExactly("cancelled");
		Job running = ojs().enqueue("desk.cancel");
		finish(running);
		assertThat(now(running).state()).isEqualTo(JobState.CANCELLED);
		assertThat(worked(running)).containsExactly("started", "cancelled");
		Job ended = ojs().enqueue("desk.add", 1, 1);
		finish(ended);
		assertThatExceptionOfType(IllegalStateTransitionException.class).isThrownBy(() -> ojs().cancel(ended.id()));
		ojs().cancel(ended);
		assertThat(now(ended).state()).isEqualTo(JobState.COMPLETED);
	}

	@Test
	void aPendingJobWaitsUntilItIsActivated() {
		Job job = ojs().enqueue(JobRequest.of("desk.add", 1, 1).pending());
		Job other = ojs().enqueue("desk.add", 1, 1);
		finish(other);
		assertThat(now(job).state()).isEqualTo(JobState.PENDING);
		assertThat(told(job)).isEmpty();
		assertThat(ojs().activate(job.id())).get().extracting(Job::state).isEqualTo(JobState.AVAILABLE);
		finish(job);
		assertThat(now(job).state()).isEqualTo(JobState.COMPLETED);
		assertThat(told(job)).containsExactlyInAnyOrder("enqueued", "started", "completed");
		assertThatExceptionOfType(IllegalStateTransitionException.class).isThrownBy(() -> ojs().activate(job.id()));
	}

	@Test
	void progressIsToldInBetween() {
		Job job = ojs().enqueue("desk.progress");
		finish(job);
		assertThat(worked(job)).containsExactly("started", "progress", "completed");
	}

	/** The time by which jobs go. */
	abstract Instant time();

	/** In a worker's store it stays behind, so each test has types of its own. */
	private JobRequest later(String type) {
		return JobRequest.of(type).queue("desk").scheduledAt(time().plusSeconds(3600));
	}

	private Job now(Job job) {
		return ojs().find(job.id()).orElseThrow();
	}

	private static List<String> told(Job job) {
		return OutcomesDesk.told.stream()
			.filter((event) -> event.job().id().equals(job.id()))
			.map(JobEvent::name)
			.map((name) -> name.substring("job.".length()))
			.toList();
	}

	/** Whoever enqueues a job and whoever works it tell of it at the same time. */
	private static List<String> worked(Job job) {
		return told(job).stream().filter((name) -> !Set.of("scheduled", "enqueued").contains(name)).toList();
	}

}
