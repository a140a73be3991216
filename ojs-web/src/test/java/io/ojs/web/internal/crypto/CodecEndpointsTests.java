package io.ojs.web.internal.crypto;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.web.AccessControl;
import io.ojs.web.CodecAccess;
import io.ojs.web.CodecAudit;
import io.ojs.web.internal.HttpRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Encoding and decoding for callers with the right to the codec. Each request is recorded
 * before it is answered.
 */
class CodecEndpointsTests {

	private static final String ENCODE = "/ojs/v1/codec/encode";

	private static final String DECODE = "/ojs/v1/codec/decode";

	private static final String SECRET = "[\"Visa-1111\"]";

	private static final AccessControl ALL = (access, request) -> AccessControl.Decision.ALLOWED;

	private final EncryptionKeys keys = new EncryptionKeys() {

		private final EncryptionKey key = EncryptionKey.of("k1", Base64.getEncoder().encodeToString(new byte[32]));

		@Override
		public EncryptionKey active() {
			return this.key;
		}

		@Override
		public Optional<EncryptionKey> find(String id) {
			return Optional.of(this.key).filter((found) -> found.id().equals(id));
		}

	};

	private final List<CodecAccess> records = new ArrayList<>();

	private final HttpRequests requests = requests(this.records::add, ALL);

	private HttpRequests requests(CodecAudit audit, AccessControl access) {
		JobEncryption encryption = new JobEncryption(this.keys, EncryptedJobs.ALL, List.of());
		return HttpRequests.of(new CodecEndpoints(encryption, audit, false), access);
	}

	@Test
	void encodedPayloadIsDecoded() {
		MockHttpServletResponse encoded = this.requests.post(ENCODE, payloads(plain(SECRET)));
		assertThat(HttpRequests.text(encoded)).contains("binary/encrypted").doesNotContain(base64(SECRET));
		MockHttpServletResponse decoded = this.requests.post(DECODE, HttpRequests.text(encoded));
		assertThat(HttpRequests.body(decoded)).isEqualTo(Map.of("payloads",
				List.of(Map.of("data", base64(SECRET), "metadata", Map.of("encoding", "json/plain")))));
	}

	@Test
	void eachRequestIsRecordedWithItsKeysAndNotItsContent() {
		String encoded = HttpRequests.text(this.requests.post(ENCODE, payloads(plain(SECRET), plain("[]"))));
		this.requests.post(DECODE, encoded);
		this.requests.post(DECODE, encoded.replace("\"k1\"", "\"lost\""));
		assertThat(this.records).extracting(CodecAccess::operation).containsExactly("encode", "decode", "decode");
		assertThat(this.records).extracting(CodecAccess::succeeded).containsExactly(true, true, false);
		assertThat(this.records).extracting(CodecAccess::payloads).containsOnly(2);
		assertThat(this.records).extracting(CodecAccess::keyIds)
			.containsExactly(Set.of("k1"), Set.of("k1"), Set.of("lost"));
		assertThat(this.records.toString()).doesNotContain("Visa");
	}

	@Test
	void failureOfTheAuditHidesTheAnswer() {
		String encoded = HttpRequests.text(this.requests.post(ENCODE, payloads(plain(SECRET))));
		HttpRequests broken = requests((access) -> {
			throw new IllegalStateException("The disk is full");
		}, ALL);
		MockHttpServletResponse response = broken.post(DECODE, encoded);
		assertThat(response.getStatus()).isEqualTo(500);
		assertThat(HttpRequests.text(response)).doesNotContain(base64(SECRET));
	}

	@ParameterizedTest
	@ValueSource(strings = { ENCODE, DECODE })
	void withoutAccessControlItIsClosed(String path) {
		HttpRequests open = requests(this.records::add, AccessControl.ANYBODY);
		assertThat(open.post(path, payloads(plain(SECRET))).getStatus()).isEqualTo(401);
		assertThat(this.records).isEmpty();
	}

	@Test
	void forgedPayloadIsNamedAndNoneIsShown() {
		String encoded = HttpRequests.text(this.requests.post(ENCODE, payloads(plain(SECRET), plain("[]"))));
		int last = encoded.lastIndexOf("\"data\":\"") + "\"data\":\"".length();
		String forged = encoded.substring(0, last + 8) + ((encoded.charAt(last + 8) == 'A') ? 'B' : 'A')
				+ encoded.substring(last + 9);
		MockHttpServletResponse response = this.requests.post(DECODE, forged);
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo("payloads[1]");
		assertThat(HttpRequests.text(response)).doesNotContain(base64(SECRET));
	}

	/** A ciphertext is decoded only with the fields that it was bound to. */
	@Test
	void boundFieldsBelongToThePayload() {
		String bound = plain(SECRET).replace("\"encoding\"", "\"aad\":{\"type\":\"pay\"},\"encoding\"");
		String encoded = HttpRequests.text(this.requests.post(ENCODE, payloads(bound)));
		assertThat(this.requests.post(DECODE, encoded).getStatus()).isEqualTo(200);
		assertThat(this.requests.post(DECODE, encoded.replace("\"pay\"", "\"refund\"")).getStatus()).isEqualTo(400);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					{}                                                                          | payloads
					{"payloads":[]}                                                             | payloads
					{"payloads":["Visa"]}                                                       | payloads[0]
					{"payloads":[{"metadata":{}}]}                                              | payloads[0].data
					{"payloads":[{"data":"Visa-","metadata":{"encoding":"json/plain"}}]}        | payloads[0].data
					{"payloads":[{"data":"VmlzYQ=="}]}                                          | payloads[0].metadata
					{"payloads":[{"data":"VmlzYQ==","metadata":{}}]}                            | payloads[0].metadata.encoding
					{"payloads":[{"data":"","metadata":{"encoding":"x","encryption_key_id":7}}]} | payloads[0].metadata.encryption_key_id
					{"payloads":[{"data":"","metadata":{"encoding":"x","aad":{"id":7}}}]}       | payloads[0].metadata.aad
					{"payloads":[{"data":"","metadata":{"encoding":"x","aad":"id"}}]}           | payloads[0].metadata.aad
					""")
	void malformedPayloadIsNamedAndNotShown(String body, String field) {
		MockHttpServletResponse response = this.requests.post(DECODE, body);
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo(field);
		assertThat(HttpRequests.text(response)).doesNotContain("Visa", "VmlzYQ");
	}

	@Test
	void requestHasAtMostAHundredPayloads() {
		assertThat(this.requests.post(ENCODE, payloads(many(100))).getStatus()).isEqualTo(200);
		MockHttpServletResponse response = this.requests.post(ENCODE, payloads(many(101)));
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo("payloads");
	}

	private static String[] many(int payloads) {
		return Stream.generate(() -> plain("[]")).limit(payloads).toArray(String[]::new);
	}

	private static String payloads(String... payloads) {
		return Stream.of(payloads).collect(Collectors.joining(",", "{\"payloads\":[", "]}"));
	}

	private static String plain(String json) {
		return "{\"data\":\"%s\",\"metadata\":{\"encoding\":\"json/plain\"}}".formatted(base64(json));
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

}
