package io.ojs.boot.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.internal.Rfc3339;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A client in another language, with another library (amqplib on Node.js), which knows
 * nothing but the binding.
 */
class ForeignClientTests extends BrokerTest {

	@BeforeAll
	static void installClient() {
		NodeScripts.install();
	}

	@Test
	void jobOfAForeignClientRuns() {
		try (Application application = application(Mails.class).start()) {
			String id = NodeScripts.run("publish.mjs", uri());
			await().until(() -> application.events(id).contains("job.completed"));
			assertThat(application.bean(Mails.class).sent).containsExactly("user@example.com welcome 1/5");
		}
		assertThat(client().count("ojs.queue.email")).isZero();
	}

	@Test
	void queueThatAForeignClientDeclaredItsOwnWayIsWorkedAsItIs() {
		String id = NodeScripts.run("publish.mjs", uri(), "declare");
		try (Application application = application(Mails.class).start()) {
			await().until(() -> application.events(id).contains("job.completed"));
			Job another = application.ojs().enqueue("email.send", "user@example.com", "again");
			await().until(() -> application.events(another.id()).contains("job.completed"));
		}
	}

	@Test
	void jobThatWeEnqueueIsWhatTheBindingSaysInTheEyesOfAForeignClient() {
		Job job;
		try (Application application = application().start()) {
			job = application.ojs()
				.enqueue(JobRequest.of("email.send", "user@example.com", "welcome").queue("email").priority(-10));
		}
		Map<?, ?> message = JsonMapper.shared()
			.readValue(NodeScripts.run("read.mjs", uri(), "ojs.queue.email"), Map.class);
		String time = Rfc3339.format(job.createdAt());
		assertThat(
				message)
			.isEqualTo(
					Map.of("exchange", "ojs.exchange.direct", "routingKey", "email", "properties",
							Map.of("contentType", "application/openjobspec+json", "contentEncoding", "utf-8",
									"deliveryMode", 2, "priority", 2, "messageId", job.id(), "timestamp",
									(int) job.createdAt().toEpochSecond(), "type", "email.send", "appId", "ojs"),
							"headers",
							Map.of("x-ojs-queue", "email", "x-ojs-attempt", 1, "x-ojs-max-attempts", 3,
									"x-ojs-created-at", time, "x-ojs-enqueued-at", time, "x-delivery-count", 0),
							"body",
							Map.of("specversion", "1.0", "id", job.id(), "type", "email.send", "queue", "email", "args",
									List.of("user@example.com", "welcome"), "priority", -10, "state", "available",
									"attempt", 0, "created_at", time, "enqueued_at", time)));
	}

	static class Mails {

		private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

		@OjsJobHandler(value = "email.send", queue = "email")
		void send(String to, String template, JobContext context) {
			this.sent.add("%s %s %d/%d".formatted(to, template, context.attempt(), context.maxAttempts()));
		}

	}

}
