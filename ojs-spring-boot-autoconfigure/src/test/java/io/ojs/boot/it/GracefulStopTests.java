package io.ojs.boot.it;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.rabbitmq.client.GetResponse;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that stops: no new jobs, time for those that run, and what does not end
 * in time goes back as it was.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("java-versions")
class GracefulStopTests extends BrokerTest {

	@Test
	void runningJobsEndAndTheOthersGoBackQuietly(CapturedOutput output) {
		List<Job> jobs;
		try (Application application = application(Shifts.class).start()) {
			jobs = application.ojs()
				.enqueueAll(IntStream.range(0, 30).mapToObj((i) -> JobRequest.of("shift.work", 1000)).toList());
			await().until(() -> Shifts.started.size() >= 2);
		}
		assertThat(Shifts.ended).isEqualTo(Shifts.started).isNotEmpty();
		// Its consumers held twenty.
		assertThat(Shifts.started).as("jobs that were begun").hasSizeLessThan(10);
		// The broker puts them back after the connection is gone.
		await().untilAsserted(
				() -> assertThat(client().count("ojs.queue.default")).isEqualTo(jobs.size() - Shifts.ended.size()));
		GetResponse back = client().take("ojs.queue.default");
		assertThat(RawClient.headers(back)).containsEntry("x-ojs-attempt", "1");
		assertThat(output).doesNotContain("Rejecting received message").doesNotContain(" ERROR ");
	}

	@Test
	void whatDoesNotEndInTimeIsInterruptedAndGoesBackWithItsAttempt() {
		long began;
		Job job;
		try (Application application = application(Shifts.class).property("ojs.worker.shutdown-grace", "1s").start()) {
			job = application.ojs().enqueue("shift.work", 60_000);
			await().until(() -> Shifts.started.contains(job.id()));
			began = System.nanoTime();
		}
		assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isBetween(900L, 30_000L);
		assertThat(Shifts.cancelled).contains(job.id());
		GetResponse back = client().take("ojs.queue.default");
		assertThat(back.getProps().getMessageId()).isEqualTo(job.id());
		assertThat(RawClient.headers(back)).containsEntry("x-ojs-attempt", "1").doesNotContainKey("x-ojs-error-code");
		assertThat(client().count("ojs.queue.dlx.default")).isZero();
	}

	@Test
	void attemptThatFailsMeanwhileHasFailed() {
		Job job;
		try (Application application = application(Shifts.class).property("ojs.queues.default.retry.max-attempts", 1)
			.start()) {
			job = application.ojs().enqueue("shift.fail", 1000);
			await().until(() -> Shifts.started.contains(job.id()));
		}
		assertThat(client().count("ojs.queue.default")).as("not given back as if it had not run").isZero();
		GetResponse dead = client().take("ojs.queue.dlx.default");
		assertThat(dead.getProps().getMessageId()).isEqualTo(job.id());
	}

	static class Shifts {

		private static final Set<String> started = ConcurrentHashMap.newKeySet();

		private static final Set<String> ended = ConcurrentHashMap.newKeySet();

		private static final Set<String> cancelled = ConcurrentHashMap.newKeySet();

		Shifts() {
			started.clear();
			ended.clear();
			cancelled.clear();
		}

		@OjsJobHandler(value = "shift.work", concurrency = 2)
		void work(int millis, JobContext context) {
			started.add(context.job().id());
			try {
				TimeUnit.MILLISECONDS.sleep(millis);
				ended.add(context.job().id());
			}
			catch (InterruptedException ex) {
				if (context.isCancelled()) {
					cancelled.add(context.job().id());
				}
				throw new IllegalStateException("The shift was cut short", ex);
			}
		}

		@OjsJobHandler("shift.fail")
		void fail(int millis, JobContext context) throws InterruptedException {
			started.add(context.job().id());
			TimeUnit.MILLISECONDS.sleep(millis);
			throw new IllegalStateException("The shift went wrong");
		}

	}

}
