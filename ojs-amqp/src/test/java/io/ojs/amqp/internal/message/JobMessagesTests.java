package io.ojs.amqp.internal.message;

import java.time.OffsetDateTime;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import com.rabbitmq.client.impl.LongStringHelper;
import io.ojs.client.internal.EncodedJob;
import io.ojs.handler.internal.JobFailure;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.UndecodableJobException;
import io.ojs.retry.FailureResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a job's message says, what it must say, and what is changed when it is published
 * again.
 */
class JobMessagesTests {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private final JsonJobCodec codec = new JsonJobCodec();

	private final JobMessages messages = new JobMessages(this.codec);

	private final byte[] body = this.codec.encode(Job.builder(ID, "email.send", "email").build());

	@ParameterizedTest
	@CsvSource({ "orders, shop, orders", "orders, , orders", ", shop, shop", ", , anonymous" })
	void producerIsTheUserThatTheBrokerKnowsBeforeTheNameOfTheApplication(@Nullable String userId,
			@Nullable String appId, String producer) {
		BasicProperties properties = new BasicProperties.Builder().userId(userId).appId(appId).build();
		assertThat(JobMessages.producer(properties)).isEqualTo(producer);
	}

	@Test
	@Tag("GUIDE-3-6")
	@Tag("GUIDE-4-2")
	void plainJobHasWhatTheBindingRequiresAndNothingElse() {
		OffsetDateTime created = OffsetDateTime.parse("2026-03-15T09:30:00.125Z");
		Job job = Job.builder(ID, "email.send", "email").createdAt(created).enqueuedAt(created).build();
		BasicProperties properties = this.messages.properties(new EncodedJob(job, this.body, 3), Map.of());
		assertThat(properties).isEqualTo(new BasicProperties.Builder().messageId(ID)
			.type("email.send")
			.contentType("application/openjobspec+json")
			.contentEncoding("utf-8")
			.deliveryMode(2)
			.appId("ojs")
			.timestamp(Date.from(created.toInstant()))
			.headers(Map.of("x-ojs-queue", "email", "x-ojs-attempt", 1, "x-ojs-max-attempts", 3, "x-ojs-created-at",
					"2026-03-15T09:30:00.125Z", "x-ojs-enqueued-at", "2026-03-15T09:30:00.125Z"))
			.build());
	}

	@Test
	@Tag("GUIDE-4-1")
	@Tag("GUIDE-4-3")
	void whatAJobHasBesideIsWrittenToo() {
		Job job = Job.builder(ID, "email.send", "email")
			.priority(-100)
			.attempt(2)
			.scheduledAt(OffsetDateTime.parse("2026-03-15T09:30:00+02:00"))
			.meta(Map.of("tags", List.of("a", "b", 3), "correlation_id", "order-17"))
			.extensions(Map.of("idempotency_key", "once"))
			.build();
		BasicProperties properties = this.messages.properties(new EncodedJob(job, this.body, 3),
				Map.of("x-ojs-trace-id", "trace"));
		assertThat(properties.getPriority()).isZero();
		assertThat(properties.getCorrelationId()).isEqualTo("order-17");
		assertThat(properties.getHeaders()).containsEntry("x-ojs-attempt", 3)
			.containsEntry("x-ojs-scheduled-at", "2026-03-15T09:30:00.000+02:00")
			.containsEntry("x-ojs-tags", "a,b")
			.containsEntry("x-ojs-idempotency-key", "once")
			.containsEntry("x-ojs-trace-id", "trace");
	}

	@Test
	void attemptIsTheFirstAndItsLimitUnknownUnlessTheMessageSaysSo() {
		assertThat(read(properties().build()).attempt()).isEqualTo(1);
		assertThat(read(properties().build()).maxAttempts()).isNull();
		ReceivedJob received = read(
				properties().headers(Map.of("x-ojs-attempt", (byte) 3, "x-ojs-max-attempts", 0L)).build());
		assertThat(received.attempt()).isEqualTo(3);
		assertThat(received.maxAttempts()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/openjobspec+json", "application/json", "Application/JSON",
			"application/openjobspec+json; charset=utf-8" })
	void contentTypes(String contentType) {
		assertThat(read(properties().contentType(contentType).build()).job().id()).isEqualTo(ID);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "text/plain", "application/xml", "application/jsonp", "application/json\u0000" })
	void otherContentTypes(@Nullable String contentType) {
		assertRefused(properties().contentType(contentType).build(), "content_type");
	}

	@Test
	void messageMustNotContradictItsEnvelope() {
		assertThat(read(properties().messageId(null).type(null).contentEncoding(null).build()).job().id())
			.isEqualTo(ID);
		assertThat(read(properties().messageId(ID.toUpperCase(Locale.ROOT)).build()).job().id()).isEqualTo(ID);
		assertRefused(properties().messageId("other").build(), "message_id is 'other'");
		assertRefused(properties().type("email.read").build(), "type is 'email.read'");
		assertRefused(properties().contentEncoding("gzip").build(), "content_encoding is 'gzip'");
	}

	@Test
	@Tag("PLAY-1-3")
	void idempotencyKeyIsTakenFromTheHeaderWhereTheEnvelopeHasNone() {
		ReceivedJob received = read(
				properties().headers(Map.of("x-ojs-idempotency-key", LongStringHelper.asLongString("once"))).build());
		assertThat(received.job().extensions()).containsEntry("idempotency_key", "once");
		assertThat(this.codec.decode(received.body()).extensions()).containsEntry("idempotency_key", "once");
		assertThat(read(properties().build()).body()).isSameAs(this.body);
	}

	@Test
	@Tag("PLAY-1-3")
	void idempotencyKeyMustNotContradictTheEnvelope() {
		byte[] keyed = this.codec
			.encode(Job.builder(ID, "email.send", "email").extensions(Map.of("idempotency_key", "once")).build());
		BasicProperties same = properties().headers(Map.of("x-ojs-idempotency-key", "once")).build();
		assertThat(this.messages.read(same, keyed).body()).isSameAs(keyed);
		BasicProperties another = properties().headers(Map.of("x-ojs-idempotency-key", "twice")).build();
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> this.messages.read(another, keyed))
			.withMessageContainingAll("x-ojs-idempotency-key", "'twice'", "'once'");
		assertRefused(properties().headers(Map.of("x-ojs-idempotency-key", 7)).build(), "x-ojs-idempotency-key");
	}

	@Test
	void countsAreWholeNumbersInRange() {
		for (Object bad : new Object[] { 0, -1, Integer.MAX_VALUE, Long.MAX_VALUE, 1.0, "1", true, List.of(1),
				LongStringHelper.asLongString("1"), new Date() }) {
			assertRefused(properties().headers(Map.of("x-ojs-attempt", bad)).build(), "x-ojs-attempt");
		}
		assertRefused(properties().headers(Map.of("x-ojs-max-attempts", -1)).build(), "x-ojs-max-attempts");
	}

	@Test
	void aBodyThatIsTooLargeIsNotParsed() {
		byte[] body = "[".repeat(this.body.length + 1).getBytes();
		JobMessages limited = new JobMessages(this.codec, this.body.length);
		assertThat(limited.read(properties().build(), this.body).job().id()).isEqualTo(ID);
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> limited.read(properties().build(), body))
			.withMessage(
					"The body has %d bytes, more than %d: have the producer pass a reference to the data, or raise ojs.max-received-size."
						.formatted(body.length, this.body.length))
			.withNoCause();
	}

	private static BasicProperties.Builder properties() {
		return new BasicProperties.Builder().messageId(ID)
			.type("email.send")
			.contentType("application/openjobspec+json");
	}

	private ReceivedJob read(BasicProperties properties) {
		return this.messages.read(properties, this.body);
	}

	private void assertRefused(BasicProperties properties, String reason) {
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> read(properties))
			.withMessageContaining(reason);
	}

	@Test
	void retryKeepsEverythingButWhatTheBrokerAddedAndWhatHasChanged() {
		LongString text = LongStringHelper.asLongString("kept");
		Map<String, Object> headers = new HashMap<>(Map.of("x-vendor", text, "x-ojs-attempt", 1, "x-death",
				List.of(Map.of("count", 1)), "x-first-death-queue", "q", "x-last-death-reason", "expired",
				"x-delivery-count", 4L, "x-ojs-error-message", "the one before"));
		BasicProperties received = properties().headers(headers)
			.priority(7)
			.replyTo("replies")
			.correlationId("c")
			.deliveryMode(1)
			.userId("somebody")
			.appId("theirs")
			.build();
		BasicProperties retry = Republishing.forRetry(received, 2, error("boom"), 1234, 0);
		assertThat(retry.getHeaders()).isEqualTo(Map.of("x-vendor", text, "x-ojs-attempt", 2, "x-ojs-error-code",
				"HANDLER_ERROR", "x-ojs-error-message", "boom", "x-ojs-error-first-at", "2026-03-15T09:30:00.000Z"));
		assertThat(retry.builder().headers(null).build()).isEqualTo(received.builder()
			.headers(null)
			.deliveryMode(2)
			.expiration("1234")
			// RabbitMQ refuses a user that is not the publisher's own.
			.userId(null)
			.build());
		assertThat(received.getHeaders()).isEqualTo(headers);
	}

	@Test
	void idOfTheStoreStaysUnlessADeadLetterIsReplayed() {
		BasicProperties foreign = properties().headers(Map.of("x-vendor", "theirs")).build();
		BasicProperties kept = Republishing.ofStore(foreign, "s-1");
		assertThat(kept.getHeaders()).isEqualTo(Map.of("x-vendor", "theirs", "x-ojs-store", "s-1"));
		assertThat(read(kept).store()).isEqualTo("s-1");
		assertThat(Stream.of(Republishing.forRetry(kept, 2, error("boom"), 1234, 0),
				Republishing.forDeadLetter(kept, failure("boom"), "email", 0), Republishing.forLater(kept, 1, 5),
				Republishing.forMove(kept), Republishing.forKeeping(kept, 0)))
			.allSatisfy((again) -> assertThat(again.getHeaders()).containsEntry("x-ojs-store", "s-1"));
		assertThat(Republishing.forReplay(kept, Map.of(), null).getHeaders()).containsEntry("x-ojs-store", "replayed");
		assertThat(read(foreign).store()).isNull();
		assertThat(read(properties().headers(Map.of("x-ojs-store", 17)).build()).store()).isNull();
	}

	@Test
	void deadLetterSaysWhyAndStays() {
		BasicProperties dead = Republishing.forDeadLetter(properties().expiration("5").build(), failure("boom"),
				"email", 0);
		assertThat(dead.getExpiration()).isNull();
		assertThat(dead.getDeliveryMode()).isEqualTo(2);
		assertThat(dead.getHeaders()).isEqualTo(Map.of("x-ojs-error-code", "HANDLER_ERROR", "x-ojs-error-message",
				"boom", "x-ojs-error-type", "java.lang.IllegalStateException", "x-ojs-error-stack-hash",
				"0123456789abcdef", "x-ojs-error-routing-key", "email", "x-ojs-error-first-at",
				"2026-03-15T09:30:00.000Z", "x-ojs-error-at", "2026-03-15T09:30:00.000Z", "x-ojs-attempt", 1));
	}

	@Test
	void longMessageIsCutButNotThroughACharacter() {
		String message = "x".repeat(999) + "😀" + "y".repeat(5000);
		Object header = Republishing.forDeadLetter(properties().build(), failure(message), "email", 0)
			.getHeaders()
			.get("x-ojs-error-message");
		assertThat(header).isEqualTo("x".repeat(999) + "…");
	}

	@Test
	void firstFailureIsKeptOverRetriesAndOnlyIfItCanBeTrue() {
		LongString first = LongStringHelper.asLongString("2026-03-14T09:30:00Z");
		assertThat(firstFailure(2, first)).hasToString("2026-03-14T09:30:00Z");
		// A first attempt has not failed before.
		assertThat(firstFailure(1, first)).isEqualTo("2026-03-15T09:30:00.000Z");
		for (Object hostile : new Object[] { 17, List.of("a"), new Date(), "", "yesterday", "2026-03-15T09:30:01Z",
				"2026-03-14T09:30:00", "9".repeat(100_000), "2026-03-14T09:30:00." + "9".repeat(100_000) + "Z" }) {
			assertThat(firstFailure(2, hostile)).isEqualTo("2026-03-15T09:30:00.000Z");
		}
	}

	private static Object firstFailure(int attempt, Object written) {
		BasicProperties received = properties().headers(Map.of("x-ojs-error-first-at", written)).build();
		JobError error = error("boom", attempt);
		Object ofDeadLetter = Republishing.forDeadLetter(received, failure(error), "email", 0)
			.getHeaders()
			.get("x-ojs-error-first-at");
		assertThat(Republishing.forRetry(received, attempt + 1, error, 1, 0).getHeaders())
			.containsEntry("x-ojs-error-first-at", ofDeadLetter);
		return ofDeadLetter;
	}

	private static JobFailure failure(String message) {
		return failure(error(message));
	}

	private static JobFailure failure(JobError error) {
		return new JobFailure(error, FailureResponse.RETRY, "0123456789abcdef");
	}

	private static JobError error(String message) {
		return error(message, 1);
	}

	private static JobError error(String message, int attempt) {
		return new JobError("java.lang.IllegalStateException", JobError.HANDLER_ERROR, message, attempt,
				OffsetDateTime.parse("2026-03-15T09:30:00Z"), List.of(), Map.of());
	}

}
