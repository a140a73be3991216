package io.ojs.webhook.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Signatures are those that other languages make.
 */
class WebhookSignatureTests {

	/** What {@code openssl dgst -sha256 -hmac} says of the same. */
	@Test
	void aSignatureIsThatOfOthers() {
		byte[] body = "{\"type\":\"job.completed\"}".getBytes(StandardCharsets.UTF_8);
		assertThat(WebhookSignature.of(List.of("whsec_0123456789"), 1708030665, body))
			.isEqualTo("sha256=fb21c05723ef85b53685b20accece44c55e08db7e962a19d4155b3848aa60663");
		assertThat(WebhookSignature.of(List.of("whsec_0123456789", "whsec_9876543210"), 1708030665, body)).isEqualTo(
				"sha256=fb21c05723ef85b53685b20accece44c55e08db7e962a19d4155b3848aa60663,sha256=f0bbb33d39d3fe17ab301d5aa50e97246651f2b43c02523c1764d43f5100684e");
	}

}
