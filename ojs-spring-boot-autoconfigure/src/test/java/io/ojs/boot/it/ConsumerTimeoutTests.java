package io.ojs.boot.it;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A broker that loses patience with a consumer which holds a job for long.
 */
@Tag("broker-versions")
@Tag("broker")
class ConsumerTimeoutTests {

	/** Each look at the broker starts a process. */
	private static final Duration POLL = Duration.ofSeconds(2);

	@Test
	void consumerThatIsCutOffComesBackAndNothingIsLost() {
		try (PrivateRabbitNode node = PrivateRabbitNode.create("consumer_timeout = 3000");
				VirtualHost host = node.newVirtualHost()) {
			// How often channels look; of those that are opened from now on.
			node.ctl("eval", "application:set_env(rabbit, channel_tick_interval, 1000).");
			try (Application application = Application.on(host.uri())
				.with(Long.class)
				.property("ojs.queues.long.concurrency", 2)
				.property("ojs.queues.long.prefetch", 1)
				.start()) {
				Job tooLong = application.ojs().enqueue(JobRequest.of("long.run", 8000).queue("long"));
				Job quick = application.ojs().enqueue(JobRequest.of("long.run", 10).queue("long"));
				Long handler = application.bean(Long.class);
				await().until(() -> handler.ended.contains(quick.id()));
				// Cut off at the first try, so handed out again, where it is quicker.
				await().atMost(Duration.ofSeconds(60)).until(() -> handler.ended.contains(tooLong.id()));
				// Otherwise the broker was patient, and this test shows nothing.
				assertThat(handler.runs.get(tooLong.id())).isGreaterThanOrEqualTo(2);
				Job next = application.ojs().enqueue(JobRequest.of("long.run", 10).queue("long"));
				await().atMost(Duration.ofSeconds(20)).until(() -> handler.ended.contains(next.id()));
				await().atMost(Duration.ofSeconds(30))
					.pollDelay(Duration.ZERO)
					.pollInterval(POLL)
					.untilAsserted(() -> assertThat(
							node.ctl("list_consumers", "-p", host.name(), "queue_name", "prefetch_count").lines())
						.filteredOn((line) -> line.startsWith("ojs.queue.long\t"))
						.containsExactly("ojs.queue.long\t1", "ojs.queue.long\t1"));
				await().atMost(Duration.ofSeconds(30))
					.pollInterval(POLL)
					.untilAsserted(
							() -> assertThat(node.ctl("list_queues", "-p", host.name(), "name", "messages").lines())
								.contains("ojs.queue.long\t0", "ojs.queue.dlx.long\t0"));
			}
		}
	}

	static class Long {

		private final Map<String, Integer> runs = new ConcurrentHashMap<>();

		private final Set<String> began = ConcurrentHashMap.newKeySet();

		private final Set<String> ended = ConcurrentHashMap.newKeySet();

		@OjsJobHandler(value = "long.run", queue = "long")
		void run(int millis, JobContext context) throws InterruptedException {
			this.runs.merge(context.job().id(), 1, Integer::sum);
			if (this.began.add(context.job().id())) {
				TimeUnit.MILLISECONDS.sleep(millis);
			}
			this.ended.add(context.job().id());
		}

	}

}
