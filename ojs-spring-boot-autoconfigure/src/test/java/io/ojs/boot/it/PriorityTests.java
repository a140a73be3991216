package io.ojs.boot.it;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A queue that tells priorities apart hands out the higher ones first.
 */
@Tag("broker-versions")
@Tag("AMQP-030")
class PriorityTests extends BrokerTest {

	@Test
	@Tag("AMQP-030")
	void higherPriorityComesFirstAndEqualOnesInTheirOrder() {
		try (Application application = application().property("ojs.queues.urgent.type", "classic")
			.property("ojs.queues.urgent.max-priority", 9)
			.start()) {
			List<Job> jobs = application.ojs()
				.enqueueAll(Stream.of(-100, 0, 100, 10, 0, -10)
					.map((priority) -> JobRequest.of("mail.send").queue("urgent").priority(priority))
					.toList());
			await().until(() -> client().count("ojs.queue.urgent") == 6);
			assertThat(client().drain("ojs.queue.urgent")).extracting((message) -> message.getProps().getMessageId())
				.containsExactly(id(jobs, 2), id(jobs, 3), id(jobs, 1), id(jobs, 4), id(jobs, 5), id(jobs, 0));
		}
	}

	/** Of three levels, 0 and 100 are the same one. */
	@Test
	void queueHasAsManyLevelsAsItIsToldAndARetryKeepsItsPriority() {
		try (Application application = application(Desk.class).property("ojs.queues.urgent.type", "classic")
			.property("ojs.queues.urgent.max-priority", 3)
			.property("ojs.queues.urgent.prefetch", 1)
			.start()) {
			Desk desk = application.bean(Desk.class);
			application.ojs().enqueue(urgent("wait", "first", 0));
			await().until(() -> desk.ran.contains("first"));
			application.ojs().enqueue(urgent("run", "low", -100));
			application.ojs().enqueue(urgent("run", "normal", 0));
			application.ojs().enqueue(urgent("fail", "high", 100));
			application.ojs().enqueue(urgent("wait", "last", 0));
			desk.gate.release();
			await().until(() -> desk.ran.contains("last"));
			await("the retry").until(() -> client().count("ojs.queue.urgent") == 2);
			desk.gate.release();
			await().until(() -> desk.ran.size() == 6);
			assertThat(desk.ran).containsExactly("first", "normal", "high", "last", "high", "low");
		}
	}

	private static JobRequest urgent(String kind, String name, int priority) {
		return JobRequest.of("mail." + kind, name).queue("urgent").priority(priority);
	}

	private static String id(List<Job> jobs, int index) {
		return jobs.get(index).id();
	}

	static class Desk {

		private final List<String> ran = new CopyOnWriteArrayList<>();

		private final Semaphore gate = new Semaphore(0);

		@OjsJobHandler(value = "mail.run", queue = "urgent", concurrency = 1)
		void run(String name) {
			this.ran.add(name);
		}

		@OjsJobHandler(value = "mail.fail", queue = "urgent")
		void fail(String name, JobContext context) {
			this.ran.add(name);
			if (context.attempt() == 1) {
				throw new IllegalStateException("the first time fails");
			}
		}

		@OjsJobHandler(value = "mail.wait", queue = "urgent")
		void await(String name) throws InterruptedException {
			this.ran.add(name);
			this.gate.acquire();
		}

	}

}
