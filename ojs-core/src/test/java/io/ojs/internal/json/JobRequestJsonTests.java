package io.ojs.internal.json;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.OnLimit;
import io.ojs.job.RateLimit;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import io.ojs.retry.BackoffStrategy;
import io.ojs.retry.OnExhaustion;
import io.ojs.retry.RetryOverrides;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Requests for jobs as others send them (OJS HTTP Binding §9.1).
 */
class JobRequestJsonTests {

	private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private static final Instant NOW = Instant.parse("2026-03-15T09:30:00Z");

	private final JsonObjects objects = new JsonObjects();

	@Test
	void whatIsNotSaidIsLeftToDefaults() {
		assertThat(read("{\"type\":\"email.send\",\"args\":[\"a\",1,null,{\"b\":[true]}]}"))
			.isEqualTo(JobRequest.of("email.send", "a", 1, null, Map.of("b", List.of(true))));
	}

	@Test
	void everyOptionIsRead() {
		JobRequest request = read(
				"""
						{"type":"email.send","args":[],"id":"%s","meta":{"a":1},"specversion":"1.0","schema":"urn:x","version":2,
						"options":{"queue":"email","priority":-5,"timeout_ms":30000,"delay_until":"2026-03-15T10:00:00+01:00",
						"expires_at":"+PT1M","retry":{"max_attempts":5},"unique":{"keys":["args"],"on_conflict":"ignore"},
						"tags":["x","y"],"visibility_timeout_ms":3000,"rate_limit":{"key":"k"},"metadata":{"m":1},"pending":true}}"""
					.formatted(ID));
		assertThat(request).isEqualTo(JobRequest.of("email.send")
			.id(ID)
			.meta("a", 1)
			.tags("x", "y")
			.queue("email")
			.priority(-5)
			.timeout(Duration.ofSeconds(30))
			.scheduledAt(OffsetDateTime.parse("2026-03-15T10:00:00+01:00"))
			.expiresAt(NOW.plusSeconds(60))
			.retry((retry) -> retry.maxAttempts(5))
			.unique(UniquePolicy.DEFAULT.keys(UniqueDimension.ARGS).onConflict(OnConflict.IGNORE))
			.extension("visibility_timeout_ms", 3000L)
			.extension("rate_limit", Map.of("key", "k"))
			.extension("metadata", Map.of("m", 1))
			.pending()
			.extension("schema", "urn:x")
			.extension("version", 2));
	}

	@Test
	void versionMayStandBehindTheType() {
		assertThat(read("{\"type\":\"a.b@2.0\",\"args\":[]}")).isEqualTo(JobRequest.of("a.b").version("2.0"));
		assertThat(read("{\"type\":\"a.b@2.0\",\"args\":[],\"version\":3}"))
			.isEqualTo(JobRequest.of("a.b").extension("version", 3));
	}

	@Test
	void optionsMayStandBesideTheType() {
		assertThat(read("""
				{"type":"email.send","args":[],"queue":"email","priority":3,"timeout":30,"tags":["x"],"pending":false,
				"scheduled_at":"+PT5S","retry":{"max_retries":2},"visibility_timeout_ms":1}"""))
			.isEqualTo(JobRequest.of("email.send")
				.queue("email")
				.priority(3)
				.timeout(Duration.ofSeconds(30))
				.tags("x")
				.scheduledAt(NOW.plusSeconds(5))
				.retry((retry) -> retry.maxAttempts(3))
				.extension("visibility_timeout_ms", 1L)
				.extension("pending", false));
	}

	@Test
	void nothingUnknownIsLost() {
		assertThat(with("\"x_a\":{\"b\":1.5},\"options\":{\"x_c\":true,\"queue\":\"q\"}").extensions()).hasSize(2)
			.containsEntry("options", Map.of("x_c", true))
			.hasEntrySatisfying("x_a", (value) -> assertThat(value).hasToString("{b=1.5}"));
	}

	@Test
	void whatTheServerSetsIsIgnored() {
		JobRequest request = with("""
				"state":"completed","attempt":7,"created_at":"yesterday","errors":1,"error":{},"result":1,
				"max_attempts":99,"cancelled_at":null,"enqueued_at":1,"started_at":1,"completed_at":1""");
		assertThat(request).isEqualTo(JobRequest.of("a"));
	}

	@ParameterizedTest
	@CsvSource({ "1,1", "999,1", "1000,1", "1001,2", "2147483647000,2147483647" })
	void timeoutIsRoundedUpToSeconds(long milliseconds, long seconds) {
		assertThat(with("\"options\":{\"timeout_ms\":%d}".formatted(milliseconds)).timeout())
			.isEqualTo(Duration.ofSeconds(seconds));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"timeout\":0", "\"options\":{\"timeout_ms\":0}", "\"options\":{\"timeout_ms\":null}" })
	void noTimeoutIsTheDefault(String field) {
		assertThat(with(field).timeout()).isNull();
	}

	@Test
	void retryPolicyIsReadInAnyOfItsWords() {
		RetryOverrides canonical = with("""
				"options":{"retry":{"max_attempts":2,"initial_interval":"PT0.1S","backoff_coefficient":1.5,
				"max_interval":"PT2S","jitter":false,"non_retryable_errors":["A"],"on_exhaustion":"discard",
				"backoff_strategy":"constant","x":1}}""").retry();
		assertThat(canonical).isEqualTo(new RetryOverrides(2, Duration.ofMillis(100), 1.5, Duration.ofSeconds(2), false,
				List.of("A"), OnExhaustion.DISCARD, BackoffStrategy.CONSTANT, Map.of("x", 1)));
		assertThat(with("""
				"options":{"retry":{"max_retries":1,"initial_delay_ms":100,"backoff_coefficient":1.5,
				"max_delay_ms":2000,"jitter":false,"non_retryable_errors":["A"],"on_exhaustion":"discard",
				"strategy":"constant","x":1}}""").retry()).isEqualTo(canonical);
		assertThat(with("\"options\":{\"retry\":{\"initial_interval_ms\":100,\"max_interval_ms\":2000}}").retry())
			.isEqualTo(RetryOverrides.NONE.initialInterval(Duration.ofMillis(100)).maxInterval(Duration.ofSeconds(2)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "priority|101|between -100 and 100",
			"priority|1.5|integer", "priority|\"high\"|integer", "queue|\"Email\"|lower-case", "queue|7|string",
			"queue|\"dlx.a\"|must not begin", "timeout_ms|-1|1 to 2147483647000", "timeout_ms|1.5|integer",
			"timeout_ms|2147483647001|1 to 2147483647000", "scheduled_at|\"tomorrow\"|RFC 3339",
			"delay_until|\"2026-03-15T09:30:00\"|zone", "delay_until|\"+5S\"|+PT5S", "delay_until|\"+PT-5S\"|past",
			"expires_at|\"+P9999999999D\"|9999", "expires_at|\"+PT99999999999999999999S\"|+PT5S", "expires_at|5|string",
			"tags|\"a\"|array of strings", "tags|[1]|array of strings", "visibility_timeout_ms|0|at least 1",
			"visibility_timeout_ms|\"3s\"|integer", "rate_limit|5|object", "metadata|[]|object",
			"pending|\"yes\"|true or false", "retry|3|object", "retry.max_attempts|-1|negative",
			"retry.max_attempts|\"3\"|integer", "retry.backoff_coefficient|0.5|1.0 or more",
			"retry.initial_interval|\"1s\"|ISO 8601", "retry.initial_interval_ms|0|longer than zero",
			"retry.initial_delay_ms|\"1\"|milliseconds", "retry.max_retries|-1|between 0",
			"retry.strategy|\"random\"|random", "retry.on_exhaustion|\"explode\"|explode", "unique|true|object",
			"unique.states|[\"dead\"]|discarded", "unique.keys|[\"meta\"]|has meta" })
	void fieldThatIsWrongIsNamedWhereItStands(String field, String value, String shown) {
		String nested = (field.contains(".")) ? "\"%s\":{\"%s\":%s}".formatted(field.substring(0, field.indexOf('.')),
				field.substring(field.indexOf('.') + 1), value) : "\"%s\":%s".formatted(field, value);
		String named = field.equals("unique.keys") ? "unique.meta_keys" : field;
		assertBad("\"options\":{%s}".formatted(nested), "options." + named, shown);
		assertBad(nested, named, shown);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{\"args\":[]}|type|required",
			"{\"type\":null,\"args\":[]}|type|required", "{\"type\":\"A b\",\"args\":[]}|type|lower-case",
			"{\"type\":\"\",\"args\":[]}|type|lower-case", "{\"type\":1,\"args\":[]}|type|string",
			"{\"type\":\"a\"}|args|required", "{\"type\":\"a\",\"args\":null}|args|required",
			"{\"type\":\"a\",\"args\":{}}|args|array", "{\"type\":\"a\",\"args\":[],\"id\":\"1\"}|id|UUIDv7",
			"{\"type\":\"a\",\"args\":[],\"id\":\"\"}|id|UUIDv7",
			"{\"type\":\"a\",\"args\":[],\"id\":\"019461A8-1A2B-7C3D-8E4F-5A6B7C8D9E0F\"}|id|lower case",
			"{\"type\":\"a\",\"args\":[],\"meta\":[]}|meta|object",
			"{\"type\":\"a\",\"args\":[],\"options\":[]}|options|object",
			"{\"type\":\"a\",\"args\":[],\"specversion\":\"2.0\"}|specversion|1.0",
			"{\"type\":\"a\",\"args\":[],\"schema\":{}}|schema|string",
			"{\"type\":\"a\",\"args\":[],\"version\":1.5}|version|integer",
			"{\"type\":\"a\",\"args\":[],\"version\":\"v2\"}|version|major.minor",
			"{\"type\":\"a@\",\"args\":[]}|version|major.minor", "{\"type\":\"@2.0\",\"args\":[]}|type|letter" })
	void requestThatIsWrongIsRefused(String json, String field, String shown) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> read(json))
			.withMessageContaining(shown)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = {
			"\"queue\":\"a\",\"options\":{\"queue\":\"b\"}|queue|options.queue",
			"\"options\":{\"delay_until\":\"+PT1S\",\"scheduled_at\":\"+PT1S\"}|options.delay_until|options.scheduled_at",
			"\"options\":{\"timeout_ms\":1,\"timeout\":1}|options.timeout|options.timeout_ms",
			"\"meta\":{\"tags\":[\"a\"]},\"options\":{\"tags\":[\"b\"]}|options.tags|meta.tags",
			"\"retry\":{\"initial_interval\":\"PT1S\",\"initial_delay_ms\":1}|retry.initial_delay_ms|initial_interval" })
	void whatIsSaidTwiceIsRefused(String fields, String field, String other) {
		assertBad(fields, field, "'" + other + "'");
	}

	@Test
	void sameTagsTwiceAreNoContradiction() {
		assertThat(with("\"meta\":{\"tags\":[\"a\"]},\"tags\":[\"a\"]").meta()).containsEntry("tags", List.of("a"));
	}

	@Test
	void whatIsWrittenIsReadAgain() {
		JsonValues values = new JsonValues(JsonMapper.builder().build());
		JobRequest request = with("""
				"id":"%s","meta":{"a":1},"schema":"urn:x","x":{"y":[1]},"options":{"queue":"email","priority":-5,
				"timeout_ms":30000,"delay_until":"+PT1H","expires_at":"+PT2H","z":1,
				"retry":{"max_attempts":5,"initial_interval":"PT2S","x":1},"unique":{"keys":["args"]},"tags":["x"],
				"visibility_timeout_ms":3000,"pending":true}""".formatted(ID));
		byte[] written = this.objects.write(JobRequestJson.write(request, values));
		assertThat(JobRequestJson.read(this.objects.read(written), NOW.plusSeconds(1000))).isEqualTo(request);
	}

	@Test
	void rateLimitIsWrittenInTheWordsInWhichItIsRead() {
		JsonValues values = new JsonValues(JsonMapper.builder().build());
		RateLimit limit = RateLimit.of("api")
			.concurrency(2)
			.rate(5, Duration.ofSeconds(30))
			.throttle(1, Duration.ofMillis(250))
			.onLimit(OnLimit.RESCHEDULE);
		byte[] written = this.objects.write(JobRequestJson.write(JobRequest.of("a").rateLimit(limit), values));
		JobRequest request = JobRequestJson.read(this.objects.read(written), NOW);
		assertThat(RateLimitJson.read(request.extensions().get(RateLimit.FIELD), "default")).isEqualTo(limit);
	}

	private JobRequest with(String fields) {
		return read("{\"type\":\"a\",\"args\":[],%s}".formatted(fields));
	}

	private JobRequest read(String json) {
		return JobRequestJson.read(this.objects.read(json.getBytes(StandardCharsets.UTF_8)), NOW);
	}

	private void assertBad(String fields, String field, String shown) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> with(fields))
			.withMessageContaining(shown)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

}
