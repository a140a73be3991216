package io.ojs.boot.it;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.ojs.client.EnqueueException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.test.broker.PrivateRabbitNode;
import io.ojs.test.broker.VirtualHost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The broker goes away and comes back, with its queues or without.
 */
@Tag("broker")
@Tag("faults")
class BrokerRestartTests {

	@Test
	void applicationStartsWithoutItsBrokerAndWorksOnceItIsThere() {
		try (PrivateRabbitNode node = PrivateRabbitNode.create(); VirtualHost host = node.newVirtualHost()) {
			node.stop();
			try (Application application = Application.on(host.uri()).with(Numbers.class).start()) {
				node.start();
				// Nothing is enqueued here: the worker alone has to get itself its queue.
				try (RawClient client = new RawClient(host.uri())) {
					// Bound too, which comes after its declaration.
					await().atMost(Duration.ofSeconds(60))
						.until(() -> client.exists("ojs.queue.numbers") && client.consumers("ojs.queue.numbers") > 0);
					client.publishJob("numbers", "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "number.add", "[1]");
				}
				await().atMost(Duration.ofSeconds(60)).until(() -> application.bean(Numbers.class).added.contains(1));
			}
		}
	}

	@Test
	void brokerThatLostItsQueuesGetsThemBack() {
		try (PrivateRabbitNode node = PrivateRabbitNode.create(); VirtualHost host = node.newVirtualHost()) {
			try (Application application = Application.on(host.uri()).with(Numbers.class).start()) {
				Job job = application.ojs().enqueue("number.add", 1);
				await().until(() -> application.events(job.id()).contains("job.completed"));
				node.ctl("stop_app");
				node.ctl("reset");
				node.ctl("start_app");
				node.ctl("add_vhost", host.name());
				node.ctl("set_permissions", "-p", host.name(), node.username(), ".*", ".*", ".*");
				await().atMost(Duration.ofSeconds(60)).ignoreExceptionsInstanceOf(EnqueueException.class).until(() -> {
					application.ojs().enqueue("number.add", 2);
					return true;
				});
				await().atMost(Duration.ofSeconds(60))
					.untilAsserted(() -> assertThat(application.bean(Numbers.class).added).contains(2));
			}
		}
	}

	static class Numbers {

		private final BlockingQueue<Integer> added = new LinkedBlockingQueue<>();

		@OjsJobHandler(value = "number.add", queue = "numbers")
		void add(int number) {
			this.added.add(number);
		}

	}

}
