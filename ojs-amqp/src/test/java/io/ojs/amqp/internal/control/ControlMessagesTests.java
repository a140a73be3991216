package io.ojs.amqp.internal.control;

import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.UndecodableJobException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is read of requests about jobs.
 */
class ControlMessagesTests {

	private final ControlMessages messages = new ControlMessages(new JsonJobCodec());

	@Test
	void aRequestThatIsTooLargeIsNotParsed() {
		byte[] body = "[".repeat(16 * 1024 + 1).getBytes();
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> this.messages.jobId(body))
			.withMessage("The body has 16385 bytes; at most 16384 are read.")
			.withNoCause();
		assertThatExceptionOfType(UndecodableJobException.class).isThrownBy(() -> this.messages.workerId(body))
			.withMessage("The body has 16385 bytes; at most 16384 are read.");
		assertThat(this.messages.jobId("{\"job_id\":\"j\"}".getBytes())).isEqualTo("j");
	}

}
