package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.internal.fetch.Reservation;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.job.JobBuilder;
import io.ojs.job.internal.HandledJobs;
import io.ojs.tenant.internal.limit.FairShares;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In which order workers get jobs of several tenants.
 */
abstract class FetchTurnsContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private TestStores fair;

	@BeforeEach
	void open() {
		this.fair = this.stores.with(new FairShares(true));
	}

	private EncodedJob job(String tenant, UnaryOperator<JobBuilder> fields) {
		return this.fair.encoded((job) -> fields.apply(job.meta(Map.of("tenant_id", tenant))));
	}

	private List<EncodedJob> jobs(String tenant, int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> job(tenant, (job) -> job.enqueuedAt(TestStores.time(NOW.plusMillis(10L * i)))))
			.toList();
	}

	private void keep(List<EncodedJob> jobs) {
		this.fair.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, TestStores.LATER)).toList());
	}

	private static List<String> ids(List<EncodedJob> jobs) {
		return jobs.stream().map((job) -> job.job().id()).toList();
	}

	private List<String> fetch(int count) {
		return new Worker(this.fair).fetch(count);
	}

	@Test
	void takesFromTenantsByTurns() {
		List<EncodedJob> noisy = jobs("noisy", 20);
		List<EncodedJob> quiet = jobs("quiet", 2);
		List<EncodedJob> calm = jobs("calm", 1);
		keep(noisy);
		keep(quiet);
		keep(calm);
		assertThat(fetch(5)).hasSize(5)
			.containsAll(ids(quiet).subList(0, 1))
			.containsAll(ids(calm))
			.contains(noisy.get(0).job().id());
		assertThat(fetch(1)).hasSize(1);
		assertThat(fetch(100)).hasSize(17);
		assertThat(fetch(1)).isEmpty();
	}

	@Test
	void processesThatBeginOneAtATimeGoRoundToo() {
		List<EncodedJob> all = new ArrayList<>();
		for (String tenant : List.of("a", "b", "c")) {
			List<EncodedJob> own = jobs(tenant, 5);
			keep(own);
			all.addAll(own);
		}
		JdbcFetchStore fetches = new JdbcFetchStore(this.fair.database);
		List<String> got = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			// It may hold more, and none of a tenant's in advance.
			fetches.fetch(new ProcessFetch("mail", 1, 10, "process-1", Duration.ofSeconds(30), HandledJobs.ALL), NOW)
				.runs()
				.forEach((run) -> got.add(run.lease().jobId()));
		}
		assertThat(got)
			.isEqualTo(ids(List.of(all.get(0), all.get(5), all.get(10), all.get(1), all.get(6), all.get(11))));
	}

	@Test
	void oneAtATimeGoesRound() {
		List<EncodedJob> noisy = jobs("noisy", 20);
		List<EncodedJob> quiet = jobs("quiet", 2);
		keep(noisy);
		keep(quiet);
		Worker worker = new Worker(this.fair);
		List<String> fetched = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			fetched.addAll(worker.fetch(1));
		}
		assertThat(fetched).containsExactly(noisy.get(0).job().id(), quiet.get(0).job().id(), noisy.get(1).job().id(),
				quiet.get(1).job().id(), noisy.get(2).job().id(), noisy.get(3).job().id());
	}

	@Test
	void takesUrgentJobsFirstWhosesoeverTheyAre() {
		List<EncodedJob> noisy = jobs("noisy", 3);
		EncodedJob urgent = job("noisy", (job) -> job.priority(7));
		List<EncodedJob> quiet = jobs("quiet", 1);
		EncodedJob low = job("quiet", (job) -> job.priority(-7));
		keep(noisy);
		keep(List.of(urgent, low));
		keep(quiet);
		assertThat(fetch(10)).hasSize(6).startsWith(urgent.job().id()).endsWith(low.job().id());
	}

	@Test
	void takesJobsOfNobodyWhenTheyAreTheOldest() {
		EncodedJob nobodys = this.fair.encoded((job) -> job.enqueuedAt(TestStores.time(NOW.plusMillis(55))));
		this.fair.keep(nobodys, TestStores.LATER);
		keep(jobs("noisy", 10));
		assertThat(fetch(5)).doesNotContain(nobodys.job().id());
		assertThat(fetch(1)).doesNotContain(nobodys.job().id());
		assertThat(fetch(1)).containsExactly(nobodys.job().id());
		assertThat(fetch(100)).hasSize(4);
	}

	@Test
	void fetchesAtTheSameTimeGetDifferentJobs() throws Exception {
		List<EncodedJob> all = new ArrayList<>(jobs("noisy", 100));
		all.addAll(jobs("quiet", 100));
		keep(all);
		Set<String> taken = ConcurrentHashMap.newKeySet();
		Worker workers = new Worker(this.fair);
		Threads.together(4, (thread) -> {
			for (List<String> page = workers.fetch(7); !page.isEmpty(); page = workers.fetch(7)) {
				page.forEach((id) -> assertThat(taken.add(id)).isTrue());
			}
		});
		assertThat(taken).hasSize(200);
	}

	/** Somebody who fetches. */
	private static final class Worker {

		private final JdbcFetchStore store;

		Worker(TestStores stores) {
			this.store = new JdbcFetchStore(stores.database);
		}

		List<String> fetch(int count) {
			Reservation reservation = new Reservation(Duration.ofSeconds(30), Duration.ofMinutes(30));
			return this.store.fetch(List.of("mail"), count, "w", null, NOW, (job) -> reservation)
				.stream()
				.map((fetched) -> fetched.job().job().id())
				.toList();
		}

	}

}
