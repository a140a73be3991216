package io.ojs.internal.unique;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which jobs have the same key (OJS Unique Jobs §3, §4).
 */
class UniqueKeysTests {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private static final UniquePolicy ARGS = UniquePolicy.DEFAULT.keys(UniqueDimension.ARGS);

	private final UniqueKeys keys = new UniqueKeys(null);

	@Test
	void keyIsTheSha256OfTheCanonicalDimensions() {
		// printf '%s'
		// '{"args":{"user_id":42},"queue":"notifications","type":"email.send"}' |
		// sha256sum
		assertThat(this.keys.of(example(UniquePolicy.DEFAULT.keys(UniqueDimension.QUEUE).argsKeys("user_id"))))
			.isEqualTo("71f9344b82e66297a49775bbe27752297922842b675330641ebe3ff4fea46c1f");
	}

	@Test
	void keyWithASecretIsTheHmac() {
		// The same through: openssl dgst -sha256 -hmac 'correct horse battery'
		assertThat(new UniqueKeys("correct horse battery")
			.of(example(UniquePolicy.DEFAULT.keys(UniqueDimension.QUEUE).argsKeys("user_id"))))
			.isEqualTo("18ab5f4ffa6559891a750a048270a802bd8ae0b68409cea936bf232d77bcdfad");
	}

	@Test
	void jobWithoutAPolicyHasNone() {
		assertThat(this.keys.of(job("a.b", "q", null, List.of(), Map.of()))).isNull();
	}

	@Test
	void typeIsAlwaysCompared() {
		assertThat(ARGS.keys()).contains(UniqueDimension.TYPE);
		assertThat(key("a.b", "q", ARGS, List.of(1), Map.of()))
			.isNotEqualTo(key("a.c", "q", ARGS, List.of(1), Map.of()));
		assertThat(key("a.b", "q", UniquePolicy.DEFAULT, List.of(1), Map.of()))
			.isEqualTo(key("a.b", "r", UniquePolicy.DEFAULT, List.of(2), Map.of("k", 1)));
	}

	@Test
	void queueIsComparedWhenAskedFor() {
		UniquePolicy byQueue = UniquePolicy.DEFAULT.keys(UniqueDimension.QUEUE);
		assertThat(key("a.b", "q", byQueue, List.of(), Map.of()))
			.isNotEqualTo(key("a.b", "r", byQueue, List.of(), Map.of()))
			.isEqualTo(key("a.b", "q", byQueue, List.of(1), Map.of()));
	}

	@Test
	void orderOfArgumentsMattersAndOrderOfTheirKeysDoesNot() {
		assertThat(argsKey("[1,2]")).isNotEqualTo(argsKey("[2,1]"));
		assertThat(argsKey("[{\"a\":1,\"b\":{\"c\":[1.0],\"d\":null}}]"))
			.isEqualTo(argsKey("[ {\"b\" : {\"d\":null, \"c\":[1]}, \"\\u0061\": 1e0} ]"))
			.isNotEqualTo(argsKey("[{\"a\":1,\"b\":{\"c\":[1.1],\"d\":null}}]"));
		assertThat(argsKey("[1]")).isNotEqualTo(argsKey("[\"1\"]"));
		assertThat(argsKey("[null]")).isNotEqualTo(argsKey("[]"));
	}

	@Test
	void largeNumbersDoNotMeetTheirNeighbours() {
		assertThat(argsKey("[9007199254740993]")).isNotEqualTo(argsKey("[9007199254740992]"))
			.isNotEqualTo(argsKey("[9007199254740994]"));
	}

	@Test
	void orderInThePolicyDoesNotMatter() {
		UniquePolicy one = UniquePolicy.DEFAULT.keys(UniqueDimension.QUEUE, UniqueDimension.TYPE).argsKeys("a", "b");
		UniquePolicy two = UniquePolicy.DEFAULT.argsKeys("b", "a").keys(UniqueDimension.ARGS, UniqueDimension.QUEUE);
		List<Object> args = List.of(Map.of("a", 1, "b", 2));
		assertThat(key("a.b", "q", one, args, Map.of())).isEqualTo(key("a.b", "q", two, args, Map.of()));
	}

	@Test
	void chosenKeysAreFoundInAnyArgumentThatIsAnObject() {
		UniquePolicy policy = UniquePolicy.DEFAULT.argsKeys("id", "kind");
		String expected = key("a.b", "q", policy, List.of(Map.of("id", 1, "kind", "x")), Map.of());
		assertThat(key("a.b", "q", policy,
				List.of("id", Map.of("kind", "x", "n", 5), List.of(Map.of("id", 9)), Map.of("id", 1)), Map.of()))
			.isEqualTo(expected);
	}

	@Test
	void chosenKeyMayBeNullAndMustBeThereOnce() {
		UniquePolicy policy = UniquePolicy.DEFAULT.argsKeys("id");
		Map<String, Object> none = new HashMap<>();
		none.put("id", null);
		assertThat(key("a.b", "q", policy, List.of(none), Map.of())).hasSize(64);
		assertRefused(policy, Arrays.asList(17, null, Map.of("ID", 1)), "unique.args_keys", "objects");
		assertRefused(policy, List.of(), "unique.args_keys", "\"id\"");
		assertRefused(policy, List.of(Map.of("id", 1), Map.of("id", 1)), "unique.args_keys", "only one");
	}

	@Test
	void chosenKeysOfMetaAreComparedAndNoOthers() {
		UniquePolicy policy = UniquePolicy.DEFAULT.metaKeys("tenant_id");
		assertThat(key("a.b", "q", policy, List.of(), Map.of("tenant_id", "acme", "trace_id", 1)))
			.isEqualTo(key("a.b", "q", policy, List.of(), Map.of("tenant_id", "acme", "trace_id", 2)))
			.isNotEqualTo(key("a.b", "q", policy, List.of(), Map.of("tenant_id", "other", "trace_id", 1)));
		assertRefused(policy, List.of(), "unique.meta_keys", "\"tenant_id\"");
	}

	private Job example(UniquePolicy policy) {
		return job("email.send", "notifications", policy,
				List.of(Map.of("user_id", 42, "template", "welcome", "locale", "en-US")),
				Map.of("tenant_id", "acme", "trace_id", "abc123"));
	}

	private void assertRefused(UniquePolicy policy, List<?> args, String field, String shown) {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> key("a.b", "q", policy, args, Map.of("other", 1)))
			.withMessageContaining(shown)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	private String argsKey(String args) {
		Job read = new JsonJobCodec()
			.decode("{\"id\":\"%s\",\"type\":\"a.b\",\"args\":%s,\"unique\":{\"keys\":[\"args\"]}}".formatted(ID, args)
				.getBytes(StandardCharsets.UTF_8));
		return this.keys.of(read);
	}

	private String key(String type, String queue, UniquePolicy policy, List<?> args, Map<String, ?> meta) {
		return this.keys.of(job(type, queue, policy, args, meta));
	}

	private static Job job(String type, String queue, UniquePolicy policy, List<?> args, Map<String, ?> meta) {
		return Job.builder(ID, type, queue).args(args).meta(meta).unique(policy).build();
	}

}
