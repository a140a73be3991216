package io.ojs.deadletter.internal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.retry.RetryOverrides;
import io.ojs.store.StoredJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a replay changes of an envelope, and that it changes nothing else.
 */
class ReplayEditorTests {

	private static final String ID = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";

	private static final Instant NOON = Instant.parse("2026-03-15T12:00:00Z");

	private static final String MARKED = "\"ojs.replay_count\":1,\"ojs.last_replayed_at\":\"2026-03-15T12:00:00.000Z\"";

	private final JsonJobCodec codec = new JsonJobCodec();

	private final JsonValues values = new JsonValues(JsonMapper.shared());

	@Test
	void keepsWhatNobodyKnows() {
		String before = """
				{"x_vendor":{"b":1,"a":1.50},"specversion":"1.0","id":"%s","type":"a.b","queue":"q",\
				"args":[12345678901234567890.10,"\u00fc"],"state":"scheduled","attempt":0,"meta":{"k":null},\
				"enqueued_at":"2026-01-01T00:00:00Z"}""".formatted(ID);
		assertThat(text(edit(before, 0, ReplayOverrides.NONE)))
			.isEqualTo(before.replace("\"k\":null", "\"k\":null," + MARKED)
				.replace("scheduled", "available")
				.replace("2026-01-01T00:00:00Z", "2026-03-15T12:00:00.000Z"));
	}

	@Test
	void countsReplaysOfTheStoreWhateverTheEnvelopeSays() {
		String before = envelope(",\"meta\":{\"ojs.replay_count\":\"many\",\"ojs\":\"somebody's own\"}");
		EncodedJob after = edit(before, 6, ReplayOverrides.NONE);
		assertThat(after.job().meta()).containsEntry("ojs.replay_count", 7).containsEntry("ojs", "somebody's own");
		assertThat(ReplayMarks.count(after.job())).isEqualTo(7);
		assertThat(edit(before, Integer.MAX_VALUE, ReplayOverrides.NONE).job().meta()).containsEntry("ojs.replay_count",
				Integer.MAX_VALUE);
	}

	@Test
	@Tag("DLQ-R002")
	void changesWhatIsAskedFor() {
		String before = envelope(",\"meta\":{\"a\":1,\"b\":2},\"priority\":1,"
				+ "\"retry\":{\"max_attempts\":7,\"max_interval\":\"PT9S\",\"x_vendor\":true}");
		EncodedJob after = edit(before, 0,
				ReplayOverrides.NONE.queue("other")
					.priority(-5)
					.args("x", List.of(1))
					.meta("b", "new")
					.retry(RetryOverrides.NONE.maxAttempts(0).jitter(false)));
		Job job = after.job();
		assertThat(job.queue()).isEqualTo("other");
		assertThat(job.priority()).isEqualTo(-5);
		assertThat(job.args()).containsExactly("x", List.of(1));
		assertThat(job.meta()).containsEntry("a", 1).containsEntry("b", "new");
		assertThat(text(after))
			.contains("\"retry\":{\"max_attempts\":0,\"max_interval\":\"PT9S\",\"x_vendor\":true,\"jitter\":false}");
		assertThat(after.maxAttempts()).isOne();
	}

	@Test
	void leavesTheNumberOfAttempts() {
		assertThat(edit(envelope(""), 0, ReplayOverrides.NONE.retry(RetryOverrides.NONE.jitter(false))).maxAttempts())
			.isEqualTo(4);
	}

	@Test
	void refusesWhatEnqueueingWouldRefuse() {
		invalid("args[1]", ReplayOverrides.NONE.args(1, Double.NaN));
		invalid("meta.k", ReplayOverrides.NONE.meta("k", new Thread(() -> {
		})));
		invalid("args", ReplayOverrides.NONE.args("x".repeat(2000)));
		invalid("meta", ReplayOverrides.NONE.meta("k", "x".repeat(2000)));
	}

	@Test
	void aJobAsLargeAsItMayBeIsReplayed() {
		String large = envelope(",\"x\":\"" + "x".repeat(1000 - envelope(",\"x\":\"\"").length()) + "\"");
		assertThat(large).hasSize(1000);
		assertThat(edit(large, 0, ReplayOverrides.NONE).job().meta()).containsEntry("ojs.replay_count", 1);
	}

	/** It would be signed as if it had happened. */
	@Test
	void nobodyChangesTheEventThatAJobDelivers() {
		String delivery = envelope("").replace("a.b", "ojs.webhook.deliver");
		for (ReplayOverrides overrides : List.of(ReplayOverrides.NONE.args(Map.of("type", "forged")),
				ReplayOverrides.NONE.meta("webhook_subscription_id", "sub_other"),
				ReplayOverrides.NONE.queue("other"))) {
			assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> edit(delivery, 0, overrides))
				.withMessageContaining("signed");
		}
		assertThat(edit(delivery, 0, ReplayOverrides.NONE.priority(3)).job().priority()).isEqualTo(3);
	}

	@Test
	void newArgumentsOfASecretJobAreSecret() {
		JobEncryption encryption = encryption(EncryptedJobs.ALL);
		String secret = secret(encryption);
		EncodedJob after = edit(secret, encryption, ReplayOverrides.NONE.args("Visa", 2));
		assertThat(text(after)).contains("ojs_encoded").doesNotContain("Visa");
		assertThat(encryption.decrypt(after.job()).args()).containsExactly("Visa", 2);
		assertThat(edit(secret, encryption, ReplayOverrides.NONE).job().args())
			.isEqualTo(this.codec.decode(secret.getBytes(StandardCharsets.UTF_8)).args());
		// Somebody has encrypted them already.
		Object[] encrypted = after.job().args().toArray();
		assertThat(edit(secret, encryption, ReplayOverrides.NONE.args(encrypted)).job().args())
			.isEqualTo(after.job().args());
	}

	@Test
	void newArgumentsOfAJobThatWouldBeSecretTodayAreSecretToo() {
		JobEncryption encryption = encryption(new EncryptedJobs(List.of("a.b"), List.of()));
		assertThat(text(edit(envelope(""), encryption, ReplayOverrides.NONE.args("Visa")))).doesNotContain("Visa");
		JobEncryption others = encryption(new EncryptedJobs(List.of("x.y"), List.of()));
		assertThat(text(edit(envelope(""), others, ReplayOverrides.NONE.args("Visa")))).contains("Visa");
	}

	@Test
	void withoutAKeyASecretJobKeepsItsArguments() {
		String secret = secret(encryption(EncryptedJobs.ALL));
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> edit(secret, 0, ReplayOverrides.NONE.args("Visa")))
			.withMessageContaining("no key")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("args"))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("Visa"));
		assertThat(text(edit(secret, 0, ReplayOverrides.NONE.queue("other")))).contains("ojs_encoded");
	}

	private static JobEncryption encryption(EncryptedJobs jobs) {
		return new JobEncryption(
				new FixedKeys("k", List.of(EncryptionKey.of("k", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))),
				jobs, List.of());
	}

	private String secret(JobEncryption encryption) {
		Job job = encryption.encrypt(Job.builder(ID, "a.b", "q").args(List.of("old")).build());
		return new String(this.codec.encode(job), StandardCharsets.UTF_8);
	}

	private void invalid(String field, ReplayOverrides overrides) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> edit(envelope(""), 0, overrides))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	private EncodedJob edit(String body, int replays, ReplayOverrides overrides) {
		return edit(body, replays, JobEncryption.OFF, overrides);
	}

	private EncodedJob edit(String body, JobEncryption encryption, ReplayOverrides overrides) {
		return edit(body, 0, encryption, overrides);
	}

	private EncodedJob edit(String body, int replays, JobEncryption encryption, ReplayOverrides overrides) {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		StoredJob stored = new StoredJob(this.codec.decode(bytes), 4, Map.of(), null, NOON, "q", replays);
		return new ReplayEditor(this.codec, this.values, encryption, 1000, overrides)
			.edit(new KeptDeadLetter(stored, bytes), NOON);
	}

	private static String text(EncodedJob job) {
		return new String(job.body(), StandardCharsets.UTF_8);
	}

	private static String envelope(String more) {
		return "{\"specversion\":\"1.0\",\"id\":\"%s\",\"type\":\"a.b\",\"queue\":\"q\",\"args\":[]%s}".formatted(ID,
				more);
	}

}
