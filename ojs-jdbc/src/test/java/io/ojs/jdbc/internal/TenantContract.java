package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import io.ojs.deadletter.internal.ReplayDecision;
import io.ojs.event.StoredEvent;
import io.ojs.internal.admin.AdminStore.TenantJobs;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.engine.Times;
import io.ojs.internal.fetch.Reservation;
import io.ojs.jdbc.internal.admin.JdbcAdminStore;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs of two tenants and of nobody, in the same queue.
 */
abstract class TenantContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private JdbcAdminStore admin;

	private JdbcDeadLetterStore letters;

	@BeforeEach
	void open() {
		this.admin = new JdbcAdminStore(this.stores.database);
		this.letters = new JdbcDeadLetterStore(this.stores.database);
	}

	private String job(@Nullable String tenant) {
		EncodedJob encoded = this.stores
			.encoded((job) -> job.meta((tenant != null) ? Map.of("tenant_id", tenant) : Map.of()));
		return this.stores.keep(encoded, TestStores.LATER).job().id();
	}

	private String deadLetter(@Nullable String tenant) {
		String id = job(tenant);
		this.stores.jdbc()
			.update("update ojs_job set state = 'discarded', dead_letter_queue = 'mail', error_type = 'E', ended_at = ?, "
					+ "dead_lettered_at = ? where id = cast(? as uuid)", Times.utc(NOW), Times.utc(NOW), id);
		return id;
	}

	private static List<String> ids(List<StoredJob> jobs) {
		return jobs.stream().map((job) -> job.job().id()).toList();
	}

	@Test
	void jobsAreFoundCountedAndDeletedByTheirTenants() {
		String first = job("acme");
		String other = job("other");
		String nobodys = job(null);
		String second = job("acme");
		assertThat(ids(this.admin.search(JobFilter.ANY.tenant("acme"), 0, 10))).containsExactly(second, first);
		assertThat(ids(this.admin.search(JobFilter.ANY.tenant("acme").ids(Set.of(other, nobodys)), 0, 10))).isEmpty();
		assertThat(this.admin.count(JobFilter.ANY.tenant("other"))).isEqualTo(1);
		assertThat(this.admin.count(JobFilter.ANY)).isEqualTo(4);
		assertThat(this.admin.counts("mail", "acme")).isEqualTo(Map.of("mail", Map.of(JobState.AVAILABLE, 2L)));
		assertThat(this.admin.counts(null, "nobody")).isEmpty();
		assertThat(this.admin.countsByTenant(null, 10))
			.isEqualTo(Map.of("acme", Map.of(JobState.AVAILABLE, 2L), "other", Map.of(JobState.AVAILABLE, 1L)));
		assertThat(this.admin.countsByTenant(null, 1)).containsOnlyKeys("acme");
		assertThat(this.admin.countsByTenant("acme", 10)).containsOnlyKeys("other");
		List.of(first, other, nobodys, second).forEach((id) -> this.stores.jobs.cancel(id, NOW));
		assertThat(this.admin.delete(JobFilter.ANY.tenant("acme"), 10)).isEqualTo(2);
		assertThat(ids(this.admin.search(JobFilter.ANY, 0, 10))).containsExactly(nobodys, other);
	}

	@Test
	void unfinishedJobsAndDeadLettersAreCountedUpToABound() {
		job("acme");
		job("acme");
		deadLetter("acme");
		this.stores.jobs.cancel(job("acme"), NOW);
		EncodedJob later = this.stores.encoded((job) -> job.meta(Map.of("tenant_id", "acme"))
			.state(JobState.SCHEDULED)
			.scheduledAt(TestStores.time(TestStores.LATER)));
		this.stores.keep(later, TestStores.LATER);
		this.stores.jobs.cancel(job("ended"), NOW);
		job(null);
		TenantJobs acme = new TenantJobs(Map.of(JobState.AVAILABLE, 2L, JobState.SCHEDULED, 1L), 1, true);
		TenantJobs ended = new TenantJobs(Map.of(), 0, true);
		assertThat(this.admin.unfinishedByTenant(null, 10, 9)).isEqualTo(Map.of("acme", acme, "ended", ended));
		assertThat(this.admin.unfinishedByTenant(null, 1, 9)).containsOnlyKeys("acme");
		assertThat(this.admin.unfinished("acme", 9).values())
			.containsExactly(Map.of(JobState.AVAILABLE, 2L, JobState.SCHEDULED, 1L));
		assertThat(this.admin.unfinished("acme", 1).values())
			.containsExactly(Map.of(JobState.AVAILABLE, 1L, JobState.SCHEDULED, 1L));
		assertThat(this.admin.unfinished("ended", 9)).isEmpty();
		assertThat(this.admin.unfinishedByTenant("acme", 9, 9)).containsOnlyKeys("ended");
		assertThat(this.admin.unfinishedByTenant("ended", 9, 9)).isEmpty();
		assertThat(this.admin.unfinishedByTenant(null, 1, 1)).isEqualTo(
				Map.of("acme", new TenantJobs(Map.of(JobState.AVAILABLE, 1L, JobState.SCHEDULED, 1L), 1, false)));
	}

	@Test
	void whatCannotBeATenantIsNobodys() {
		EncodedJob strange = this.stores.encoded((job) -> job.meta(Map.of("tenant_id", "no tenant")));
		this.stores.keep(strange, TestStores.LATER);
		assertThat(this.admin.count(JobFilter.ANY.tenant("no tenant"))).isZero();
		assertThat(this.admin.countsByTenant(null, 10)).isEmpty();
	}

	@Test
	void workerOfATenantGetsItsJobsAlone() {
		job("other");
		job(null);
		String own = job("acme");
		JdbcFetchStore fetches = new JdbcFetchStore(this.stores.database);
		Reservation reservation = new Reservation(Duration.ofSeconds(30), Duration.ofMinutes(30));
		assertThat(fetches.fetch(List.of("mail"), 10, "w", "acme", NOW, (job) -> reservation))
			.extracting((fetched) -> fetched.job().job().id())
			.containsExactly(own);
		assertThat(fetches.fetch(List.of("mail"), 10, "w", "acme", NOW, (job) -> reservation)).isEmpty();
		assertThat(fetches.fetch(List.of("mail"), 10, "w", null, NOW, (job) -> reservation)).hasSize(2);
	}

	@Test
	void eventsAreOfTheTenantOfTheirJob() {
		String own = job("acme");
		job("other");
		job(null);
		this.stores.jobs.cancel(own, NOW);
		List<StoredEvent> events = this.stores.feed.after(0, Set.of(), Set.of(), "acme", 10);
		assertThat(events).extracting(StoredEvent::type).containsExactly("job.enqueued", "job.cancelled");
		assertThat(events).allSatisfy((event) -> {
			assertThat(event.subject()).isEqualTo(own);
			assertThat(event.data()).containsEntry("tenant_id", "acme");
		});
		assertThat(this.stores.feed.after(0, Set.of(), Set.of(), 10)).hasSize(4);
	}

	@Test
	void deadLettersAreListedCountedAndReplayedByTheirTenants() {
		String own = deadLetter("acme");
		String other = deadLetter("other");
		String nobodys = deadLetter(null);
		DeadLetterFilter mine = DeadLetterFilter.ANY.tenant("acme");
		assertThat(ids(this.letters.list(mine, null, 10))).containsExactly(own);
		assertThat(this.letters.list(mine.ids(Set.of(other, nobodys)), null, 10)).isEmpty();
		assertThat(this.letters.count(mine, NOW).total()).isEqualTo(1);
		assertThat(this.letters.stats(mine).total()).isEqualTo(1);
		assertThat(this.letters.stats(DeadLetterFilter.ANY).total()).isEqualTo(3);
		AtomicInteger asked = new AtomicInteger();
		this.letters.replay(mine, null, 10, NOW, (letter) -> {
			asked.incrementAndGet();
			return new ReplayDecision.Skipped(
					new ReplayResult.Skipped(letter.stored().job().id(), SkipReason.EXPIRED, "not now"));
		});
		assertThat(asked).hasValue(1);
		assertThat(this.letters.delete(mine, NOW, 10)).isEqualTo(1);
		assertThat(ids(this.letters.list(DeadLetterFilter.ANY, null, 10))).containsExactlyInAnyOrder(other, nobodys);
	}

}
