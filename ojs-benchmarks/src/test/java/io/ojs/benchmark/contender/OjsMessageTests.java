package io.ojs.benchmark.contender;

import java.util.List;
import java.util.Map;

import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OjsMessageTests {

	private final OjsMessage message = new OjsMessage();

	@Test
	void whatIsSentIsAJobOfThisProject() {
		JobMessages messages = new JobMessages(new JsonJobCodec());
		Payload payload = new Payload(123_456_789, Payload.now().text());
		EncodedJob made = OjsJobs.factory().create(OjsJobs.request(payload));

		Job sent = messages.read(this.message.properties(), this.message.body(payload.sentAt())).job();

		assertThat(sent.type()).isEqualTo(made.job().type());
		assertThat(sent.args()).isEqualTo(List.of(1_000_000_123_456_789L, payload.text()));
		assertThat(this.message.properties().getHeaders().keySet())
			.isEqualTo(messages.properties(made, Map.of()).getHeaders().keySet());
		assertThat(this.message.body(0).length - made.body().length).isBetween(0, 16);
	}

	@Test
	void timesComeBack() {
		for (long time : new long[] { 0, 7, 1_234_567_890_123L, 8_000_000_000_000_000L }) {
			assertThat(this.message.sentAt(this.message.body(time))).isEqualTo(time);
		}
	}

	/** The client may still write the one before. */
	@Test
	void eachIsItsOwn() {
		assertThat(this.message.body(1)).isNotSameAs(this.message.body(1)).isNotEqualTo(this.message.body(2));
	}

}
