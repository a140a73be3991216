package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.ojs.client.OjsOperations;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.ObjectProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Listeners and the feed tell the same of a job, whichever way it is worked.
 */
abstract class ToldEventsContract {

	/** A way to work jobs. */
	abstract Way way();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			told.ok      | told | enqueued started completed
			told.second  | told | enqueued started failed retrying started completed
			told.fail    | told | enqueued started failed retrying started failed retry_exhausted dead_lettered
			told.fail    | gone | enqueued started failed retrying started failed retry_exhausted discarded
			told.never   | told | enqueued started failed dead_lettered
			told.never   | gone | enqueued started failed discarded
			""")
	void outcome(String type, String queue, String events) {
		assertTold(way().ojs().enqueue(request(type, queue)), events);
	}

	@Test
	void aJobThatIsTooLateHasExpiredAndIsADeadLetter() {
		assertTold(way().ojs().enqueue(request("told.ok", "told").expiresAt(way().now().minusSeconds(1))),
				"enqueued expired dead_lettered");
	}

	@Test
	void aScheduledJobIsEnqueuedWhenItIsDue() {
		assertTold(way().ojs().enqueue(request("told.ok", "told").scheduledAt(way().now().plusSeconds(1))),
				way().hasStore() ? "scheduled enqueued started completed" : "scheduled started completed");
	}

	@Test
	void aJobOfWhichNoHandlerIsKnownIsADeadLetter() {
		assumeThat(way().refusesUnknownTypes()).isTrue();
		assertTold(way().ojs().enqueue(request("told.unknown", "told")), "enqueued started failed dead_lettered");
	}

	@Test
	void aJobIsCancelledWhileItRuns() {
		assertTold(way().ojs().enqueue(request("told.cancelled", "told")), "enqueued started cancelled");
	}

	@Test
	void aJobIsCancelledBeforeItIsDue() {
		Job job = way().ojs().enqueue(request("told.ok", "told").scheduledAt(way().now().plusSeconds(2)));
		way().ojs().cancel(job);
		assertTold(job, "scheduled cancelled");
	}

	@Test
	void aStagedJobIsEnqueuedWhenItIsActivated() {
		assumeThat(way().hasStore()).isTrue();
		Job job = way().ojs().enqueue(request("told.ok", "told").pending());
		way().ojs().activate(job.id());
		assertTold(job, "enqueued started completed");
	}

	@Test
	void aDeadLetterIsEnqueuedAgain() {
		assumeThat(way().replay()).isNotNull();
		Job job = way().ojs().enqueue(request("told.never", "told"));
		assertTold(job, "enqueued started failed dead_lettered");
		way().replay().accept(job);
		assertTold(job, "enqueued started failed dead_lettered enqueued started failed dead_lettered");
	}

	@Test
	void anAttemptHasFailedWhoseWorkerIsLost() {
		assumeThat(way().losesRuns()).isTrue();
		assertTold(way().ojs().enqueue(request("told.second", "lost")),
				"enqueued started failed started failed retry_exhausted dead_lettered");
	}

	private static JobRequest request(String type, String queue) {
		return JobRequest.of(type).queue(queue);
	}

	private void assertTold(Job job, String events) {
		List<String> expected = List.of(events.split(" "));
		way().work(job, expected.size());
		List<String> told = way().told(job.id());
		assertThat(told).as("listeners").containsExactlyInAnyOrderElementsOf(expected);
		assertThat(ends(told)).as("ends of attempts, as listeners hear of them").isEqualTo(ends(expected));
		if (way().feed(job.id()) != null) {
			assertThat(way().feed(job.id())).as("feed").isEqualTo(expected);
		}
	}

	/**
	 * Who enqueues and who works tell of it at the same time, and so do those who end one
	 * attempt and begin the next.
	 */
	private static List<String> ends(List<String> events) {
		List<String> ends = new ArrayList<>(events);
		ends.removeAll(Set.of("enqueued", "scheduled", "started"));
		return ends;
	}

	/**
	 * A way to work jobs.
	 */
	interface Way {

		OjsOperations ojs();

		/** The time by which jobs are due. */
		Instant now();

		/**
		 * Has a job worked until listeners were told so often of it.
		 */
		void work(Job job, int events);

		/** What listeners were told of a job, without its prefix. */
		List<String> told(String jobId);

		/**
		 * What the feed has of a job, without its prefix; {@code null} without a feed.
		 */
		default List<String> feed(String jobId) {
			return null;
		}

		default boolean hasStore() {
			return true;
		}

		default boolean refusesUnknownTypes() {
			return false;
		}

		/** Whether it lets go of jobs of queue {@code lost}, without a word. */
		default boolean losesRuns() {
			return false;
		}

		/** Replays a dead letter; {@code null} if that cannot be done. */
		default Consumer<Job> replay() {
			return null;
		}

	}

	/**
	 * Handlers of the types above.
	 */
	static class Desk {

		private final ObjectProvider<OjsOperations> ojs;

		Desk(ObjectProvider<OjsOperations> ojs) {
			this.ojs = ojs;
		}

		@OjsJobHandler(value = "told.ok", queue = "told")
		void ok() {
		}

		@OjsJobHandler(value = "told.second", queue = "told")
		void second(JobContext context) {
			if (context.attempt() == 1) {
				throw new IllegalStateException("no luck");
			}
		}

		@OjsJobHandler(value = "told.fail", queue = "told")
		void fail() {
			throw new IllegalStateException("no luck");
		}

		@OjsJobHandler(value = "told.never", queue = "told")
		void never(JobContext context) {
			throw context.job().queue().equals("gone") ? JobFailedException.discard("told.never", "no use")
					: JobFailedException.deadLetter("told.never", "no use");
		}

		@OjsJobHandler(value = "told.gone", queue = "gone")
		void gone() {
		}

		@OjsJobHandler(value = "told.cancelled", queue = "told")
		void cancelled(JobContext context) throws InterruptedException {
			this.ojs.getObject().cancel(context.job());
			while (!context.isCancelled()) {
				LockSupport.parkNanos(1_000_000);
			}
			throw new InterruptedException("It was cancelled");
		}

	}

	/** How often and when failures of these queues are tried again. */
	static void properties(BiConsumer<String, Object> properties) {
		for (String queue : List.of("told", "gone", "lost")) {
			properties.accept("ojs.queues.%s.retry.max-attempts".formatted(queue), 2);
			properties.accept("ojs.queues.%s.retry.initial-interval".formatted(queue), Duration.ofMillis(100));
		}
		properties.accept("ojs.queues.gone.retry.on-exhaustion", "discard");
	}

}
