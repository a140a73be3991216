package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.Reservation;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayStore.Taken;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.tenant.internal.limit.FairShares;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.jspecify.annotations.Nullable;

/**
 * Prints what calls of the stores take in PostgreSQL, side by side: without tenants, with
 * a tenant and no shares, with shares, and with shares where the tenant has 100,000 jobs
 * that wait. Started by hand; the first argument is the number of rounds.
 */
final class FairSharesBenchmark {

	private static final int BATCH = 100;

	private static final int WARM_UP = 50;

	private FairSharesBenchmark() {
	}

	public static void main(String[] arguments) {
		int rounds = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 200;
		try (Side off = new Side("off", null, false, 0);
				Side plain = new Side("tenants", "acme", false, 0);
				Side fair = new Side("shares", "acme", true, 0);
				Side busy = new Side("100,000", "acme", true, 100_000)) {
			List<Side> sides = List.of(off, plain, fair, busy);
			for (int i = 0; i < WARM_UP + rounds; i++) {
				// In turns, so that all see the same machine.
				sides.forEach(Side::round);
				if (i == WARM_UP) {
					sides.forEach((side) -> side.times.clear());
				}
			}
			System.out.printf("%d rounds, medians in ms; batches of %d jobs%n%-22s", rounds, BATCH, "");
			sides.forEach((side) -> System.out.printf("%10s", side.name));
			System.out.println();
			busy.times.keySet().forEach((what) -> {
				System.out.printf("%-22s", what);
				sides.forEach((side) -> System.out.printf("%10.2f", median(side.times.getOrDefault(what, List.of()))));
				System.out.println();
			});
		}
	}

	private static double median(List<Duration> times) {
		List<Duration> sorted = times.stream().sorted().toList();
		return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2).toNanos() / 1e6;
	}

	/** A database, and what calls took on it. */
	private static final class Side implements AutoCloseable {

		private final String name;

		private final @Nullable String tenant;

		private final PostgresDatabase database = PostgresServer.shared().newDatabase();

		private final TestStores origin = new TestStores(TestStores.of(this.database));

		private final TestStores stores;

		private final JdbcFetchStore fetches;

		private final Map<String, List<Duration>> times = new LinkedHashMap<>();

		Side(String name, @Nullable String tenant, boolean fair, int waiting) {
			this.name = name;
			this.tenant = tenant;
			this.stores = this.origin.with(new FairShares(fair, 10));
			this.fetches = new JdbcFetchStore(this.stores.database);
			for (int i = 0; i < waiting; i += 1000) {
				insert(jobs(1000, "noisy"));
			}
			this.origin.jdbc().execute("vacuum analyze ojs_job");
		}

		private List<EncodedJob> jobs(int count, String queue) {
			return IntStream.range(0, count)
				.mapToObj((i) -> this.stores.encodedAs(Job.builder(this.stores.id(), "email.send", queue)
					.args(List.of("somebody@example.com", i))
					.meta((this.tenant != null) ? Map.of("tenant_id", this.tenant) : Map.of())
					.state(JobState.AVAILABLE)
					.createdAt(TestStores.time(TestStores.NOW))
					.enqueuedAt(TestStores.time(TestStores.NOW))
					.build()))
				.toList();
		}

		private Object insert(List<EncodedJob> jobs) {
			return this.stores.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, TestStores.NOW)).toList());
		}

		void round() {
			List<EncodedJob> one = jobs(1, "mail");
			time("insert 1", () -> insert(one));
			List<EncodedJob> batch = jobs(BATCH, "mail");
			time("insert 100", () -> insert(batch));
			List<EncodedJob> behind = jobs(1, "noisy");
			time("insert 1, backlog", () -> insert(behind));
			Taken due = this.stores.relay.take(TestStores.NOW, TestStores.NOW.plusSeconds(60), 1000);
			List<RelayedJob> taken = new ArrayList<>(due.jobs());
			time("take in turn", this::inTurn).jobs().forEach(taken::add);
			time("take in turn, in vain", this::inTurn).jobs().forEach(taken::add);
			time("fetch 1", () -> fetch(1));
			time("fetch 10", () -> fetch(10));
			List<Outcome> outcomes = new ArrayList<>();
			List<EncodedJob> claimed = new ArrayList<>(batch);
			time("claim 100",
					() -> this.stores.attempts.claim(claimed.stream()
						.map((job) -> new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30)))
						.toList(), "worker", TestStores.NOW, true))
				.forEach((claim) -> {
					if (claim instanceof Claim.Taken own) {
						outcomes.add(new Outcome.Completed(own.lease(), Map.of("n", 1)));
					}
				});
			time("settle", () -> this.stores.attempts.settle(outcomes, TestStores.NOW));
			this.origin.jdbc()
				.update("update ojs_job set state = 'completed', relay_at = null where state in "
						+ "('available', 'active') and queue = 'mail'");
			this.origin.jdbc()
				.update("update ojs_job set state = 'completed', relay_at = null where state in "
						+ "('available', 'active') and queue = 'noisy' and awaits_turn is not true");
		}

		private Taken inTurn() {
			return this.stores.relay.takeInTurn(TestStores.NOW, TestStores.NOW.plusSeconds(60), (queue) -> true, 500);
		}

		private Object fetch(int count) {
			Reservation reservation = new Reservation(Duration.ofSeconds(30), Duration.ofMinutes(30));
			return this.fetches.fetch(List.of("mail"), count, "w", null, TestStores.NOW, (job) -> reservation);
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
			this.origin.close();
			this.database.close();
		}

	}

}
