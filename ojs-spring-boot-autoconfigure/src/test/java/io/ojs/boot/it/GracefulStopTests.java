package io.ojs.boot.it;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.JobListenerContainerCustomizer;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
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
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GracefulStopTests extends BrokerTest {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@Test
	void runningJobsEndAndTheOthersGoBackQuietly(CapturedOutput output) {
		List<Job> jobs;
		try (Application application = application(Shifts.class, Containers.class).start()) {
			jobs = application.ojs().enqueueAll(Stream.generate(() -> JobRequest.of("shift.work")).limit(30).toList());
			await().until(() -> Shifts.started.size() == 2);
			endShiftsWhenItStops(application);
		}
		// Its consumers held twenty.
		assertThat(Shifts.started).as("jobs that were begun").hasSize(2);
		assertThat(Shifts.ended).isEqualTo(Shifts.started);
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
		try (Application application = application(Shifts.class, Containers.class)
			.property("ojs.worker.shutdown-grace", "1s")
			.start()) {
			job = application.ojs().enqueue("shift.work");
			await().until(() -> Shifts.started.contains(job.id()));
			began = System.nanoTime();
		}
		assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isGreaterThanOrEqualTo(900);
		assertThat(Shifts.cancelled).contains(job.id());
		GetResponse back = client().take("ojs.queue.default");
		assertThat(back.getProps().getMessageId()).isEqualTo(job.id());
		assertThat(RawClient.headers(back)).containsEntry("x-ojs-attempt", "1").doesNotContainKey("x-ojs-error-code");
		assertThat(client().count("ojs.queue.dlx.default")).isZero();
	}

	@Test
	void attemptThatFailsMeanwhileHasFailed() {
		Job job;
		try (Application application = application(Shifts.class, Containers.class)
			.property("ojs.queues.default.retry.max-attempts", 1)
			.start()) {
			job = application.ojs().enqueue("shift.fail");
			await().until(() -> Shifts.started.contains(job.id()));
			endShiftsWhenItStops(application);
		}
		assertThat(client().count("ojs.queue.default")).as("not given back as if it had not run").isZero();
		GetResponse dead = client().take("ojs.queue.dlx.default");
		assertThat(dead.getProps().getMessageId()).isEqualTo(job.id());
	}

	/** As soon as no more jobs are begun, which is when the application stops. */
	private static void endShiftsWhenItStops(Application application) {
		Containers containers = application.bean(Containers.class);
		CountDownLatch over = Shifts.over;
		Thread foreman = new Thread(() -> {
			await().pollInSameThread().atMost(PATIENCE).until(containers::areStopped);
			over.countDown();
		}, "foreman");
		foreman.setDaemon(true);
		foreman.start();
	}

	static class Containers implements JobListenerContainerCustomizer {

		private final List<SimpleMessageListenerContainer> all = new CopyOnWriteArrayList<>();

		@Override
		public void customize(String queue, SimpleMessageListenerContainer container) {
			this.all.add(container);
		}

		private boolean areStopped() {
			return this.all.stream().noneMatch(SimpleMessageListenerContainer::isRunning);
		}

	}

	static class Shifts {

		private static final Set<String> started = ConcurrentHashMap.newKeySet();

		private static final Set<String> ended = ConcurrentHashMap.newKeySet();

		private static final Set<String> cancelled = ConcurrentHashMap.newKeySet();

		/** When shifts end. */
		private static volatile CountDownLatch over = new CountDownLatch(1);

		Shifts() {
			over = new CountDownLatch(1);
			started.clear();
			ended.clear();
			cancelled.clear();
		}

		@OjsJobHandler(value = "shift.work", concurrency = 2)
		void work(JobContext context) {
			started.add(context.job().id());
			try {
				over.await();
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
		void fail(JobContext context) throws InterruptedException {
			started.add(context.job().id());
			over.await();
			throw new IllegalStateException("The shift went wrong");
		}

	}

}
