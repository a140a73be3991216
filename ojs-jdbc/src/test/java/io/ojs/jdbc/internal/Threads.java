package io.ojs.jdbc.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Many at once.
 */
final class Threads {

	private Threads() {
	}

	/** Has threads do something, all beginning at the same time, and waits for them. */
	static void together(int threads, Work work) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			CyclicBarrier start = new CyclicBarrier(threads);
			List<Future<?>> futures = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				int thread = i;
				futures.add(executor.submit(() -> {
					start.await(10, TimeUnit.SECONDS);
					work.run(thread);
					return null;
				}));
			}
			for (Future<?> future : futures) {
				future.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Does something on another thread, and does not wait longer for it than locks of
	 * this one may last.
	 */
	static <T> T apart(Callable<T> work) {
		FutureTask<T> task = new FutureTask<>(work);
		new Thread(task, "apart").start();
		try {
			return task.get(15, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException("It waits for somebody", ex);
		}
	}

	/** What one of them does. */
	interface Work {

		void run(int thread) throws Exception;

	}

}
