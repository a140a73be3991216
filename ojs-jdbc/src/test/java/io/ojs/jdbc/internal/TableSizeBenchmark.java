package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;

/**
 * Prints what calls of the stores take in PostgreSQL, on an empty table and on one with
 * 2,000,000 jobs that have ended and 100,000 that wait. Started by hand; the first
 * argument is the number of rounds.
 */
final class TableSizeBenchmark {

	private static final int BATCH = 100;

	private static final int WARM_UP = 30;

	private TableSizeBenchmark() {
	}

	public static void main(String[] arguments) {
		int rounds = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 200;
		try (Side empty = new Side(); Side full = new Side()) {
			BigTable.fill(full.stores.jdbc(), 2_000_000, 100_000);
			for (int i = 0; i < WARM_UP + rounds; i++) {
				// In turns, so that both see the same machine.
				empty.round();
				full.round();
				if (i == WARM_UP) {
					empty.times.clear();
					full.times.clear();
				}
			}
			System.out.printf("%d rounds of %d jobs, medians in ms%n", rounds, BATCH);
			System.out.printf("%-12s %8s %8s %6s%n", "", "empty", "full", "ratio");
			empty.times.forEach((what, times) -> {
				double small = median(times);
				double large = median(full.times.get(what));
				System.out.printf("%-12s %8.2f %8.2f %6.2f%n", what, small, large, large / small);
			});
		}
	}

	private static double median(List<Duration> times) {
		List<Duration> sorted = times.stream().sorted().toList();
		return sorted.get(sorted.size() / 2).toNanos() / 1e6;
	}

	/** A database, and what calls took on it. */
	private static final class Side implements AutoCloseable {

		private final PostgresDatabase database = PostgresServer.shared().newDatabase();

		private final TestStores stores = new TestStores(TestStores.of(this.database));

		private final Map<String, List<Duration>> times = new LinkedHashMap<>();

		void round() {
			Instant now = TestStores.NOW;
			List<EncodedJob> jobs = IntStream.range(0, BATCH)
				.mapToObj((i) -> this.stores.encoded((job) -> job))
				.toList();
			time("enqueue",
					() -> this.stores.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, now)).toList()));
			List<RelayedJob> taken = time("take", () -> this.stores.relay.take(now, now.plusSeconds(60), BATCH).jobs());
			List<String> ids = taken.stream().map((job) -> job.encoded().job().id()).toList();
			time("published", () -> {
				this.stores.relay.published("mail", TestStores.until(now.plusSeconds(60), ids), now);
				return ids;
			});
			time("nextAt", this.stores.relay::nextAt);
			List<Outcome> outcomes = new ArrayList<>();
			time("claim",
					() -> this.stores.attempts.claim(taken.stream()
						.map((job) -> new ClaimRequest(job.encoded(), job.encoded().job().queue(), 1, Map.of(),
								Duration.ofSeconds(30)))
						.toList(), "worker", now, true))
				.forEach((claim) -> outcomes.add(new Outcome.Completed(((Claim.Taken) claim).lease(), Map.of("n", 1))));
			time("settle", () -> this.stores.attempts.settle(outcomes, now));
			time("reap", () -> this.stores.attempts.reap(now, BATCH));
		}

		private <T> T time(String what, Supplier<T> work) {
			long start = System.nanoTime();
			T result = work.get();
			this.times.computeIfAbsent(what, (key) -> new ArrayList<>())
				.add(Duration.ofNanos(System.nanoTime() - start));
			return result;
		}

		@Override
		public void close() {
			this.stores.close();
			this.database.close();
		}

	}

}
