package io.ojs.amqp.internal.message;

import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.client.internal.EncodedJob;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobError;
import io.ojs.job.UndecodableJobException;
import io.ojs.retry.FailureResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What AMQP cannot carry is refused before it is sent, and odd values from elsewhere do
 * no harm.
 */
class MessageLimitsTests {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private final JobMessages messages = new JobMessages(new JsonJobCodec());

	@Test
	@Tag("PLAY-1-3")
	void fullJobHasWhatTheBindingListsAndNothingElse() {
		OffsetDateTime created = OffsetDateTime.parse("2026-03-15T09:30:00.125Z");
		Job job = Job.builder(ID, "email.send", "email")
			.args(List.of("to"))
			.priority(100)
			.createdAt(created)
			.enqueuedAt(created.plusSeconds(1))
			.scheduledAt(created.plusSeconds(2))
			.expiresAt(created.plusSeconds(3))
			.meta(Map.of("correlation_id", "c-1", "tags", List.of("a", "b"), "locale", "fr"))
			.extensions(Map.of("idempotency_key", "once", "x_vendor", 1))
			.build();
		BasicProperties properties = this.messages.properties(new EncodedJob(job, new byte[0], 5), Map.of());
		Map<String, Object> headers = new HashMap<>();
		headers.put("x-ojs-queue", "email");
		headers.put("x-ojs-attempt", 1);
		headers.put("x-ojs-max-attempts", 5);
		headers.put("x-ojs-created-at", "2026-03-15T09:30:00.125Z");
		headers.put("x-ojs-enqueued-at", "2026-03-15T09:30:01.125Z");
		headers.put("x-ojs-scheduled-at", "2026-03-15T09:30:02.125Z");
		headers.put("x-ojs-tags", "a,b");
		headers.put("x-ojs-idempotency-key", "once");
		assertThat(properties).isEqualTo(new BasicProperties.Builder().messageId(ID)
			.type("email.send")
			.contentType("application/openjobspec+json")
			.contentEncoding("utf-8")
			.deliveryMode(2)
			.appId("ojs")
			.priority(9)
			.correlationId("c-1")
			.timestamp(Date.from(created.toInstant()))
			.headers(headers)
			.build());
	}

	@Test
	void longestTypeAndQueueFit() {
		String type = "a".repeat(255);
		BasicProperties properties = properties(Job.builder(ID, type, "q".repeat(128)));
		assertThat(properties.getType()).isEqualTo(type);
	}

	@Test
	void correlationIdIsAtMost255BytesAndNotCharacters() {
		String longest = "ä".repeat(127) + "x";
		assertThat(properties(job().meta(Map.of("correlation_id", longest))).getCorrelationId()).isEqualTo(longest);
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> properties(job().meta(Map.of("correlation_id", longest + "x"))))
			.withMessageContainingAll("'meta.correlation_id'", "at most 255 bytes", "256 bytes");
	}

	@Test
	void headersFitIntoAFrame() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> properties(job().meta(Map.of("tags", List.of("x".repeat(10_000))))))
			.withMessageContaining("'meta.tags'");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> properties(job().extensions(Map.of("idempotency_key", "x".repeat(10_000)))))
			.withMessageContaining("'idempotency_key'");
	}

	@Test
	void metaAndExtensionsOfOtherTypesAreNoProperties() {
		BasicProperties properties = properties(job().meta(Map.of("correlation_id", 17, "tags", "a,b"))
			.extensions(Map.of("idempotency_key", List.of("once"))));
		assertThat(properties.getCorrelationId()).isNull();
		assertThat(properties.getHeaders()).containsOnlyKeys("x-ojs-queue", "x-ojs-attempt", "x-ojs-max-attempts");
	}

	@ParameterizedTest
	@ValueSource(strings = { "identity", "UTF8", "utf-16", "" })
	void contentEncodingIsUtf8OrNone(String encoding) {
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> this.messages.read(received().contentEncoding(encoding).build(), body()))
			.withMessageContaining("content_encoding");
	}

	@Test
	void refusalSaysWhatCameAndWhatIsMissing() {
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> this.messages.read(new BasicProperties(), body()))
			.withMessage("The content_type is missing, not application/openjobspec+json.");
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> this.messages.read(received().contentType("text/plain").build(), body()))
			.withMessage("The content_type is 'text/plain', not application/openjobspec+json.");
	}

	@Test
	void largestCountIsOneThatCanBeCountedOn() {
		int largest = Integer.MAX_VALUE - 1;
		assertThat(this.messages.read(received().headers(Map.of("x-ojs-attempt", largest)).build(), body()).attempt())
			.isEqualTo(largest);
	}

	@Test
	void headersOfOthersDoNoHarm() {
		Map<String, Object> headers = new HashMap<>();
		headers.put("x-ojs-attempt", null);
		headers.put("x-ojs-queue", List.of("not", "text"));
		headers.put("x-ojs-tags", Arrays.asList(1, null));
		headers.put("anything", new byte[] { 1 });
		assertThat(this.messages.read(received().headers(headers).build(), body()).attempt()).isEqualTo(1);
		assertThat(Republishing.forRetry(received().headers(headers).build(), 2, error("x"), 1, 0).getHeaders())
			.containsEntry("x-ojs-attempt", 2)
			.containsEntry("x-ojs-queue", List.of("not", "text"))
			.containsKeys("x-ojs-tags", "anything");
	}

	@Test
	void copiesForOthersAreNotMadeAgain() {
		BasicProperties received = received()
			.headers(Map.of("CC", List.of("elsewhere"), "BCC", List.of("hidden"), "x-kept", 1))
			.build();
		assertThat(Republishing.forRetry(received, 2, error("x"), 1, 0).getHeaders()).doesNotContainKeys("CC", "BCC")
			.containsKey("x-kept");
		assertThat(Republishing.forDeadLetter(received, failure(error("x")), "q", 0).getHeaders())
			.doesNotContainKeys("CC", "BCC");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 999, 1000, 1001, 100_000 })
	void messageOfAnErrorIsCutAtAThousandCharacters(int length) {
		String header = (String) Republishing
			.forDeadLetter(received().build(), failure(error("m".repeat(length))), "q", 0)
			.getHeaders()
			.get("x-ojs-error-message");
		assertThat(header).isEqualTo((length <= 1000) ? "m".repeat(length) : "m".repeat(1000) + "…");
	}

	@Test
	void typeOfAnErrorIsCutToo() {
		JobError error = new JobError("t".repeat(5000), JobError.HANDLER_ERROR, "m", 1,
				OffsetDateTime.parse("2026-03-15T09:30:00Z"), List.of(), Map.of());
		assertThat((String) Republishing.forDeadLetter(received().build(), failure(error), "q", 0)
			.getHeaders()
			.get("x-ojs-error-type")).hasSize(1001);
	}

	private BasicProperties properties(JobBuilder job) {
		return this.messages.properties(new EncodedJob(job.build(), new byte[0], 3), Map.of());
	}

	private static JobBuilder job() {
		return Job.builder(ID, "email.send", "email");
	}

	private static byte[] body() {
		return new JsonJobCodec().encode(job().build());
	}

	private static BasicProperties.Builder received() {
		return new BasicProperties.Builder().contentType("application/json");
	}

	private static JobFailure failure(JobError error) {
		return new JobFailure(error, FailureResponse.RETRY, "0123456789abcdef");
	}

	private static JobError error(String message) {
		return new JobError("a.b", JobError.HANDLER_ERROR, message, 1, OffsetDateTime.parse("2026-03-15T09:30:00Z"),
				List.of(), Map.of());
	}

}
