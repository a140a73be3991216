package io.ojs.benchmark.micro;

import java.util.Map;

import io.ojs.handler.JobContext;
import io.ojs.handler.JobHandler;
import io.ojs.job.Job;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.middleware.internal.ExecutionChain;
import io.ojs.middleware.internal.OrderedMiddleware;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What a job passes on its way to be sent, and around its handler: with nothing of the
 * application, and with {@value #LINKS} middleware that do nothing themselves.
 */
@State(Scope.Thread)
public class ChainBenchmark {

	private static final int LINKS = 3;

	private final Job job = SampleJob.encoded().job();

	private final JobContext attempt = SampleJob.attempt(this.job);

	private final JobHandler handler = JobContext::job;

	private final EnqueueChain.Steps steps = new NoSteps();

	private final EnqueueChain enqueueing = enqueueing();

	private final ExecutionChain execution = execution();

	private static EnqueueChain enqueueing() {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		for (int i = 0; i < LINKS; i++) {
			chain.add("link-" + i, (each) -> each);
		}
		return new EnqueueChain(chain);
	}

	private static ExecutionChain execution() {
		OrderedMiddleware<ExecutionMiddleware> chain = OrderedMiddleware.ofExecution();
		for (int i = 0; i < LINKS; i++) {
			chain.add("link-" + i, (context, next) -> next.proceed(context));
		}
		return new ExecutionChain(chain, Map.of());
	}

	/**
	 * Enqueues without middleware.
	 * @return the job
	 */
	@Benchmark
	public Job enqueueChainOf0() {
		return EnqueueChain.EMPTY.apply(this.job, this.steps);
	}

	/**
	 * Enqueues with three middleware.
	 * @return the job
	 */
	@Benchmark
	public Job enqueueChainOf3() {
		return this.enqueueing.apply(this.job, this.steps);
	}

	/**
	 * Runs without middleware.
	 * @return the result
	 * @throws Exception never
	 */
	@Benchmark
	public @Nullable Object executionChainOf0() throws Exception {
		return ExecutionChain.EMPTY.execute(this.attempt, this.handler);
	}

	/**
	 * Runs with three middleware.
	 * @return the result
	 * @throws Exception never
	 */
	@Benchmark
	public @Nullable Object executionChainOf3() throws Exception {
		return this.execution.execute(this.attempt, this.handler);
	}

	private static final class NoSteps implements EnqueueChain.Steps {

		@Override
		public Job step(String name, Job each) {
			return each;
		}

		@Override
		public Job changed(Job before, Job after, String middleware) {
			return after;
		}

	}

}
