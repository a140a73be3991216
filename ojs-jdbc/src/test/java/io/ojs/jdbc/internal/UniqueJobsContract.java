package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Claim;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The same, and what only a database has.
 */
abstract class UniqueJobsContract extends EngineUniqueJobsContract<TestStores> {

	@Test
	void aScheduledJobKeepsItsScheduleAndTakesTheArguments() {
		Instant dueAt = TestStores.NOW.plusSeconds(3600);
		EncodedJob first = this.stores.unique("a", REJECT,
				(job) -> job.state(JobState.SCHEDULED).scheduledAt(TestStores.time(dueAt)));
		this.stores.jobs.insert(List.of(TestStores.newJob(first, dueAt)));
		EncodedJob second = this.stores.unique("a", REJECT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE),
				(job) -> job.args(List.of("new")).meta(Map.of("locale", "fr")).priority(9));
		assertThat(this.stores.insert(second)).isInstanceOfSatisfying(Insertion.Merged.class,
				(merged) -> assertThat(merged.updated()).isEqualTo(this.stores.find(first)));
		StoredJob stored = this.stores.find(first);
		assertThat(stored.job().args()).containsExactly("new");
		assertThat(stored.job().meta()).containsEntry("locale", "fr");
		assertThat(stored.job().state()).isEqualTo(JobState.SCHEDULED);
		assertThat(stored.job().scheduledAt()).isEqualTo(first.job().scheduledAt());
		assertThat(stored.dueAt()).isEqualTo(dueAt);
		assertThat(this.stores.jobs.find(second.job().id())).isEmpty();
		assertThat(this.stores.relay.take(dueAt, dueAt.plusSeconds(9), 10).jobs()).singleElement()
			.satisfies((relayed) -> assertThat(relayed.encoded().job().args()).containsExactly("new"));
	}

	@Test
	void aScheduledJobBecomesTheNewOneInAllButItsSchedule() {
		Instant dueAt = TestStores.NOW.plusSeconds(3600);
		EncodedJob first = this.stores.unique("a", REJECT,
				(job) -> job.state(JobState.SCHEDULED).scheduledAt(TestStores.time(dueAt)));
		this.stores.jobs.insert(List.of(TestStores.newJob(first, dueAt)));
		Instant expiresAt = dueAt.plusSeconds(60);
		EncodedJob like = this.stores.unique("a", REJECT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE),
				(job) -> job.expiresAt(TestStores.time(expiresAt)).args(List.of("x".repeat(100))));
		EncodedJob second = new EncodedJob(like.job(), like.body(), 7, like.uniqueKey());
		this.stores.jobs.insert(List.of(new NewJob(second, Map.of("x-ojs-trace-id", "new"), TestStores.NOW)));
		StoredJob stored = this.stores.find(first);
		assertThat(stored.maxAttempts()).isEqualTo(7);
		assertThat(stored.headers()).containsExactly(Map.entry("x-ojs-trace-id", "new"));
		assertThat(this.stores.relay.nextAt()).contains(dueAt);
		assertThat(this.stores.jdbc().queryForObject("select size_bytes from ojs_job", Integer.class))
			.isGreaterThan(first.body().length + 50);
		assertThat(this.stores.claim(first, expiresAt.plusSeconds(1))).isInstanceOf(Claim.Expired.class);
	}

	@Test
	void aRollbackCancelsNothing() {
		EncodedJob first = unique(REJECT);
		this.stores.insert(first);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.insert(unique(REJECT.onConflict(OnConflict.REPLACE)));
			status.setRollbackOnly();
		});
		assertThat(this.stores.state(first)).isEqualTo(JobState.AVAILABLE);
	}

	@Test
	void ofManyAtTheSameTimeOneGetsIn() throws Exception {
		JdbcJobStore other = new JdbcJobStore(new StoreDatabase(this.stores.dataSource(),
				this.stores.transactionManager, this.stores.database.options()));
		for (int round = 0; round < 5; round++) {
			List<String> keys = new ArrayList<>(List.of("a", "b", "c", "d"));
			this.stores.clear();
			AtomicInteger inserted = new AtomicInteger();
			Threads.together(16, (thread) -> {
				List<String> mine = new ArrayList<>(keys);
				Collections.shuffle(mine);
				JobStore store = (thread % 2 == 0) ? this.stores.jobs : other;
				store
					.insert(mine.stream()
						.map((key) -> TestStores
							.newJob(this.stores.unique(key, REJECT.onConflict(OnConflict.IGNORE), (job) -> job), null))
						.toList())
					.forEach((insertion) -> inserted.addAndGet((insertion instanceof Insertion.Inserted) ? 1 : 0));
			});
			assertThat(inserted).hasValue(4);
			assertThat(this.stores.jdbc().queryForObject("select count(*) from ojs_job", Integer.class)).isEqualTo(4);
		}
	}

	@Test
	void ofManyThatReplaceTheLastOneStays() throws Exception {
		Threads.together(8, (thread) -> {
			for (int i = 0; i < 5; i++) {
				this.stores.insert(unique(REJECT.onConflict(OnConflict.REPLACE)));
			}
		});
		assertThat(this.stores.jdbc()
			.queryForObject("select count(*) from ojs_job where state = 'available'", Integer.class)).isEqualTo(1);
		assertThat(this.stores.jdbc()
			.queryForObject("select count(*) from ojs_job where state = 'cancelled'", Integer.class)).isEqualTo(39);
	}

}
