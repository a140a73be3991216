package io.ojs.client.internal;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.UndecodableJobException;
import io.ojs.job.VersionRange;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs out of requests: what is filled in, what is refused before anything is sent.
 */
class JobFactoryTests {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private static final Instant NOW = Instant.parse("2026-03-15T09:30:00.123456Z");

	private static final OffsetDateTime STAMP = OffsetDateTime.parse("2026-03-15T09:30:00.123Z");

	private final JobHandlers handlers = new JobHandlers(List.of(new JobHandlerDefinition("email.send", "email", 0,
			RetryOverrides.NONE.maxAttempts(5), (context) -> null, "bean 'mails', method Mails.send")));

	private final JobFactory jobs = factory(JobFactory.DEFAULT_MAX_ENVELOPE_BYTES);

	private JobFactory factory(int maxEnvelopeBytes) {
		return factory(new JsonJobCodec(), maxEnvelopeBytes);
	}

	private JobFactory factory(JobCodec codec, int maxEnvelopeBytes) {
		return new JobFactory(this.handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, this.handlers),
				new JsonValues(JsonMapper.shared()), codec, Clock.fixed(NOW, ZoneOffset.UTC), maxEnvelopeBytes);
	}

	@Test
	void fillInWhatTheRequestLeavesOut() {
		EncodedJob encoded = this.jobs.create(JobRequest.of("some.type", "a", 1));
		Job job = encoded.job();
		assertThat(job.specVersion()).isEqualTo("1.0");
		assertThat(job.id()).matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
		assertThat(job.queue()).isEqualTo("default");
		assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
		assertThat(job.attempt()).isZero();
		assertThat(job.createdAt()).isEqualTo(STAMP);
		assertThat(job.enqueuedAt()).isEqualTo(STAMP);
		assertThat(job.args()).containsExactly("a", 1);
		assertThat(encoded.maxAttempts()).isEqualTo(3);
		assertThat(List.of(job.meta(), job.extensions(), job.errors()))
			.allMatch((empty) -> empty.equals(Map.of()) || empty.equals(List.of()));
		assertThat(job.startedAt()).isNull();
	}

	@Test
	void takeWhatTheRequestSays() {
		OffsetDateTime then = OffsetDateTime.parse("2026-12-24T18:00:00+01:00");
		Job job = this.jobs
			.create(JobRequest.of("some.type")
				.id(ID.toUpperCase())
				.queue("other")
				.meta("k", List.of(1L))
				.tags("x", "y")
				.priority(-5)
				.timeout(Duration.ofSeconds(30))
				.expiresAt(then)
				.retry((retry) -> retry.maxAttempts(9))
				.extension("x_vendor", Map.of("a", 1)))
			.job();
		assertThat(job.id()).isEqualTo(ID);
		assertThat(job.queue()).isEqualTo("other");
		assertThat(job.meta()).isEqualTo(Map.of("k", List.of(1), "tags", List.of("x", "y")));
		assertThat(job.priority()).isEqualTo(-5);
		assertThat(job.timeout()).hasSeconds(30);
		assertThat(job.expiresAt()).isEqualTo(then);
		assertThat(job.retry()).isEqualTo(RetryOverrides.NONE.maxAttempts(9));
		assertThat(job.extensions()).isEqualTo(Map.of("x_vendor", Map.of("a", 1)));
	}

	@Test
	void queueIsThatOfTheHandlerForTheVersion() {
		JobHandlers handlers = new JobHandlers(List.of(handler("<2.0", "old"), handler(">=2.0 <3.0", "new")));
		JobFactory factory = new JobFactory(handlers, new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers),
				new JsonValues(JsonMapper.shared()), new JsonJobCodec(), Clock.fixed(NOW, ZoneOffset.UTC),
				JobFactory.DEFAULT_MAX_ENVELOPE_BYTES);
		JobRequest request = JobRequest.of("invoice.generate");
		assertThat(factory.create(request.version("1.7")).job().queue()).isEqualTo("old");
		assertThat(factory.create(request.version("2.0")).job().queue()).isEqualTo("new");
		assertThat(factory.create(request).job().queue()).isEqualTo("new");
		assertThat(factory.create(request.version("9.0")).job().queue()).as("nobody here knows it").isEqualTo("new");
		Job job = factory.create(JobRequest.of("invoice.generate@1.7")).job();
		assertThat(job.type()).isEqualTo("invoice.generate");
		assertThat(job.version()).isEqualTo(JobVersion.parse("1.7"));
	}

	private static JobHandlerDefinition handler(String versions, String queue) {
		return new JobHandlerDefinition("invoice.generate", VersionRange.parse(versions), queue, 0, null,
				RetryOverrides.NONE, (context) -> null, "handler of " + versions);
	}

	@Test
	void badVersionsAreRefused() {
		assertRefused(JobRequest.of("a.b").version("2.0.1"), "version", "major.minor");
		assertRefused(JobRequest.of("a.b@new"), "version", "\"2.0\"");
		assertRefused(JobRequest.of("a.b").extension("version", 2.5), "version", "integer");
	}

	@Test
	void giveTheBytesOfTheJob() {
		EncodedJob encoded = this.jobs.create(JobRequest.of("some.type", "ä").priority(3));
		assertThat(new JsonJobCodec().decode(encoded.body())).isEqualTo(encoded.job());
		assertThat(new String(encoded.body(), StandardCharsets.UTF_8)).contains("\"args\":[\"ä\"]");
	}

	@Test
	void queueOfTheTypesHandlerHereIsTheDefault() {
		assertThat(this.jobs.create(JobRequest.of("email.send")).job().queue()).isEqualTo("email");
		assertThat(this.jobs.create(JobRequest.of("email.send").queue("bulk")).job().queue()).isEqualTo("bulk");
	}

	@ParameterizedTest
	@CsvSource({ "email.send, -1, 5", "email.send, 2, 2", "some.type, -1, 3", "some.type, 0, 1", "some.type, 1, 1" })
	void attemptsAreThoseOfTheJobOrItsHandlerOrItsQueueAndNeverNone(String type, int own, int expected) {
		JobRequest request = JobRequest.of(type);
		request = (own < 0) ? request : request.retry((retry) -> retry.maxAttempts(own));
		assertThat(this.jobs.create(request).maxAttempts()).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "2026-03-15T09:30:01Z, SCHEDULED", "2026-03-15T11:30:00+02:00, AVAILABLE",
			"2026-03-15T11:31:00+02:00, SCHEDULED", "2020-01-01T00:00:00Z, AVAILABLE" })
	void jobOfTheFutureIsScheduledAndJobOfThePastIsAvailable(String scheduledAt, JobState state) {
		Job job = this.jobs.create(JobRequest.of("some.type").scheduledAt(scheduledAt)).job();
		assertThat(job.state()).isEqualTo(state);
		assertThat(job.scheduledAt()).isEqualTo(scheduledAt);
	}

	@Test
	void refuseWhatIsNoJob() {
		assertRefused(JobRequest.of("No Type"), "type", "No Type");
		assertRefused(JobRequest.of("a.b").id("17"), "id", "17");
		assertRefused(JobRequest.of("a.b").queue("Mail"), "queue", "Mail");
		assertRefused(JobRequest.of("a.b").priority(101), "priority", "101");
		assertRefused(JobRequest.of("a.b").timeout(Duration.ofMillis(1500)), "timeout", "PT1.5S");
		assertRefused(JobRequest.of("a.b", "fine", new Object()), "args[1]", "java.lang.Object");
		assertRefused(JobRequest.of("a.b").meta("k", Double.NaN), "meta.k", "NaN");
		assertRefused(JobRequest.of("a.b").extension("x_y", List.of(Double.NaN)), "x_y[0]", "NaN");
		assertRefused(JobRequest.of("a.b").retry((retry) -> retry.maxAttempts(-1)), "retry.max_attempts", "-1");
		assertRefused(JobRequest.of("a.b").retry((retry) -> retry.initialInterval(Duration.ofHours(1))),
				"retry.max_interval", "PT1H");
	}

	@ParameterizedTest
	@ValueSource(strings = { "timeout", "state", "id", "errors", "retry", "args", "specversion" })
	void refuseAnExtensionThatIsAFieldOfTheEnvelope(String field) {
		// It would be sent, and every worker would refuse it.
		assertRefused(JobRequest.of("a.b").extension(field, "x"), field, "must not be set as an extension");
	}

	@Test
	void refuseWhatNoReaderTakes() {
		assertRefused(JobRequest.of("a.b", new BigInteger("9".repeat(2000)))
			.meta("k", new BigDecimal("1." + "9".repeat(2000))), "args", "Number value length");
	}

	@Test
	void anotherCodecIsAskedWhatItTakes() {
		JobFactory another = factory(new NumbersOnly(), JobFactory.DEFAULT_MAX_ENVELOPE_BYTES);
		assertThat(another.create(JobRequest.of("a.b", 1)).job().args()).containsExactly(1);
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> another.create(JobRequest.of("a.b", "text")))
			.withMessageContaining("numbers only")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("args"));
	}

	@Test
	void refuseNamesThatUtf8CannotCarry() {
		assertRefused(JobRequest.of("a.b").meta("\ud83d", 1), "meta", "surrogate");
		assertRefused(JobRequest.of("a.b").extension("\ud83d", 1), "extensions", "surrogate");
	}

	@Test
	void refuseAnEnvelopeThatIsTooLargeAndSayWhatMakesItSo() {
		String large = "x".repeat(2000);
		JobFactory small = factory(1000);
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> small.create(JobRequest.of("a.b", large).meta("k", "v")))
			.withMessageContainingAll("'args'", "1000 bytes", "ojs.max-envelope-size")
			.withMessageMatching("(?s).*but was \"2\\d\\d\\d bytes in all.*");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> small.create(JobRequest.of("a.b", "v").meta("k", large)))
			.withMessageContaining("'meta'");
	}

	@Test
	void measureBytesAndNotCharacters() {
		int fits = this.jobs.create(JobRequest.of("a.b", "ä".repeat(100)).id(ID)).body().length;
		factory(fits).create(JobRequest.of("a.b", "ä".repeat(100)).id(ID));
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> factory(fits - 1).create(JobRequest.of("a.b", "ä".repeat(100)).id(ID)));
	}

	@Test
	void doNotChangeWithWhatTheyWereMadeOf() {
		Map<String, Object> argument = new HashMap<>(Map.of("a", 1));
		Job job = this.jobs.create(JobRequest.of("a.b", argument)).job();
		argument.put("b", 2);
		assertThat(job.args()).containsExactly(Map.of("a", 1));
	}

	private void assertRefused(JobRequest request, String field, String shown) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.jobs.create(request))
			.withMessageContaining(shown)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	/** Writes what it does not read. */
	private static final class NumbersOnly implements JobCodec {

		private final JsonJobCodec json = new JsonJobCodec();

		@Override
		public String contentType() {
			return this.json.contentType();
		}

		@Override
		public byte[] encode(Job job) {
			return this.json.encode(job);
		}

		@Override
		public Job decode(byte[] body) {
			Job job = this.json.decode(body);
			if (!job.args().stream().allMatch(Number.class::isInstance)) {
				throw new UndecodableJobException("numbers only");
			}
			return job;
		}

	}

}
