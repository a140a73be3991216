package io.ojs.benchmark.contender;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.JsonJobCodec;

/**
 * A message that this project would send, made once: of one and the same job, but for the
 * time.
 */
final class OjsMessage {

	/**
	 * Has every time of the first three months since the system started take as many
	 * digits as any other, and be a number in JSON.
	 */
	private static final long LONGEST = 1_000_000_000_000_000L;

	private final byte[] envelope;

	private final BasicProperties properties;

	/** Where the time is. */
	private final int start;

	private final int end;

	OjsMessage() {
		EncodedJob job = OjsJobs.factory().create(OjsJobs.request(new Payload(LONGEST, Payload.now().text())));
		this.envelope = job.body();
		this.properties = new JobMessages(new JsonJobCodec()).properties(job, Map.of());
		String digits = String.valueOf(LONGEST);
		this.start = new String(this.envelope, StandardCharsets.ISO_8859_1).indexOf(digits);
		this.end = this.start + digits.length();
	}

	BasicProperties properties() {
		return this.properties;
	}

	byte[] body(long sentAt) {
		byte[] body = this.envelope.clone();
		long rest = LONGEST + sentAt;
		for (int i = this.end - 1; i >= this.start; i--) {
			body[i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		return body;
	}

	long sentAt(byte[] body) {
		long time = 0;
		for (int i = this.start; i < this.end; i++) {
			time = 10 * time + body[i] - '0';
		}
		return time - LONGEST;
	}

}
