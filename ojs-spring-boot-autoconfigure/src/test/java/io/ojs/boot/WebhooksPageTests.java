package io.ojs.boot;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import io.ojs.webhook.internal.WebhookSignature;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page about webhooks shows works.
 */
class WebhooksPageTests {

	private static final byte[] BODY = "{\"ä\":1}".getBytes(StandardCharsets.UTF_8);

	@Test
	void thePageShowsTheReceiver() throws Exception {
		String source = Files.readString(Path.of("src/test/java/io/ojs/boot/WebhookReceiver.java"));
		String shown = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("\n\t// end")).stripIndent();
		assertThat(Files.readString(Path.of("..", "src", "docs", "webhooks.md"))).contains(shown);
	}

	@Test
	void theReceiverTakesWhatIsSigned() throws Exception {
		long now = Instant.now().getEpochSecond();
		String signed = WebhookSignature.of(List.of("another-secret-there", "the-secret-of-mine"), now, BODY);
		assertThat(WebhookReceiver.isGenuine("the-secret-of-mine", "" + now, signed, BODY)).isTrue();
		assertThat(WebhookReceiver.isGenuine("another-secret-there", "" + now, signed, BODY)).isTrue();
		assertThat(WebhookReceiver.isGenuine("a-secret-of-nobody", "" + now, signed, BODY)).isFalse();
		assertThat(WebhookReceiver.isGenuine("the-secret-of-mine", "" + (now + 1), signed, BODY)).isFalse();
		assertThat(WebhookReceiver.isGenuine("the-secret-of-mine", "" + now, signed, new byte[] { 1 })).isFalse();
		assertThat(WebhookReceiver.isGenuine("the-secret-of-mine", "" + now, null, BODY)).isFalse();
		assertThat(WebhookReceiver.isGenuine("the-secret-of-mine", "now", signed, BODY)).isFalse();
	}

	@Test
	void theReceiverTakesNothingOld() throws Exception {
		for (long seconds : List.of(-310L, 310L)) {
			long then = Instant.now().getEpochSecond() + seconds;
			String signed = WebhookSignature.of(List.of("the-secret-of-mine"), then, BODY);
			assertThat(WebhookReceiver.isGenuine("the-secret-of-mine", "" + then, signed, BODY)).isFalse();
		}
	}

}
