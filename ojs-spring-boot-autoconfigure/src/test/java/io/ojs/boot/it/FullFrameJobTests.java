package io.ojs.boot.it;

import java.util.Map;
import java.util.Random;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A job whose headers fill a frame fails: it is tried again with all of them, and if that
 * fails too, it is a dead letter with a reason.
 */
class FullFrameJobTests extends BrokerTest {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private final BasicProperties full = new HostileValues(new Random(1)).fill(
			RawClient.properties(ID, "fail.always").headers(Map.of("x-ojs-attempt", 1, "x-kept", "kept")).build(), 30);

	@Test
	void failsAndIsTriedAgainAndIsDeadWithAReason() {
		try (Application application = application(Failing.class).property("ojs.queues.full.retry.max-attempts", 2)
			.start()) {
			client().publish("full", this.full, RawClient.envelope(ID, "fail.always", "full", "[]"));
			GetResponse dead = client().take("ojs.queue.dlx.full");
			await().until(() -> application.events(ID).contains("job.dead_lettered"));
			assertThat(application.events(ID)).containsExactly("job.started", "job.failed", "job.retrying",
					"job.started", "job.failed", "job.retry_exhausted", "job.dead_lettered");
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-error-code", "HANDLER_ERROR")
				.containsEntry("x-kept", "kept")
				.containsEntry("x-ojs-attempt", "2")
				.doesNotContainKey("x-death");
			assertThat(RawClient.headers(dead).get("x-ojs-error-message")).startsWith("no luck (Headers left out");
		}
	}

	static class Failing {

		@OjsJobHandler(value = "fail.always", queue = "full")
		void fail(JobContext context) {
			throw new IllegalStateException("no luck");
		}

	}

}
