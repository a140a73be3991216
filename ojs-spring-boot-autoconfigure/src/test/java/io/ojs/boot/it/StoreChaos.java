package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.ojs.amqp.internal.topology.Shard;
import io.ojs.amqp.internal.topology.TopologyDeclarer;
import io.ojs.client.EnqueueException;
import io.ojs.client.OjsOperations;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.store.DuplicateIdException;

import org.springframework.amqp.AmqpException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;

/**
 * What processes do that are killed at any time. Whatever they have done is in files, so
 * that those who come after them go on where they were.
 */
final class StoreChaos {

	static final String QUEUE = "chaos";

	static final String JOBS = "test.jobs";

	static final String PAUSE = "test.pause";

	static final String CONFIRMED = "test.confirmed";

	static final String RUNS = "test.runs";

	/** A line for each part of all jobs that may be enqueued by now. */
	static final String PARTS = "test.parts";

	static final String OF_PARTS = "test.of-parts";

	static final int MAX_ATTEMPTS = 8;

	/** For the delay of a retry, and for what may be left of it. */
	static final List<Long> RETRY_QUEUES = List.of(250L, 187L, 125L);

	private static final int BATCH = 10;

	private static final int ALWAYS = 50;

	private static final int ONCE = 20;

	/** Such as a UUIDv7 has, any time. */
	private static final long SOME_TIME = 0x0199_0000_0000L;

	private StoreChaos() {
	}

	/** The same one whoever enqueues it, however often. */
	static String id(int number) {
		return new UUID((SOME_TIME << 16) | 0x7000, Long.MIN_VALUE | number).toString();
	}

	static boolean failsAlways(int number) {
		return number % ALWAYS == 7;
	}

	private static boolean failsOnce(int number) {
		return number % ONCE == 0;
	}

	static List<String> lines(Path file) {
		try {
			return Files.exists(file) ? Files.readAllLines(file) : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Enqueues each job until it is known to be kept: ten in one call, then ten one by
	 * one, and so on.
	 */
	static class Enqueuer {

		private final Path confirmed;

		private final int jobs;

		private final Duration pause;

		private final Path parts;

		private final int ofParts;

		Enqueuer(@Value("${" + CONFIRMED + "}") Path confirmed, @Value("${" + JOBS + "}") int jobs,
				@Value("${" + PAUSE + "}") Duration pause, @Value("${" + PARTS + "}") Path parts,
				@Value("${" + OF_PARTS + "}") int ofParts) {
			this.confirmed = confirmed;
			this.jobs = jobs;
			this.pause = pause;
			this.parts = parts;
			this.ofParts = ofParts;
		}

		@Bean
		ApplicationRunner enqueueAll(OjsOperations ojs) {
			return (arguments) -> {
				Thread thread = new Thread(() -> run(ojs), "enqueuer");
				thread.setDaemon(true);
				thread.start();
			};
		}

		private void run(OjsOperations ojs) {
			int done = lines(this.confirmed).size();
			for (int first = done - done % BATCH; first < this.jobs; first += BATCH) {
				while (first >= (long) this.jobs * lines(this.parts).size() / this.ofParts) {
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
				}
				List<Integer> numbers = IntStream.range(first, Math.min(first + BATCH, this.jobs)).boxed().toList();
				if ((first / BATCH) % 2 == 0) {
					persist(() -> ojs.enqueueAll(numbers.stream().map(Enqueuer::request).toList()));
					numbers.stream().filter((number) -> number >= done).forEach(this::confirm);
				}
				else {
					for (int number : numbers) {
						if (number >= done) {
							persist(() -> ojs.enqueue(request(number)));
							confirm(number);
						}
					}
				}
				LockSupport.parkNanos(this.pause.toNanos());
			}
		}

		private void confirm(int number) {
			StoreCrashes.note(this.confirmed, id(number));
		}

		private static JobRequest request(int number) {
			return JobRequest.of("chaos.work", number).queue(QUEUE).id(id(number));
		}

		/** Ends when the answer is that it is kept, or that it was already. */
		private static void persist(Supplier<?> enqueue) {
			while (true) {
				try {
					enqueue.get();
					return;
				}
				catch (EnqueueException ex) {
					if (ex.getCause() instanceof DuplicateIdException) {
						return;
					}
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
				}
			}
		}

	}

	/**
	 * Declares at the start what would be declared later: a broker that is killed while
	 * it declares a quorum queue may never have it again.
	 */
	static class AllRetryQueues {

		@Bean
		ApplicationRunner declareRetryQueues(TopologyDeclarer declarer) {
			return (arguments) -> {
				try {
					RETRY_QUEUES.forEach((millis) -> declarer.ensureRetryQueue(Shard.whole(QUEUE), millis));
				}
				catch (AmqpException ex) {
					// A broker that has been killed has them already.
				}
			};
		}

	}

	/** One in twenty fails once, one in fifty always. */
	static class Desk {

		private final Path runs;

		Desk(@Value("${" + RUNS + "}") Path runs) {
			this.runs = runs;
		}

		@OjsJobHandler(value = "chaos.work", queue = QUEUE)
		void work(int number, JobContext context) {
			StoreCrashes.note(this.runs,
					context.job().id() + " " + context.attempt() + " " + System.currentTimeMillis());
			// Some long enough to be met in the middle of it.
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5 + 20 * (number % 5)));
			if (failsAlways(number)) {
				throw new IllegalStateException("always");
			}
			if (failsOnce(number) && context.attempt() == 1) {
				throw new IllegalStateException("once");
			}
		}

	}

}
