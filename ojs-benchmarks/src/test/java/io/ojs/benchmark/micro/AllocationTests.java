package io.ojs.benchmark.micro;

import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each step allocates for a job of about 200 bytes. Unlike time, that is the same on
 * every machine, so it can be held to.
 */
class AllocationTests {

	/*
	 * Bytes per job, about half as much again as was seen when they were written down, by
	 * the simpler compiler that tests run with, which keeps objects that the other one
	 * gets rid of. Whoever has to raise one knows what for.
	 */

	/** Seen: 3,500. */
	private static final long ENCODE = 5_250;

	/** Seen: 10,900. */
	private static final long DECODE = 16_400;

	/** Seen: 2,860, with times written as text. */
	private static final long TO_MESSAGE = 4_300;

	/** Seen: 11,000, nearly all of which is decoding. */
	private static final long FROM_MESSAGE = 16_500;

	/** Seen: 20,900: a job is made, encoded, and decoded to see that it can be. */
	private static final long ENQUEUE = 31_400;

	/** Seen: 32, whatever is in it: the iterator. */
	private static final long ENQUEUE_CHAIN = 48;

	/** Seen: none. */
	private static final long EXECUTION_CHAIN_OF_0 = 16;

	/** Seen: 72, which is 24 for each of them. */
	private static final long EXECUTION_CHAIN_OF_3 = 108;

	private static final int WARM_UP = 2_000;

	private static final int JOBS = 5_000;

	/** Keeps the compiler from leaving out what nobody looks at. */
	private volatile Object last = this;

	static Stream<Arguments> steps() {
		EnvelopeBenchmark envelope = new EnvelopeBenchmark();
		MessageBenchmark message = new MessageBenchmark();
		ChainBenchmark chain = new ChainBenchmark();
		EnqueueBenchmark enqueue = new EnqueueBenchmark();
		return Stream.of(step("encode", ENCODE, envelope::encode), step("decode", DECODE, envelope::decode),
				step("to a message", TO_MESSAGE, message::toMessage),
				step("from a message", FROM_MESSAGE, message::fromMessage), step("enqueue", ENQUEUE, enqueue::enqueue),
				step("enqueue chain of 0", ENQUEUE_CHAIN, chain::enqueueChainOf0),
				step("enqueue chain of 3", ENQUEUE_CHAIN, chain::enqueueChainOf3),
				step("execution chain of 0", EXECUTION_CHAIN_OF_0, chain::executionChainOf0),
				step("execution chain of 3", EXECUTION_CHAIN_OF_3, chain::executionChainOf3));
	}

	private static Arguments step(String name, long bound, Callable<?> step) {
		return Arguments.of(name, bound, step);
	}

	@ParameterizedTest(name = "{0}: at most {1} bytes per job")
	@MethodSource("steps")
	void allocatesNoMore(String name, long bound, Callable<?> step) throws Exception {
		pass(step, WARM_UP);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long thread = Thread.currentThread().getId();
		long before = threads.getThreadAllocatedBytes(thread);
		pass(step, JOBS);
		long bytes = (threads.getThreadAllocatedBytes(thread) - before) / JOBS;
		assertThat(bytes).as("bytes allocated for each job by '%s'", name).isLessThanOrEqualTo(bound);
	}

	private void pass(Callable<?> step, int times) throws Exception {
		for (int i = 0; i < times; i++) {
			this.last = step.call();
		}
	}

}
