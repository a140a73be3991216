package io.ojs.benchmark.micro;

import io.ojs.internal.json.JsonJobCodec;
import io.ojs.job.Job;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A job becomes bytes, and bytes become a job. */
@State(Scope.Thread)
public class EnvelopeBenchmark {

	private final JsonJobCodec codec = new JsonJobCodec();

	private final Job job = SampleJob.encoded().job();

	private final byte[] body = this.codec.encode(this.job);

	/**
	 * Writes an envelope.
	 * @return its bytes
	 */
	@Benchmark
	public byte[] encode() {
		return this.codec.encode(this.job);
	}

	/**
	 * Reads an envelope.
	 * @return the job
	 */
	@Benchmark
	public Job decode() {
		return this.codec.decode(this.body);
	}

}
