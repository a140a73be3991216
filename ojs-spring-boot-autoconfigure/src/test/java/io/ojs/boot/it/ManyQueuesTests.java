package io.ojs.boot.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.ojs.amqp.internal.listen.JobWorker;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.job.JobRequest;
import io.ojs.retry.RetryOverrides;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One process with many queues: how many connections it takes, and how long it takes to
 * start, which is shown and not judged.
 */
class ManyQueuesTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(ManyQueuesTests.class);

	private static final int QUEUES = 50;

	private static final int HANDLERS_OF_EACH = 4;

	@Test
	@Tag("GUIDE-6-1")
	void oneConnectionToConsumeAndOneToPublishAreEnough() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared())) {
			Duration one = start(proxy, OneQueue.class, 1);
			int before = proxy.attempts().size();
			Duration many = start(proxy, ManyQueues.class, QUEUES);
			Duration again = start(proxy, ManyQueues.class, QUEUES);
			assertThat(proxy.attempts().size() - before).as("connections of two starts").isEqualTo(4);
			logger.info("1 queue: {} ms; {} queues with {} handlers: {} ms, and {} ms when they exist already",
					one.toMillis(), QUEUES, QUEUES * HANDLERS_OF_EACH, many.toMillis(), again.toMillis());
		}
	}

	private Duration start(FaultProxy proxy, Class<?> handlers, int queues) {
		long began = System.nanoTime();
		try (Application application = Application.on(proxy.uri(ownVirtualHost())).with(handlers).start()) {
			Duration took = Duration.ofNanos(System.nanoTime() - began);
			assertThat(application.bean(JobWorker.class).queues()).hasSize(queues);
			List<String> ids = application.ojs()
				.enqueueAll(IntStream.range(0, queues)
					.mapToObj((i) -> JobRequest.of("many." + (char) ('a' + i / 10) + (char) ('a' + i % 10) + ".h0"))
					.toList())
				.stream()
				.map((job) -> job.id())
				.toList();
			await().atMost(Duration.ofSeconds(30))
				.until(() -> ids.stream().allMatch((id) -> application.events(id).contains("job.completed")));
			return took;
		}
	}

	private static JobHandlers handlers(int queues) {
		List<JobHandlerDefinition> definitions = new ArrayList<>();
		for (int queue = 0; queue < queues; queue++) {
			String name = "many." + (char) ('a' + queue / 10) + (char) ('a' + queue % 10);
			for (int handler = 0; handler < HANDLERS_OF_EACH; handler++) {
				definitions.add(new JobHandlerDefinition(name + ".h" + handler, name, 0, RetryOverrides.NONE,
						(context) -> null, name));
			}
		}
		return new JobHandlers(definitions);
	}

	static class OneQueue {

		@Bean
		@Primary
		JobHandlers handlers() {
			return ManyQueuesTests.handlers(1);
		}

	}

	static class ManyQueues {

		@Bean
		@Primary
		JobHandlers handlers() {
			return ManyQueuesTests.handlers(QUEUES);
		}

	}

}
