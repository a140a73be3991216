package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.ReplayDecision;
import io.ojs.event.internal.Transition;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.jdbc.internal.admin.JdbcJobSearch;
import io.ojs.jdbc.internal.admin.JdbcAdminStore;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Labels are written with jobs and deleted with them.
 */
abstract class JobLabelsContract extends StoreContract {

	private EncodedJob job(Map<String, Object> meta) {
		return database().encoded((job) -> job.meta(meta));
	}

	private List<String> labels(EncodedJob job) {
		return database().jdbc()
			.queryForList("select label from ojs_job_label where job_id = cast(? as uuid) order by label", String.class,
					job.job().id());
	}

	private List<String> kept(Map<String, Object> meta) {
		return labels(database().keep(job(meta), TestStores.LATER));
	}

	private int all() {
		Integer count = database().jdbc().queryForObject("select count(*) from ojs_job_label", Integer.class);
		return (count != null) ? count : -1;
	}

	@Test
	void tagsAndNamedKeysAreLabels() {
		assertThat(kept(Map.of())).isEmpty();
		assertThat(kept(Map.of("other", "x"))).isEmpty();
		assertThat(kept(Map.of("tags", List.of("b", "a", "b")))).containsExactly("#a", "#b");
		assertThat(kept(Map.of("customer", "4711"))).containsExactly("customer=4711");
		assertThat(kept(Map.of("customer", 4711))).containsExactly("customer=4711");
		assertThat(kept(Map.of("customer", true))).containsExactly("customer=true");
		assertThat(kept(Map.of("customer", List.of("a", 2)))).containsExactly("customer=2", "customer=a");
		assertThat(kept(Map.of("customer", Map.of("id", 1)))).isEmpty();
		assertThat(kept(Map.of("customer", "a,b='%_ä€😀\"\\"))).containsExactly("customer=a,b='%_ä€😀\"\\");
	}

	@Test
	void jobIsReadWithItsWorkflowAndItsLabels() {
		JdbcJobSearch search = new JdbcJobSearch(database().database);
		String plain = database().keep(job(Map.of()), null).job().id();
		String id = database().keep(job(Map.of("tags", List.of("b", "a"), "customer", 1)), null).job().id();
		assertThat(search.marks(plain)).isEqualTo(JobSearch.Marks.NONE);
		assertThat(search.marks(id)).isEqualTo(new JobSearch.Marks(null, List.of("#a", "#b", "customer=1")));
		database().jdbc().update("update ojs_job set workflow_id = id");
		assertThat(search.marks(plain)).isEqualTo(new JobSearch.Marks(plain, List.of()));
		assertThat(search.marks(id)).isEqualTo(new JobSearch.Marks(id, List.of("#a", "#b", "customer=1")));
		assertThat(search.marks("019539a4-0000-7000-8000-000000000009")).isEqualTo(JobSearch.Marks.NONE);
		assertThat(search.marks("no id")).isEqualTo(JobSearch.Marks.NONE);
	}

	@Test
	void whatNoDatabaseOrPageTakesIsNoLabel() {
		String half = "\ud83d";
		assertThat(kept(Map.of("tags", Arrays.asList("a\0b", "", "c", null, 7), "customer", ""))).containsExactly("#c");
		assertThat(kept(Map.of("tags", List.of("x".repeat(JobSearch.MAX_LABEL)), "customer", half))).isEmpty();
		assertThat(kept(Map.of("tags", List.of("x".repeat(JobSearch.MAX_LABEL - 1))))).hasSize(1);
		List<String> many = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			many.add("t" + i);
		}
		assertThat(kept(Map.of("tags", many))).hasSize(50);
	}

	@Test
	void manyJobsHaveEachItsOwn() {
		EncodedJob one = job(Map.of("tags", List.of("a", "b")));
		EncodedJob two = job(Map.of("customer", 1));
		EncodedJob three = job(Map.of());
		database().jobs.insert(List.of(one, two, three).stream().map((job) -> TestStores.newJob(job, null)).toList());
		assertThat(labels(one)).containsExactly("#a", "#b");
		assertThat(labels(two)).containsExactly("customer=1");
		assertThat(all()).isEqualTo(3);
	}

	@Test
	void rollbackLeavesNone() {
		database().users().executeWithoutResult((transaction) -> {
			kept(Map.of("customer", 1));
			transaction.setRollbackOnly();
		});
		EncodedJob job = database().keep(job(Map.of("customer", 1)), null);
		EncodedJob same = database().encoded(job.job().id(), 3, (fields) -> fields.meta("customer", 2));
		assertThatExceptionOfType(DuplicateIdException.class)
			.isThrownBy(() -> database().jobs.insert(List.of(TestStores.newJob(same, null))));
		assertThat(labels(job)).containsExactly("customer=1");
		assertThat(all()).isEqualTo(1);
	}

	@Test
	void mergedJobHasThoseOfTheNewOne() {
		UniquePolicy merging = UniquePolicy.DEFAULT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE);
		EncodedJob first = scheduled(merging, Map.of("customer", 1));
		database().insert(first);
		database().insert(scheduled(merging, Map.of("customer", 2, "tags", List.of("t"))));
		assertThat(labels(first)).containsExactly("#t", "customer=2");
		database().insert(scheduled(merging, Map.of()));
		assertThat(all()).isZero();
	}

	private EncodedJob scheduled(UniquePolicy policy, Map<String, Object> meta) {
		return database().unique("a", policy,
				(job) -> job.meta(meta).state(JobState.SCHEDULED).scheduledAt(TestStores.time(TestStores.LATER)));
	}

	@Test
	void replayedJobHasThoseOfItsNewContent() {
		EncodedJob job = database().keep(job(Map.of("customer", 1)), TestStores.LATER);
		database().attempts.settle(List.of(new Outcome.Discarded(database().taken(job, TestStores.NOW).lease(),
				TestStores.error("no"), Transition.EXHAUST)), TestStores.NOW);
		EncodedJob changed = database().encoded(job.job().id(), 3, (fields) -> fields.meta("customer", 2));
		new JdbcDeadLetterStore(database().database).replay(DeadLetterFilter.ANY, null, 10, TestStores.NOW,
				(letter) -> new ReplayDecision.Replayed(changed, TestStores.LATER));
		assertThat(labels(job)).containsExactly("customer=2");
	}

	@Test
	void jobOfAnotherProducerHasThem() {
		EncodedJob foreign = job(Map.of("tags", List.of("t"), "customer", 1));
		assertThat(database().claim(foreign)).isNotNull();
		assertThat(labels(foreign)).containsExactly("#t", "customer=1");
	}

	@Test
	void deletedJobsLeaveNone() {
		EncodedJob one = database().keep(job(Map.of("customer", 1)), null);
		EncodedJob two = database().keep(job(Map.of("customer", 2)), null);
		database().jobs.cancel(one.job().id(), TestStores.NOW);
		database().jobs.cancel(two.job().id(), TestStores.NOW);
		assertThat(new JdbcAdminStore(database().database).delete(JobFilter.ANY, 1)).isEqualTo(1);
		assertThat(all()).isEqualTo(1);
		assertThat(database().retention.prune(TestStores.NOW.plus(Duration.ofDays(30)), 100)).isEqualTo(1);
		assertThat(all()).isZero();
	}

	@Test
	void labelledJobsRunAsOthers() {
		EncodedJob job = job(Map.of("customer", 1));
		database().jobs.insert(List.of(new NewJob(job, Map.of(), TestStores.LATER, false)));
		database().taken(job, TestStores.NOW);
		assertThat(database().state(job)).isEqualTo(JobState.ACTIVE);
	}

}
