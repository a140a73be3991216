package io.ojs.boot.it;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.GetResponse;
import io.ojs.event.JobEvent;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Attempts that take longer than they may.
 */
@Tag("java-versions")
class TimeoutTests extends BrokerTest {

	@ParameterizedTest
	@ValueSource(strings = { "slow.interruptible", "slow.swallowing", "slow.asking" })
	@Tag("PLAY-10-4")
	void attemptHasFailedWithATimeoutHoweverItsHandlerEnds(String type) {
		try (Application application = application(Slow.class).property("ojs.queues.slow.retry.max-attempts", 2)
			.start()) {
			Job job = application.ojs().enqueue(JobRequest.of(type).queue("slow"));
			GetResponse dead = client().take("ojs.queue.dlx.slow");
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-error-type", "timeout")
				.containsEntry("x-ojs-error-code", "HANDLER_TIMEOUT")
				.containsEntry("x-ojs-attempt", "2");
			await().until(() -> application.events(job.id()).contains("job.dead_lettered"));
			assertThat(application.worked(job.id())).containsExactly("job.started", "job.failed", "job.retrying",
					"job.started", "job.failed", "job.retry_exhausted", "job.dead_lettered");
			assertThat(application.events()).filteredOn(JobEvent.OfFailure.class::isInstance)
				.extracting((event) -> ((JobEvent.OfFailure) event).error().message())
				.hasSize(2)
				.allMatch((message) -> message.contains("PT0.3S"));
			// The interrupt was for that job alone.
			Job next = application.ojs().enqueue(JobRequest.of("slow.quick").queue("slow"));
			await().until(() -> application.events(next.id()).contains("job.completed"));
		}
	}

	@Test
	void whatTheJobSaysCountsMostThenItsHandlerThenItsQueue() {
		try (Application application = application(Slow.class).property("ojs.queues.slow.timeout", "1s")
			.property("ojs.queues.slow.retry.max-attempts", 1)
			.start()) {
			Job ofJob = application.ojs()
				.enqueue(JobRequest.of("slow.interruptible").queue("slow").timeout(Duration.ofSeconds(2)));
			Job ofQueue = application.ojs().enqueue(JobRequest.of("slow.unlimited").queue("slow"));
			Job ofHandler = application.ojs().enqueue(JobRequest.of("slow.interruptible").queue("slow"));
			List<String> order = new CopyOnWriteArrayList<>();
			await().until(() -> {
				application.events()
					.stream()
					.filter(JobEvent.DeadLettered.class::isInstance)
					.map((event) -> event.job().id())
					.filter((id) -> !order.contains(id))
					.forEach(order::add);
				return order.size() == 3;
			});
			assertThat(order).containsExactly(ofHandler.id(), ofQueue.id(), ofJob.id());
		}
	}

	static class Slow {

		@OjsJobHandler(value = "slow.interruptible", queue = "slow", timeout = "300ms")
		void interruptible() throws InterruptedException {
			TimeUnit.SECONDS.sleep(30);
		}

		/** Ends as if nothing had been. */
		@OjsJobHandler(value = "slow.swallowing", queue = "slow", timeout = "${nothing.here:PT0.3S}")
		void swallowing() {
			try {
				TimeUnit.SECONDS.sleep(30);
			}
			catch (InterruptedException ex) {
				// Swallowed.
			}
		}

		@OjsJobHandler(value = "slow.asking", queue = "slow", timeout = "300ms")
		void asking(JobContext context) {
			while (!context.isCancelled()) {
				Thread.onSpinWait();
			}
		}

		@OjsJobHandler(value = "slow.unlimited", queue = "slow")
		void unlimited() throws InterruptedException {
			TimeUnit.SECONDS.sleep(30);
		}

		@OjsJobHandler(value = "slow.quick", queue = "slow", timeout = "300ms")
		void quick() throws InterruptedException {
			TimeUnit.MILLISECONDS.sleep(50);
		}

	}

}
