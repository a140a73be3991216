package io.ojs.crypto.internal;

import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.InvalidEncryptionKeyException;
import io.ojs.crypto.PayloadCodec;
import io.ojs.crypto.RequiredEncryption;
import io.ojs.crypto.UndecryptableException;
import io.ojs.crypto.UnknownKeyException;
import io.ojs.handler.internal.HandlerFixture;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What encrypted arguments look like, and who can read them.
 */
class JobEncryptionTests {

	private static final String ID = HandlerFixture.ID;

	/** The bytes 0 to 31. */
	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String OTHER_KEY = "/wECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	/**
	 * {@code ["4111-1111", {"amount": 9999, "ü": null}]} by another implementation of
	 * AES-256-GCM.
	 */
	private static final String FOREIGN = "Acr+ur76ztut3sr4iNGBlBebS2Iqdzps/1dmq15gT7U/qztQTXfmPV2cStndlz60Kq2pFMl1fzGq"
			+ "X5WBiPeat4faKoE=";

	private final JobEncryption encryption = encryption(EncryptedJobs.ALL);

	private static JobEncryption encryption(EncryptedJobs jobs, PayloadCodec... codecs) {
		return new JobEncryption(
				new FixedKeys("new", List.of(EncryptionKey.of("new", KEY), EncryptionKey.of("old", OTHER_KEY))), jobs,
				List.of(codecs));
	}

	private static Job job(Object... args) {
		return Job.builder(ID, "payment.process", "payments").args(List.of(args)).meta("user", "u1").build();
	}

	private static Job encoded(String data, String encoding, Map<String, Object> meta) {
		return job(Map.of("ojs_encoded", true, "encoding", encoding, "data", data)).toBuilder().meta(meta).build();
	}

	@Test
	void noMoreThanEightEncodingsAreUndone() {
		JobEncryption flipping = encryption(EncryptedJobs.ALL, new Flip());
		byte[] data = { 1, 2, 3 };
		assertThat(flipping.decode(new Payload(data, Collections.nCopies(8, "test/flip"), null, Map.of())))
			.isEqualTo(data);
		assertThatExceptionOfType(UndecryptableException.class)
			.isThrownBy(() -> flipping.decode(new Payload(data, Collections.nCopies(9, "test/flip"), null, Map.of())))
			.withMessageContaining("9 encodings");
	}

	@Test
	void looksAsOjsSays() {
		Job encrypted = this.encryption.encrypt(job("secret", 1));
		assertThat(encrypted.args()).singleElement().satisfies((arg) -> {
			Map<?, ?> only = (Map<?, ?>) arg;
			assertThat(only.keySet()).map(Object::toString).containsExactly("ojs_encoded", "encoding", "data");
			assertThat(only.get("ojs_encoded")).isEqualTo(true);
			assertThat(only.get("encoding")).isEqualTo("binary/encrypted");
			byte[] data = Base64.getDecoder().decode((String) only.get("data"));
			assertThat(data).hasSize(1 + 12 + "[\"secret\",1]".length() + 16);
			assertThat(data[0]).isEqualTo((byte) 1);
		});
		assertThat(encrypted.meta()).containsEntry("user", "u1")
			.containsEntry("ojs.codec.encodings", List.of("binary/encrypted"))
			.containsEntry("ojs.codec.key_id", "new")
			.containsEntry("ojs.codec.aad", List.of("id", "tenant_id", "type"))
			.hasSize(4);
		assertThat(encrypted.toString()).doesNotContain("secret");
		assertThat(encrypted.toBuilder().args(List.of()).meta(Map.of()).build())
			.isEqualTo(job().toBuilder().meta(Map.of()).build());
	}

	@Test
	void whatIsEncryptedComesBack() {
		List<Object> args = List.of("ü", 1, true, List.of(Map.of("a", 2.5)), "x".repeat(10_000));
		Job job = job(args.toArray());
		Job decrypted = this.encryption.decrypt(this.encryption.encrypt(job));
		assertThat(decrypted.args()).hasToString(job.args().toString());
		assertThat(this.encryption.decrypt(this.encryption.encrypt(job())).args()).isEmpty();
	}

	@Test
	void othersFormatIsOurs() {
		Map<String, Object> meta = Map.of("ojs.codec.encodings", List.of("binary/encrypted"), "ojs.codec.key_id",
				"new");
		Map<String, Object> second = new LinkedHashMap<>();
		second.put("amount", 9999);
		second.put("ü", null);
		assertThat(this.encryption.decrypt(encoded(FOREIGN, "binary/encrypted", meta)).args())
			.containsExactly("4111-1111", second);
		// Some write only what stands beside the data.
		assertThat(
				this.encryption.decrypt(encoded(FOREIGN, "binary/encrypted", Map.of("ojs.codec.key_id", "new"))).args())
			.hasSize(2);
	}

	@Test
	void eachHasANonceOfItsOwn() {
		Set<String> seen = new HashSet<>();
		for (int i = 0; i < 1000; i++) {
			byte[] data = data(this.encryption.encrypt(job("same")));
			seen.add(Base64.getEncoder().encodeToString(java.util.Arrays.copyOfRange(data, 1, 13)));
		}
		assertThat(seen).hasSize(1000);
	}

	private static byte[] data(Job job) {
		return Base64.getDecoder().decode((String) ((Map<?, ?>) job.args().get(0)).get("data"));
	}

	@Test
	void nothingIsEncryptedTwice() {
		Job once = this.encryption.encrypt(job("secret"));
		assertThat(this.encryption.encrypt(once)).isSameAs(once);
		Job plain = job("plain");
		assertThat(this.encryption.decrypt(plain)).isSameAs(plain);
	}

	@Test
	void whoOnlySaysThatItIsEncryptedIsRefused() {
		Map<String, Object> meta = Map.of("ojs.codec.encodings", List.of("binary/encrypted"), "ojs.codec.key_id",
				"new");
		Job sealed = encoded("AQ==", "binary/encrypted", meta);
		assertThat(this.encryption.encrypt(sealed)).isSameAs(sealed);
		List<Job> pretending = List.of(encoded("AQ==", "gzip/plain", Map.of("ojs.codec.key_id", "new")),
				encoded("AQ==", "binary/encrypted", Map.of()),
				encoded("AQ==", "binary/encrypted",
						Map.of("ojs.codec.encodings", List.of("gzip/plain"), "ojs.codec.key_id", "new")),
				job(Map.of("ojs_encoded", true)).toBuilder().meta(meta).build(),
				job(Map.of("ojs_encoded", true, "encoding", "binary/encrypted", "data", "AQ==", "card", "4111"))
					.toBuilder()
					.meta(meta)
					.build());
		for (Job job : pretending) {
			assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.encryption.encrypt(job))
				.withMessageContaining("must be plain, to be encrypted here")
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("args[0]"))
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("4111"));
			JobRequest request = JobRequest.of(job.type(), job.args().get(0));
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> this.encryption.encrypt(request, "q"));
			assertThat(JobEncryption.OFF.encrypt(job)).isSameAs(job);
		}
	}

	@ParameterizedTest
	@CsvSource({ "payment.process, any, true", "payment.refund.all, any, true", "payments, any, false",
			"user.export, any, true", "user.exports, any, false", "a.b, payroll, true", "a.b, payrolls, false" })
	void whoIsNamedIsEncrypted(String type, String queue, boolean encrypted) {
		JobEncryption some = encryption(new EncryptedJobs(List.of("payment.*", "user.export"), List.of("payroll")));
		Job job = Job.builder(ID, type, queue).args(List.of("x")).build();
		assertThat(some.encrypts(type, queue)).isEqualTo(encrypted);
		assertThat(JobEncryption.isEncoded(some.encrypt(job).args())).isEqualTo(encrypted);
		JobRequest request = JobRequest.of(type, "x");
		assertThat(JobEncryption.isEncoded(some.encrypt(request, queue).args())).isEqualTo(encrypted);
		// Whoever has the keys decrypts all.
		assertThat(some.decrypt(this.encryption.encrypt(job)).args()).containsExactly("x");
	}

	@Test
	void requestsThatAreKeptComeBackAsTheyWere() {
		JobRequest request = JobRequest.of("a.b", "secret", 1).queue("q").meta("user", "u1").priority(3);
		JobRequest kept = this.encryption.keep(request, "q", "nightly");
		assertThat(kept.toString()).doesNotContain("secret");
		assertThat(kept.meta()).containsKeys("user", "ojs.codec.key_id");
		assertThat(this.encryption.open(kept, "nightly")).isEqualTo(request);
	}

	@Test
	void byWhichKeyIsSaid() {
		Job old = new JobEncryption(new FixedKeys("old", List.of(EncryptionKey.of("old", OTHER_KEY))),
				EncryptedJobs.ALL, List.of())
			.encrypt(job("secret"));
		assertThat(old.meta()).containsEntry("ojs.codec.key_id", "old");
		assertThat(this.encryption.decrypt(old).args()).containsExactly("secret");
		JobEncryption rotated = new JobEncryption(new FixedKeys("new", List.of(EncryptionKey.of("new", KEY))),
				EncryptedJobs.ALL, List.of());
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> rotated.decrypt(old))
			.withMessageContaining("'old' is not known here")
			.satisfies((ex) -> assertThat(ex.keyId()).isEqualTo("old"));
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> JobEncryption.OFF.decrypt(old))
			.withMessageContaining("'old'");
	}

	@Test
	void whatWasChangedIsNotDecrypted() {
		Job encrypted = this.encryption.encrypt(job("secret"));
		byte[] data = data(encrypted);
		for (int i = 0; i < data.length; i++) {
			byte[] changed = data.clone();
			changed[i] ^= 0x10;
			Job forged = encoded(Base64.getEncoder().encodeToString(changed), "binary/encrypted", encrypted.meta());
			assertThatExceptionOfType(UndecryptableException.class).isThrownBy(() -> this.encryption.decrypt(forged))
				.withMessageContaining("'new'");
		}
	}

	/**
	 * Made by another implementation of AES-256-GCM, with additional authenticated data.
	 */
	@Test
	void othersBindAsWeDo() throws Exception {
		byte[] nonce = new byte[12];
		javax.crypto.Cipher cipher = javax.crypto.Cipher.getInstance("AES/GCM/NoPadding");
		cipher.init(javax.crypto.Cipher.ENCRYPT_MODE, EncryptionKey.of("new", KEY).key(),
				new javax.crypto.spec.GCMParameterSpec(128, nonce));
		cipher.updateAAD("{\"id\":\"%s\",\"tenant_id\":\"\",\"type\":\"payment.process\"}".formatted(ID).getBytes());
		byte[] sealed = cipher.doFinal("[\"secret\"]".getBytes());
		java.nio.ByteBuffer data = java.nio.ByteBuffer.allocate(13 + sealed.length)
			.put((byte) 1)
			.put(nonce)
			.put(sealed);
		Job job = encoded(Base64.getEncoder().encodeToString(data.array()), "binary/encrypted",
				Map.of("ojs.codec.key_id", "new", "ojs.codec.aad", List.of("type", "id", "tenant_id")));
		assertThat(this.encryption.decrypt(job).args()).containsExactly("secret");
	}

	@Test
	void ciphertextIsOfItsJobAlone() {
		Job job = this.encryption.encrypt(job("secret").toBuilder().meta("tenant_id", "acme").build());
		assertThat(this.encryption.decrypt(job.toBuilder().queue("other").priority(3).attempt(2).build()).args())
			.containsExactly("secret");
		io.ojs.job.JobBuilder other = Job.builder(ID.replace('0', '1'), job.type(), job.queue())
			.args(job.args())
			.meta(job.meta());
		Map<String, Object> unbound = new LinkedHashMap<>(job.meta());
		unbound.remove("ojs.codec.aad");
		List<Job> copies = List.of(job.toBuilder().type("payment.show").build(),
				job.toBuilder().meta("tenant_id", "evil").build(), other.build(), job.toBuilder().meta(unbound).build(),
				job.toBuilder().meta("ojs.codec.aad", List.of("type")).build(),
				job.toBuilder().meta("ojs.codec.aad", List.of("id", "tenant_id", "type", "cron")).build());
		for (Job copy : copies) {
			assertThatExceptionOfType(UndecryptableException.class).isThrownBy(() -> this.encryption.decrypt(copy))
				.withMessageContaining("'new'");
		}
	}

	/** Its arguments become those of a job with another id. */
	@Test
	void ciphertextThatCanBeMergedIsBoundToAllButItsId() {
		UniquePolicy merges = UniquePolicy.DEFAULT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE);
		Job job = this.encryption.encrypt(job("secret").toBuilder().meta("tenant_id", "acme").unique(merges).build());
		assertThat(job.meta()).containsEntry("ojs.codec.aad", List.of("tenant_id", "type"));
		io.ojs.job.JobBuilder merged = Job.builder(ID.replace('0', '1'), job.type(), job.queue())
			.args(job.args())
			.meta(job.meta());
		assertThat(this.encryption.decrypt(merged.build()).args()).containsExactly("secret");
		assertThatExceptionOfType(UndecryptableException.class)
			.isThrownBy(() -> this.encryption.decrypt(job.toBuilder().meta("tenant_id", "evil").build()));
		assertThatExceptionOfType(UndecryptableException.class)
			.isThrownBy(() -> this.encryption.decrypt(job.toBuilder().type("payment.show").build()));
		JobRequest request = JobRequest.of("payment.process", "secret").id(ID).unique((unique) -> merges);
		assertThat(this.encryption.seal(request).meta()).containsEntry("ojs.codec.aad", List.of("tenant_id", "type"));
	}

	/** A caller who writes the policy into a copy does not loosen its binding. */
	@Test
	void aPolicyDoesNotUnbindCiphertext() {
		Job job = this.encryption.encrypt(job("secret"));
		io.ojs.job.JobBuilder copy = Job.builder(ID.replace('0', '1'), job.type(), job.queue())
			.args(job.args())
			.unique(UniquePolicy.DEFAULT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE));
		for (Object aad : List.of(List.of("id", "tenant_id", "type"), List.of("tenant_id", "type"), List.of())) {
			Job forged = copy.meta(job.meta()).meta("ojs.codec.aad", aad).build();
			assertThatExceptionOfType(UndecryptableException.class).isThrownBy(() -> this.encryption.decrypt(forged));
		}
	}

	@Test
	void typesOfOtherImplementationsAreNotBound() {
		JobEncryption some = new JobEncryption(new FixedKeys("new", List.of(EncryptionKey.of("new", KEY))),
				new EncryptedJobs(List.of("*"), List.of(), List.of("python.*"), RequiredEncryption.NONE), List.of());
		Job job = some.encrypt(Job.builder(ID, "python.work", "q").args(List.of("secret")).build());
		assertThat(job.meta()).doesNotContainKey("ojs.codec.aad");
		assertThat(some.decrypt(job).args()).containsExactly("secret");
		assertThat(some.encrypt(job("secret")).meta()).containsKey("ojs.codec.aad");
	}

	@ParameterizedTest
	@CsvSource({ "NONE, 4", "ENCRYPTED, 3", "BOUND, 2" })
	void whatIsDemandedIsSeenToBeforeAHandlerRuns(RequiredEncryption require, int accepted) {
		JobEncryption demanding = new JobEncryption(new FixedKeys("new", List.of(EncryptionKey.of("new", KEY))),
				new EncryptedJobs(List.of("payment.*"), List.of(), List.of(), require), List.of());
		JobEncryption unbound = new JobEncryption(new FixedKeys("new", List.of(EncryptionKey.of("new", KEY))),
				new EncryptedJobs(List.of("*"), List.of(), List.of("*"), RequiredEncryption.NONE), List.of());
		Job plain = job("plain");
		int taken = 0;
		for (Job job : List.of(plain, unbound.encrypt(plain), demanding.encrypt(plain),
				demanding.encrypt(plain.toBuilder().meta("tenant_id", "acme").build()))) {
			JobRequest request = JobRequest.of(job.type(), job.args().toArray());
			for (Map.Entry<String, Object> entry : job.meta().entrySet()) {
				request = request.meta(entry.getKey(), entry.getValue());
			}
			JobRequest arriving = request;
			try {
				assertThat(demanding.decrypt(job).args()).containsExactly("plain");
				demanding.checkArrival(arriving, "q");
				taken++;
			}
			catch (UndecryptableException ex) {
				assertThat(ex).hasMessageContaining("'payment.process' have to be " + require.name().toLowerCase())
					.hasMessageContaining("ojs.encryption.require");
				assertThatExceptionOfType(InvalidJobException.class)
					.isThrownBy(() -> demanding.checkArrival(arriving, "q"))
					.withMessageContaining("ojs.encryption.require")
					.satisfies((refusal) -> assertThat(refusal.field()).isEqualTo("args"));
			}
		}
		assertThat(taken).isEqualTo(accepted);
		// The marker is no encryption.
		Job compressed = encoded("AQ==", "gzip/plain", Map.of());
		assertThatExceptionOfType(UndecryptableException.class).isThrownBy(() -> demanding.decrypt(compressed))
			.withMessageContaining((require == RequiredEncryption.NONE) ? "gzip/plain" : "not encrypted");
		Job open = Job.builder(ID, "open.type", "q").args(List.of("plain")).build();
		assertThat(demanding.decrypt(open)).isSameAs(open);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "AQ==", "no base64!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" })
	void whatIsNoCiphertextIsNotDecrypted(String data) {
		assertThatExceptionOfType(UndecryptableException.class).isThrownBy(
				() -> this.encryption.decrypt(encoded(data, "binary/encrypted", Map.of("ojs.codec.key_id", "new"))));
	}

	@Test
	void whatNobodyHereCanUndoSaysSo() {
		Job zstd = encoded(FOREIGN, "?",
				Map.of("ojs.codec.encodings", List.of("zstd/plain", "binary/encrypted"), "ojs.codec.key_id", "new"));
		assertThatExceptionOfType(UndecryptableException.class).isThrownBy(() -> this.encryption.decrypt(zstd))
			.withMessageContaining("nothing here undoes the encoding 'zstd/plain'");
		assertThatExceptionOfType(UndecryptableException.class)
			.isThrownBy(() -> this.encryption.decrypt(encoded(FOREIGN, "binary/encrypted", Map.of())))
			.withMessageContaining("does not say which key");
	}

	@Test
	void whatIsDecryptedAndNoArgumentsIsNotShown() {
		byte[] cipher = new AesGcm().encrypt(EncryptionKey.of("new", KEY), "{\"secret\":1}".getBytes(), new byte[0]);
		assertThatExceptionOfType(UndecryptableException.class)
			.isThrownBy(() -> this.encryption.decrypt(encoded(Base64.getEncoder().encodeToString(cipher),
					"binary/encrypted", Map.of("ojs.codec.key_id", "new"))))
			.withMessageContaining("no JSON array")
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("secret"));
	}

	@Test
	void codecsAreAppliedBeforeAndUndoneAfter() {
		JobEncryption compressing = encryption(EncryptedJobs.ALL, new GzipCodec(100, 20_000));
		Job large = job("x".repeat(10_000));
		Job encrypted = compressing.encrypt(large);
		assertThat(encrypted.meta()).containsEntry("ojs.codec.encodings", List.of("gzip/plain", "binary/encrypted"));
		assertThat(data(encrypted)).hasSizeLessThan(500);
		assertThat(compressing.decrypt(encrypted).args()).isEqualTo(large.args());
		assertThat(compressing.encrypt(job("short")).meta()).containsEntry("ojs.codec.encodings",
				List.of("binary/encrypted"));
		// One that does not grow small is left as it is.
		Job random = job(Base64.getEncoder().encodeToString(data(this.encryption.encrypt(job("x".repeat(90))))));
		assertThat(encryption(EncryptedJobs.ALL, new GzipCodec(0, 20_000)).encrypt(random).meta())
			.containsEntry("ojs.codec.encodings", List.of("binary/encrypted"));
		assertThatExceptionOfType(UndecryptableException.class)
			.isThrownBy(() -> encryption(EncryptedJobs.ALL, new GzipCodec(100, 5000)).decrypt(encrypted))
			.withMessageContaining("gzip/plain");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> encryption(EncryptedJobs.ALL, new GzipCodec(1, 2), new GzipCodec(3, 4)))
			.withMessageContaining("gzip/plain");
	}

	@Test
	void whatIsTooLargeToBeDecompressedIsNotCompressed() {
		JobEncryption compressing = encryption(EncryptedJobs.ALL, new GzipCodec(100, 5000));
		Job large = compressing.encrypt(job("x".repeat(10_000)));
		assertThat(large.meta()).containsEntry("ojs.codec.encodings", List.of("binary/encrypted"));
		assertThat(compressing.decrypt(large).args()).containsExactly("x".repeat(10_000));
		Job most = job("x".repeat(5000 - 4));
		assertThat(compressing.decrypt(compressing.encrypt(most)).args()).isEqualTo(most.args());
	}

	@Test
	void withoutKeysNothingIsEncrypted() {
		Job job = job("x");
		assertThat(JobEncryption.OFF.encrypt(job)).isSameAs(job);
		assertThat(JobEncryption.OFF.encrypts("a", "b")).isFalse();
		assertThatExceptionOfType(InvalidEncryptionKeyException.class)
			.isThrownBy(() -> JobEncryption.OFF.seal(List.of(1), job))
			.withMessageContaining("there are none in this application");
	}

	@Test
	void whatIsWrongWithArgumentsIsToldWithoutThem() {
		InvalidJobException told = new InvalidJobException("args[1].secret", "secret",
				"must fit a date (secret is none)", new IllegalStateException("secret"));
		assertThat(JobEncryption.hidden(told))
			.hasMessage("Invalid job: 'args[1]' must fit a date, but was \"[encrypted]\".")
			.hasNoCause()
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("args[1]"));
		assertThat(JobEncryption.hidden(told.in("jobs[2]")).field()).isEqualTo("jobs[2].args[1]");
		InvalidJobException other = new InvalidJobException("queue", "No Queue", "must be a name");
		assertThat(JobEncryption.hidden(other)).isSameAs(other);
	}

	/** Turns every bit. */
	private static final class Flip implements PayloadCodec {

		@Override
		public String encoding() {
			return "test/flip";
		}

		@Override
		public byte[] encode(byte[] plain) {
			byte[] flipped = plain.clone();
			for (int i = 0; i < flipped.length; i++) {
				flipped[i] = (byte) ~flipped[i];
			}
			return flipped;
		}

		@Override
		public byte[] decode(byte[] encoded) {
			return encode(encoded);
		}

	}

}
