package io.ojs.benchmark.contender;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One way of having jobs worked. Whatever it says is safe has to be so: confirmed by the
 * broker, committed by the database.
 */
public interface Contender extends AutoCloseable {

	/**
	 * Enqueues one job. Called by many threads.
	 * @param job the job
	 * @throws Exception if it is not safe
	 */
	void enqueue(Payload job) throws Exception;

	/**
	 * Enqueues many jobs in one call; only for those who have {@link Way#BULK}.
	 * @param jobs the jobs
	 * @throws Exception if one of them is not safe
	 */
	default void enqueueAll(List<Payload> jobs) throws Exception {
		throw new UnsupportedOperationException();
	}

	/**
	 * Enqueues one job without waiting; only for those who have {@link Way#ASYNC}.
	 * @param job the job
	 * @return done when it is safe
	 */
	default CompletableFuture<?> enqueueAsync(Payload job) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Begins to work jobs. Called once at most, on an object that may enqueue too.
	 * @param handler is called for each job
	 * @throws Exception if it cannot
	 */
	void work(Handler handler) throws Exception;

	/**
	 * Waits until no job is left. Who keeps rows waits until each has its outcome; who
	 * has only a queue cannot see what consumers have fetched, and is asked once all jobs
	 * have run: acks may then still be on their way.
	 * @throws Exception if that cannot be told, or takes minutes
	 */
	void settle() throws Exception;

	@Override
	void close() throws IOException;

}
