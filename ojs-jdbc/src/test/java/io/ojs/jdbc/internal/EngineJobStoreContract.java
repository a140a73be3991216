package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Insertion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

abstract class EngineJobStoreContract<S extends EngineStores> extends EngineContract<S> {

	@Test
	void keepsEveryField() {
		EncodedJob job = this.stores.encoded((fields) -> fields.priority(7)
			.meta(Map.of("tenant_id", "acme"))
			.expiresAt(TestStores.time(TestStores.NOW.plusSeconds(600))));
		assertThat(this.stores.jobs.insert(List.of(TestStores.newJob(job, TestStores.LATER))))
			.containsExactly(Insertion.Inserted.NEW);
		StoredJob stored = this.stores.find(job);
		assertThat(stored.job()).isEqualTo(job.job());
		assertThat(stored.maxAttempts()).isEqualTo(3);
		assertThat(stored.headers()).containsExactly(Map.entry("x-ojs-trace-id", "abc"));
		assertThat(stored.dueAt()).isNull();
		assertThat(stored.deadLetteredAt()).isNull();
		assertThat(this.stores.events(job)).containsExactly("job.enqueued");
	}

	@Test
	void keepsManyAtOnce() {
		List<EncodedJob> jobs = IntStream.range(0, 500)
			.mapToObj((i) -> this.stores.encoded((fields) -> fields))
			.toList();
		this.stores.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, TestStores.LATER)).toList());
		assertThat(this.stores.jobs.list(JobQuery.first(1000))).extracting((job) -> job.job().id())
			.containsExactlyElementsOf(
					jobs.stream().map((job) -> job.job().id()).sorted(Comparator.reverseOrder()).toList());
	}

	@Test
	void refusesAnIdThatIsTaken() {
		EncodedJob first = this.stores.available();
		EncodedJob other = this.stores.encoded((fields) -> fields);
		assertThatExceptionOfType(DuplicateIdException.class).isThrownBy(
				() -> this.stores.jobs.insert(List.of(TestStores.newJob(other, null), TestStores.newJob(first, null))))
			.satisfies((ex) -> assertThat(ex.jobId()).isEqualTo(first.job().id()));
		assertThat(this.stores.jobs.find(other.job().id())).isEmpty();
	}

	@Test
	void refusesAnIdThatComesTwice() {
		EncodedJob job = this.stores.encoded((fields) -> fields);
		assertThatExceptionOfType(DuplicateIdException.class).isThrownBy(
				() -> this.stores.jobs.insert(List.of(TestStores.newJob(job, null), TestStores.newJob(job, null))));
		assertThat(this.stores.jobs.find(job.job().id())).isEmpty();
	}

	@Test
	void findsNothingUnderWhatIsNoId() {
		assertThat(this.stores.jobs.find("no id")).isEmpty();
		assertThat(this.stores.jobs.cancel("no id", TestStores.NOW)).isEmpty();
		assertThat(this.stores.jobs.cancel(this.stores.id(), TestStores.NOW)).isEmpty();
		assertThat(this.stores.jobs.activate(this.stores.id(), TestStores.NOW, TestStores.NOW)).isEmpty();
	}

	@Test
	void scheduledJobsSayWhenTheyAreDue() {
		Instant dueAt = TestStores.NOW.plusSeconds(3600);
		EncodedJob job = this.stores.scheduled(dueAt);
		assertThat(this.stores.find(job).dueAt()).isEqualTo(dueAt);
		assertThat(this.stores.events(job)).containsExactly("job.scheduled");
	}

	@Test
	void pagesThroughJobs() {
		for (int i = 0; i < 7; i++) {
			this.stores.available();
		}
		List<StoredJob> first = this.stores.jobs.list(JobQuery.first(5));
		List<StoredJob> second = this.stores.jobs.list(new JobQuery(null, null, Set.of(), first.get(4).job().id(), 5));
		assertThat(first).hasSize(5);
		assertThat(second).hasSize(2);
		assertThat(first.get(4).job().id()).isGreaterThan(second.get(0).job().id());
	}

	@Test
	void pageBeginsBehindTheIdOfAJob() {
		this.stores.available();
		this.stores.available();
		List<StoredJob> all = this.stores.jobs.list(JobQuery.first(5));
		String newest = all.get(0).job().id();
		assertThat(this.stores.jobs.list(JobQuery.first(5).before(newest.toUpperCase(Locale.ROOT))))
			.extracting((job) -> job.job().id())
			.containsExactly(all.get(1).job().id());
		for (String before : List.of("", "17", "last", newest + "0")) {
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> this.stores.jobs.list(JobQuery.first(5).before(before)))
				.withMessageContaining("'before' must be the id of the last job of the page before")
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("before"));
		}
	}

	@Test
	void listsByQueueTypeAndState() {
		EncodedJob mail = this.stores.available();
		EncodedJob pending = this.stores.pending();
		EncodedJob other = this.stores
			.keep(this.stores.encoded((fields) -> Job.builder(this.stores.id(), "image.scale", "images")), null);
		assertThat(ids("mail", null, Set.of())).containsExactlyInAnyOrder(mail.job().id(), pending.job().id());
		assertThat(ids(null, "image.scale", Set.of())).containsExactly(other.job().id());
		assertThat(ids("mail", null, EnumSet.of(JobState.PENDING, JobState.ACTIVE)))
			.containsExactly(pending.job().id());
	}

	List<String> ids(@Nullable String queue, @Nullable String type, Set<JobState> states) {
		return this.stores.jobs.list(new JobQuery(queue, type, states, null, 100))
			.stream()
			.map((job) -> job.job().id())
			.toList();
	}

	@Test
	void cancelsNothingThatHasEnded() {
		EncodedJob job = this.stores.available();
		this.stores.jobs.cancel(job.job().id(), TestStores.NOW);
		assertThatExceptionOfType(IllegalStateTransitionException.class)
			.isThrownBy(() -> this.stores.jobs.cancel(job.job().id(), TestStores.NOW))
			.withMessage("A job that is cancelled cannot become cancelled.")
			.satisfies((ex) -> {
				assertThat(ex.from()).isEqualTo(JobState.CANCELLED);
				assertThat(ex.to()).isEqualTo(JobState.CANCELLED);
			});
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.cancelled");
	}

}
