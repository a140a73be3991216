package io.ojs.benchmark.micro;

import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.message.ReceivedJob;
import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.JsonJobCodec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A job becomes a message, and a message becomes a job. */
@State(Scope.Thread)
public class MessageBenchmark {

	private final JobMessages messages = new JobMessages(new JsonJobCodec());

	private final EncodedJob job = SampleJob.encoded();

	private final BasicProperties properties = this.messages.properties(this.job, Map.of());

	/**
	 * Makes a message of a job whose envelope is written already.
	 * @return the message
	 */
	@Benchmark
	public OutgoingMessage toMessage() {
		return new OutgoingMessage("ojs.exchange.direct", "bench", this.messages.properties(this.job, Map.of()),
				this.job.body());
	}

	/**
	 * Reads a message, its envelope included.
	 * @return the job
	 */
	@Benchmark
	public ReceivedJob fromMessage() {
		return this.messages.read(this.properties, this.job.body());
	}

}
