package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.NackedJobException;
import io.ojs.amqp.internal.topology.Shard;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Queues that are full, and jobs that wait too long.
 */
@Tag("broker-versions")
@Tag("AMQP-029")
class FullQueueTests extends BrokerTest {

	private static final int LIMIT = 5;

	@ParameterizedTest
	@CsvSource({ "quorum, max-length, 5, 5, 10", "classic, max-length, 5, 5, 5",
			"quorum, max-length-bytes, 2300B, 3, 20", "classic, max-length-bytes, 2300B, 3, 7" })
	@Tag("AMQP-029")
	void fullQueueRefusesAtEnqueueAndKeepsWhatItTook(String type, String property, String limit, int fewest, int most) {
		try (Application application = application().property("ojs.queues.small.type", type)
			.property("ojs.queues.small." + property, limit)
			.start()) {
			List<String> taken = new ArrayList<>();
			NackedJobException refusal = enqueueUntilRefused(application, taken);
			assertThat(refusal.isOutcomeUnknown()).isFalse();
			// A quorum queue notices a little late that it is full.
			assertThat(taken.size()).isBetween(fewest, most);
			assertThat(client().drain("ojs.queue.small")).extracting((message) -> message.getProps().getMessageId())
				.containsExactlyElementsOf(taken);
			assertThat(client().count("ojs.queue.dlx.small")).isZero();
			await().untilAsserted(() -> assertThat(application.ojs().enqueue(request()).id()).isNotNull());
		}
	}

	private static NackedJobException enqueueUntilRefused(Application application, List<String> taken) {
		while (taken.size() < 100) {
			try {
				taken.add(application.ojs().enqueue(request()).id());
			}
			catch (NackedJobException ex) {
				return ex;
			}
		}
		throw new AssertionError("The queue took 100 jobs");
	}

	private static JobRequest request() {
		return JobRequest.of("report.render", "x".repeat(200)).queue("small");
	}

	@Test
	void headIsDroppedIntoTheDeadLetterQueue() {
		try (Application application = application().property("ojs.queues.small.type", "classic")
			.property("ojs.queues.small.max-length", 2)
			.property("ojs.queues.small.overflow", "drop-head")
			.start()) {
			List<Job> jobs = application.ojs().enqueueAll(List.of(request(), request(), request()));
			GetResponse dropped = client().take("ojs.queue.dlx.small");
			assertThat(dropped.getProps().getMessageId()).isEqualTo(jobs.get(0).id());
			assertThat(client().count("ojs.queue.small")).isEqualTo(2);
		}
	}

	@Test
	void refusedJobIsInTheDeadLetterQueueIfThatWasWanted() {
		try (Application application = application().property("ojs.queues.small.type", "classic")
			.property("ojs.queues.small.max-length", LIMIT)
			.property("ojs.queues.small.overflow", "reject-publish-dlx")
			.start()) {
			NackedJobException refusal = enqueueUntilRefused(application, new ArrayList<>());
			assertThat(client().take("ojs.queue.dlx.small").getProps().getMessageId()).isEqualTo(refusal.job().id());
			assertThat(client().count("ojs.queue.small")).isEqualTo(LIMIT);
		}
	}

	@ParameterizedTest
	@CsvSource({ "quorum", "classic" })
	void jobThatWaitsTooLongIsADeadLetterByTheBrokersWord(String type) {
		try (Application application = application().property("ojs.queues.brief.type", type)
			.property("ojs.queues.brief.message-ttl", "300ms")
			.start()) {
			Job job = application.ojs().enqueue(JobRequest.of("report.render").queue("brief"));
			GetResponse expired = client().take("ojs.queue.dlx.brief");
			assertThat(expired.getProps().getMessageId()).isEqualTo(job.id());
			assertThat(RawClient.headers(expired)).containsEntry("x-first-death-reason", "expired")
				.doesNotContainKey("x-ojs-error-code");
			assertThat(client().count("ojs.queue.brief")).isZero();
		}
	}

	@ParameterizedTest
	@CsvSource({ "quorum", "classic" })
	void retryThatComesBackToAFullQueueIsNotLost(String type) {
		try (Application application = application().property("ojs.queues.small.type", type)
			.property("ojs.queues.small.max-length", LIMIT)
			.start()) {
			enqueueUntilRefused(application, new ArrayList<>());
			application.bean(TopologyDeclarer.class).ensureRetryQueue(Shard.whole("small"), 125);
			publishToRetryQueue("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f");
			// Handed out to nobody, and still there: on its way, which is full.
			await().untilAsserted(() -> {
				JsonNode retryQueue = broker().queue("ojs.queue.retry.small.125");
				assertThat(retryQueue.path("messages").asInt(-1)).isEqualTo(1);
				assertThat(retryQueue.path("messages_ready").asInt(-1)).isZero();
			});
		}
	}

	private void publishToRetryQueue(String id) {
		try {
			client().channel().confirmSelect();
			client().channel()
				.basicPublish("ojs.exchange.retry", "small.125", true,
						RawClient.properties(id, "report.render").expiration("50").headers(Map.of()).build(),
						RawClient.envelope(id, "report.render", "small", "[]"));
			client().channel().waitForConfirmsOrDie(10_000);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
