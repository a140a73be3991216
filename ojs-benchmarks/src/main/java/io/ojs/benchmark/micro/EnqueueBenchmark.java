package io.ojs.benchmark.micro;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.ojs.benchmark.contender.OjsJobs;
import io.ojs.client.internal.EnqueueStrategy;
import io.ojs.client.internal.Enqueuer;
import io.ojs.client.internal.TracedJob;
import io.ojs.internal.trace.JobTracing;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** All that is done with a job until it could be sent. */
@State(Scope.Thread)
public class EnqueueBenchmark {

	private final Enqueuer enqueuer = new Enqueuer(OjsJobs.factory(), JobTracing.NONE, new SentNowhere());

	private final JobRequest request = SampleJob.request();

	/**
	 * Makes a job of a request: id, defaults, rules, the chain, the envelope, and the
	 * envelope read back.
	 * @return the job
	 */
	@Benchmark
	public Job enqueue() {
		return this.enqueuer.enqueue(this.request);
	}

	private static final class SentNowhere implements EnqueueStrategy {

		@Override
		public Job enqueue(TracedJob job) {
			job.span().close();
			return job.encoded().job();
		}

		@Override
		public List<Job> enqueueAll(List<TracedJob> jobs) {
			return jobs.stream().map(this::enqueue).toList();
		}

		@Override
		public CompletableFuture<Job> enqueueAsync(TracedJob job) {
			return CompletableFuture.completedFuture(enqueue(job));
		}

	}

}
