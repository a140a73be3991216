package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetters;
import io.ojs.internal.rate.RateLimitStatus;
import io.ojs.internal.rate.RateLimitStore;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.job.UniqueDimension;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.Queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Extensions that say whether a job is taken, when it runs, and what becomes of it.
 */
final class MatrixDelivery {

	private MatrixDelivery() {
	}

	/**
	 * A cron whose job is refused says so; everybody else has an exception.
	 */
	private static void assertRefused(MatrixCell cell, JobRequest request, Class<? extends RuntimeException> type,
			String reason) {
		assertThatExceptionOfType(type).isThrownBy(() -> cell.bean(OjsOperations.class).enqueue(request));
		if (cell.has(MatrixAxis.CRN)) {
			CronJobs crons = cell.bean(CronJobs.class);
			crons.register(CronRequest.of("refused", "* * * * * *", request));
			await().until(() -> !crons.runs("refused", 1).isEmpty());
			CronRun run = crons.runs("refused", 1).get(0);
			assertThat(run.outcome()).isEqualTo(CronRun.Outcome.SKIPPED);
			assertThat(run.reason()).isEqualTo(reason);
			crons.remove("refused");
		}
	}

	/**
	 * A job says how often it is tried, and when.
	 */
	static final class Retries implements MatrixExtension {

		@Override
		public JobRequest request(JobRequest request) {
			return request.retry((retry) -> retry.maxAttempts(3)
				.initialInterval(Duration.ofMillis(150))
				.backoffCoefficient(2)
				.jitter(false));
		}

		@Override
		public void verify(MatrixCell cell) {
			Job dead = cell.job(cell.dies());
			assertThat(dead.errors()).extracting(JobError::attempt).containsExactly(1, 2, 3);
			assertThat(dead.errors()).allSatisfy((error) -> {
				assertThat(error.type()).isEqualTo(IllegalStateException.class.getName());
				assertThat(error.code()).isEqualTo(JobError.HANDLER_ERROR);
			});
			List<Instant> failed = dead.errors().stream().map((error) -> error.occurredAt().toInstant()).toList();
			assertThat(Duration.between(failed.get(0), failed.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(150));
			assertThat(Duration.between(failed.get(1), failed.get(2))).isGreaterThanOrEqualTo(Duration.ofMillis(300));
			assertThat(MatrixWork.runs(cell.dies())).extracting(MatrixWork.Run::attempt).containsExactly(1, 2, 3);
			assertThat(MatrixWork.runs(cell.recovers())).extracting(MatrixWork.Run::attempt).containsExactly(1, 2);
		}

	}

	/**
	 * No two jobs of the same arguments.
	 */
	static final class UniqueJobs implements MatrixExtension {

		@Override
		public JobRequest request(JobRequest request) {
			return request.unique((unique) -> unique.keys(UniqueDimension.TYPE, UniqueDimension.ARGS));
		}

		@Override
		public void verify(MatrixCell cell) {
			OjsOperations ojs = cell.bean(OjsOperations.class);
			JobRequest request = cell.request(MatrixWork.WORKS);
			Job first = ojs.enqueue(request.scheduledAt(Instant.now().plus(Duration.ofHours(1))));
			assertRefused(cell, request, DuplicateJobException.class, "duplicate");
			assertThatExceptionOfType(DuplicateJobException.class).isThrownBy(() -> ojs.enqueue(request))
				.satisfies((ex) -> assertThat(ex.existingJobId()).isEqualTo(first.id()));
			if (cell.has(MatrixAxis.MT)) {
				ojs.cancel(ojs.enqueue(request.meta("tenant_id", "rival")).id());
			}
			ojs.cancel(first.id());
			cell.awaitCompleted(cell.begin(request).get().get(0));
		}

	}

	/**
	 * One at a time.
	 */
	static final class RateLimits implements MatrixExtension {

		private static final RateLimit LIMIT = RateLimit.of("cell").concurrency(1).rate(1000, Duration.ofHours(1));

		@Override
		public JobRequest request(JobRequest request) {
			return request.rateLimit(LIMIT);
		}

		@Override
		public void verify(MatrixCell cell) {
			assertThat(MatrixWork.mostAtOnce).hasValue(1);
			// Whatever the key is made of, with tenants.
			List<RateLimitStatus> limits = cell.bean(RateLimitStore.class)
				.list("", 100)
				.stream()
				.filter((limit) -> limit.limit().rate() != null)
				.toList();
			await().untilAsserted(() -> assertThat(cell.count("ojs_job", "state in ('active', 'retryable')")).isZero());
			// The starts of retries are counted, too.
			long starts = limits.stream().mapToLong((limit) -> limit.windows().get(0).starts()).sum();
			assertThat(starts).isGreaterThanOrEqualTo(3 + cell.attempts())
				.isLessThanOrEqualTo(MatrixWork.runs.size() + 3L);
			assertThat(limits).isNotEmpty().allSatisfy((limit) -> assertThat(limit.limit().concurrency()).isOne());
			OjsOperations ojs = cell.bean(OjsOperations.class);
			Job closed = ojs.enqueue(cell.request(MatrixWork.WORKS).rateLimit(RateLimit.of("closed").concurrency(0)));
			await().until(() -> cell.count("ojs_job", "blocked_by is not null") == 1);
			assertThat(cell.job(closed.id()).state()).isEqualTo(JobState.AVAILABLE);
			assertThat(MatrixWork.runs(closed.id())).isEmpty();
			ojs.cancel(closed.id());
		}

	}

	/**
	 * A queue that takes no more than eight jobs.
	 */
	static final class Backpressure implements MatrixExtension {

		private static final int SIZE = 8;

		@Override
		public void configure(Application.Starter starter) {
			starter.property("ojs.queues.cell.max-size", SIZE);
		}

		@Override
		public void verify(MatrixCell cell) {
			await().until(() -> cell.count("ojs_job", "state not in ('completed', 'discarded', 'cancelled')") == 0);
			Queues queues = cell.bean(Queues.class);
			queues.pause(MatrixWork.QUEUE);
			await().until(() -> cell.client().consumers("ojs.queue.cell") == 0);
			List<String> ids = new ArrayList<>();
			for (int i = 0; i < SIZE; i++) {
				ids.add(cell.bean(OjsOperations.class).enqueue(cell.request(MatrixWork.WORKS)).id());
			}
			assertRefused(cell, cell.request(MatrixWork.WORKS), QueueFullException.class, "queue_full");
			assertThat(cell.count("ojs_job", "state = 'available'")).isEqualTo(SIZE);
			queues.resume(MatrixWork.QUEUE);
			ids.forEach(cell::awaitCompleted);
			cell.awaitCompleted(cell.begin(cell.request(MatrixWork.WORKS)).get().get(0));
		}

	}

	/**
	 * What has failed for good is found, and gets back to work.
	 */
	static final class DeadLetterQueue implements MatrixExtension {

		@Override
		public void verify(MatrixCell cell) {
			DeadLetters letters = cell.bean(DeadLetters.class);
			assertThat(letters.list(DeadLetterFilter.ANY.queue(MatrixWork.QUEUE), 10).letters())
				.extracting((letter) -> letter.job().id())
				.contains(cell.dies())
				.doesNotContain(cell.works(), cell.recovers());
			assertThat(letters.get(cell.dies()).orElseThrow().job().errors()).hasSize(cell.attempts());
			letters.replay(cell.dies()).orElseThrow();
			cell.awaitCompleted(cell.dies());
			Job replayed = cell.job(cell.dies());
			assertThat(replayed.attempt()).isOne();
			assertThat(replayed.errors()).hasSize(cell.attempts());
			assertThat(replayed.meta()).containsEntry("ojs.replay_count", 1);
			assertThat(letters.get(cell.dies())).isEmpty();
		}

	}

}
