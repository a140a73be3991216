package io.ojs.internal.json;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The policy of a unique job in JSON: strict for whoever enqueues (OJS Unique Jobs §2.2),
 * no obstacle in a job that came in.
 */
class UniquePolicyJsonTests {

	private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private final JsonJobCodec codec = new JsonJobCodec();

	@Test
	void everyFieldIsRead() {
		UniquePolicy policy = read("""
				{"keys":["args","queue","meta","version"],"args_keys":["a","b"],"meta_keys":["m"],"period":"P1W",
				"states":["completed","active"],"on_conflict":"replace_except_schedule"}""");
		assertThat(policy).isEqualTo(new UniquePolicy(Set.of(UniqueDimension.values()), List.of("a", "b"), List.of("m"),
				Duration.ofDays(7), Set.of(JobState.COMPLETED, JobState.ACTIVE), OnConflict.REPLACE_EXCEPT_SCHEDULE));
	}

	@Test
	void nothingIsTheDefault() {
		assertThat(read("{}")).isEqualTo(UniquePolicy.DEFAULT);
		assertThat(read("{\"keys\":null,\"args_keys\":null,\"meta_keys\":[],\"period\":null,\"states\":null}"))
			.isEqualTo(UniquePolicy.DEFAULT);
		assertThat(UniquePolicy.DEFAULT.keys()).containsExactlyInAnyOrder(UniqueDimension.TYPE,
				UniqueDimension.VERSION);
		assertThat(UniquePolicy.DEFAULT.states()).containsExactlyInAnyOrder(JobState.AVAILABLE, JobState.ACTIVE,
				JobState.SCHEDULED, JobState.RETRYABLE, JobState.PENDING);
		assertThat(UniquePolicy.DEFAULT.onConflict()).isEqualTo(OnConflict.REJECT);
	}

	@Test
	void olderWordForKeysOfArgumentsIsUnderstood() {
		assertThat(read("{\"key\":[\"report_id\"]}")).isEqualTo(UniquePolicy.DEFAULT.argsKeys("report_id"));
		assertBad("{\"key\":[\"a\"],\"keys\":[\"type\"]}", "unique.key", "a policy has keys, args_keys");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "keys|\"type\"|unique.keys|array",
			"keys|[\"argz\"]|unique.keys|\"argz\"", "keys|[\"Type\"]|unique.keys|type, queue, args, meta and version",
			"keys|[\"type\",\"type\"]|unique.keys|twice", "keys|[1]|unique.keys|array of strings",
			"keys|[\"meta\"]|unique.meta_keys|must name", "meta_keys|[\"a\"]|unique.meta_keys|has meta",
			"args_keys|[\"a\"]|unique.args_keys|has args", "period|3600|unique.period|string",
			"period|\"3600s\"|unique.period|ISO 8601", "period|\"P1M\"|unique.period|ISO 8601",
			"period|\"PT0S\"|unique.period|longer than zero", "period|\"-PT1S\"|unique.period|longer than zero",
			"period|\"P40000D\"|unique.period|36500", "states|[]|unique.states|at least one",
			"states|[\"avail\"]|unique.states|discarded, handed_over", "states|[\"dead\"]|unique.states|discarded",
			"states|[\"active\",\"active\"]|unique.states|twice", "on_conflict|\"drop\"|unique.on_conflict|ignore",
			"on_conflict|true|unique.on_conflict|string", "until|1|unique.until|a policy has keys" })
	void fieldThatIsWrongIsNamedWithWhatItMustBe(String field, String value, String named, String shown) {
		assertBad("{\"%s\":%s}".formatted(field, value), named, shown);
	}

	@Test
	void emptyChoiceOfArgumentsIsRefused() {
		assertBad("{\"keys\":[\"args\"],\"args_keys\":[]}", "unique.args_keys", "leave it out");
		assertBad("{\"keys\":[\"args\"],\"args_keys\":[\"a\",\"a\"]}", "unique.args_keys", "twice");
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "[]", "\"type\"", "17" })
	void policyIsAnObject(String policy) {
		assertBad(policy, "unique", "must be an object");
	}

	@ParameterizedTest
	@EnumSource(OnConflict.class)
	void everyPolicyComesBackFromItsJson(OnConflict onConflict) {
		for (UniquePolicy policy : List.of(UniquePolicy.DEFAULT, UniquePolicy.DEFAULT.argsKeys("a", "b"),
				UniquePolicy.DEFAULT.metaKeys("m").period(Duration.ofMinutes(90)),
				UniquePolicy.DEFAULT.keys(UniqueDimension.values()).metaKeys("m").states(JobState.values()))) {
			Job job = Job.builder(ID, "a.b", "q").unique(policy.onConflict(onConflict)).build();
			assertThat(this.codec.decode(this.codec.encode(job))).isEqualTo(job);
		}
	}

	@Test
	void defaultsAreWrittenOut() {
		Job job = Job.builder(ID, "a.b", "q").unique(UniquePolicy.DEFAULT).build();
		assertThat(new String(this.codec.encode(job), StandardCharsets.UTF_8)).contains(
				"\"unique\":{\"keys\":[\"version\",\"type\"],\"states\":[\"available\",\"active\",\"scheduled\",\"retryable\","
						+ "\"pending\"],\"on_conflict\":\"reject\"},");
	}

	@ParameterizedTest
	@ValueSource(strings = { "17", "{\"keys\":[\"argz\"]}", "{\"period\":\"3600s\"}", "{\"keys\":[\"meta\"]}",
			"{\"x_new\":{\"deep\":[1.50]}}" })
	void badPolicyOfAJobThatCameInIsKeptAsItCame(String policy) {
		Job job = decode(policy);
		assertThat(job.unique()).isNull();
		assertThat(job.extensions()).containsOnlyKeys("unique");
		assertThat(new String(this.codec.encode(job), StandardCharsets.UTF_8)).contains("\"unique\":" + policy);
	}

	@Test
	void goodPolicyOfAJobThatCameInIsAField() {
		Job job = decode("{\"keys\":[\"type\",\"args\"],\"period\":\"PT1H\"}");
		assertThat(job.unique()).isEqualTo(UniquePolicy.DEFAULT.keys(UniqueDimension.ARGS).period(Duration.ofHours(1)));
		assertThat(job.extensions()).isEmpty();
		assertThat(decode("null").unique()).isNull();
		assertThat(decode("null").extensions()).isEmpty();
	}

	@Test
	void jobThatHasAPolicyHasNoOther() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> Job.builder(ID, "a.b", "q")
				.unique(UniquePolicy.DEFAULT)
				.extensions(Map.of("unique", Map.of()))
				.build())
			.withMessageContaining("'unique'");
	}

	private void assertBad(String policy, String field, String shown) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> read(policy))
			.withMessageContaining(shown)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	private static UniquePolicy read(String policy) {
		byte[] body = "{\"value\":%s}".formatted(policy).getBytes(StandardCharsets.UTF_8);
		return UniquePolicyJson.read(new JsonObjects().read(body).get("value"));
	}

	private Job decode(String policy) {
		return this.codec.decode("{\"id\":\"%s\",\"type\":\"a.b\",\"args\":[],\"unique\":%s}".formatted(ID, policy)
			.getBytes(StandardCharsets.UTF_8));
	}

}
