package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.StoredEvent;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;

/**
 * Prints how many jobs a second go through the calls of the store in PostgreSQL (insert,
 * claim, complete), with as many readers of the feed as the first argument says, and how
 * far behind these are. Started by hand; the second argument is the number of seconds.
 */
final class FeedBenchmark {

	private static final int WRITERS = 2;

	private static final int BATCH = 200;

	private static final int EVENTS_PER_JOB = 3;

	private FeedBenchmark() {
	}

	public static void main(String[] arguments) throws Exception {
		int readers = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 2;
		long seconds = (arguments.length > 1) ? Long.parseLong(arguments[1]) : 20;
		try (PostgresDatabase database = PostgresServer.shared().newDatabase();
				TestStores stores = new TestStores(TestStores.of(database))) {
			AtomicLong jobs = new AtomicLong();
			List<AtomicLong> read = Stream.generate(AtomicLong::new).limit(readers).toList();
			AtomicBoolean stop = new AtomicBoolean();
			ExecutorService threads = Executors.newCachedThreadPool();
			for (int i = 0; i < WRITERS; i++) {
				threads.execute(() -> write(stores, jobs, stop));
			}
			read.forEach((count) -> threads.execute(() -> read(stores, count, stop)));
			Thread.sleep(Duration.ofSeconds(5).toMillis());
			long before = jobs.get();
			long start = System.nanoTime();
			Thread.sleep(Duration.ofSeconds(seconds).toMillis());
			double took = (System.nanoTime() - start) / 1e9;
			long worked = jobs.get() - before;
			long written = jobs.get() * EVENTS_PER_JOB;
			System.out.printf("%d readers: %.0f jobs a second; readers are behind by %s events%n", readers,
					worked / took, read.stream().map((count) -> written - count.get()).toList());
			stop.set(true);
			threads.shutdown();
			threads.awaitTermination(1, TimeUnit.MINUTES);
		}
	}

	private static void write(TestStores stores, AtomicLong jobs, AtomicBoolean stop) {
		while (!stop.get()) {
			List<EncodedJob> batch = Stream.generate(() -> stores.encoded((job) -> job)).limit(BATCH).toList();
			stores.jobs.insert(batch.stream().map((job) -> TestStores.newJob(job, TestStores.LATER)).toList());
			List<ClaimRequest> requests = batch.stream()
				.map((job) -> new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30)))
				.toList();
			List<Outcome> outcomes = new ArrayList<>();
			for (Claim claim : stores.attempts.claim(requests, "worker-1", TestStores.NOW, true)) {
				outcomes.add(new Outcome.Completed(((Claim.Taken) claim).lease(), null));
			}
			stores.attempts.settle(outcomes, TestStores.NOW);
			jobs.addAndGet(BATCH);
		}
	}

	/** As over HTTP, page by page, and a look each 100 ms when there is nothing. */
	private static void read(TestStores stores, AtomicLong count, AtomicBoolean stop) {
		long position = 0;
		while (!stop.get()) {
			List<StoredEvent> page = stores.feed.after(position, Set.of(), Set.of(), 1000);
			if (page.isEmpty()) {
				pause();
				continue;
			}
			position = page.get(page.size() - 1).position();
			count.addAndGet(page.size());
		}
	}

	private static void pause() {
		try {
			Thread.sleep(100);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
