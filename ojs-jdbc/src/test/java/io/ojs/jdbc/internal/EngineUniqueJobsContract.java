package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

import io.ojs.client.internal.EncodedJob;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.internal.EncryptedJobs;
import io.ojs.crypto.internal.FixedKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

abstract class EngineUniqueJobsContract<S extends EngineStores> extends EngineContract<S> {

	static final UniquePolicy REJECT = UniquePolicy.DEFAULT;

	@Test
	void rejectsASecondJobAndTellsOfTheFirst() {
		EncodedJob first = unique(REJECT);
		assertThat(this.stores.insert(first)).isEqualTo(Insertion.Inserted.NEW);
		EncodedJob second = unique(REJECT);
		assertThat(this.stores.insert(second)).isEqualTo(new Insertion.Rejected(this.stores.find(first)));
		assertThat(this.stores.jobs.find(second.job().id())).isEmpty();
		assertThat(this.stores.insert(this.stores.unique("b", REJECT, (job) -> job))).isEqualTo(Insertion.Inserted.NEW);
	}

	@Test
	void ignoresASecondJob() {
		EncodedJob first = unique(REJECT);
		this.stores.insert(first);
		assertThat(this.stores.insert(unique(REJECT.onConflict(OnConflict.IGNORE))))
			.isEqualTo(new Insertion.Ignored(this.stores.find(first)));
	}

	@Test
	void jobsWithoutPolicyMeetNobody() {
		EncodedJob first = unique(REJECT);
		this.stores.insert(first);
		assertThat(this.stores.insert(this.stores.encoded((job) -> job))).isEqualTo(Insertion.Inserted.NEW);
	}

	@Test
	void replacesAndCancels() {
		EncodedJob first = unique(REJECT);
		this.stores.insert(first);
		this.stores.taken(first, TestStores.NOW);
		StoredJob before = this.stores.find(first);
		assertThat(before.job().state()).isEqualTo(JobState.ACTIVE);
		EncodedJob second = unique(REJECT.onConflict(OnConflict.REPLACE));
		assertThat(this.stores.insert(second)).isEqualTo(new Insertion.Inserted(List.of(before)));
		assertThat(this.stores.state(first)).isEqualTo(JobState.CANCELLED);
		assertThat(this.stores.events(first)).endsWith("job.cancelled");
		assertThat(this.stores.events()).filteredOn((event) -> event.type().equals("job.cancelled"))
			.singleElement()
			.satisfies((event) -> assertThat(event.data()).containsEntry("reason",
					"replaced by job " + second.job().id()));
		assertThat(this.stores.events()).last()
			.satisfies((event) -> assertThat(event.data()).containsEntry("unique_key", second.uniqueKey()));
		assertThat(this.stores.state(second)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.events(second)).containsExactly("job.enqueued");
	}

	@Test
	void ofSeveralTheNewestIsToldOfAndAllAreReplaced() {
		EncodedJob old = this.stores.unique("a", REJECT,
				(job) -> job.createdAt(TestStores.time(TestStores.NOW.minusSeconds(60))));
		this.stores.insert(old);
		EncodedJob recent = unique(REJECT.states(JobState.SCHEDULED));
		assertThat(this.stores.insert(recent)).isEqualTo(Insertion.Inserted.NEW);
		assertThat(this.stores.insert(unique(REJECT))).isEqualTo(new Insertion.Rejected(this.stores.find(recent)));
		List<StoredJob> before = List.of(this.stores.find(recent), this.stores.find(old));
		assertThat(this.stores.insert(unique(REJECT.onConflict(OnConflict.REPLACE))))
			.isEqualTo(new Insertion.Inserted(before));
		assertThat(List.of(old, recent)).extracting(this.stores::state).containsOnly(JobState.CANCELLED);
	}

	@Test
	void aMergedJobIsDecrypted() {
		EncryptionKey key = EncryptionKey.of("k1", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
		JobEncryption encryption = new JobEncryption(new FixedKeys("k1", List.of(key)), EncryptedJobs.ALL, List.of());
		Instant dueAt = TestStores.NOW.plusSeconds(3600);
		UniquePolicy merges = REJECT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE);
		EncodedJob first = encrypted(encryption, merges,
				(job) -> job.args(List.of("old")).state(JobState.SCHEDULED).scheduledAt(TestStores.time(dueAt)));
		this.stores.jobs.insert(List.of(TestStores.newJob(first, dueAt)));
		EncodedJob second = encrypted(encryption, merges, (job) -> job.args(List.of("new")));
		assertThat(this.stores.insert(second)).isInstanceOf(Insertion.Merged.class);
		assertThat(encryption.decrypt(this.stores.find(first).job()).args()).containsExactly("new");
	}

	EncodedJob encrypted(JobEncryption encryption, UniquePolicy policy, UnaryOperator<JobBuilder> fields) {
		EncodedJob plain = this.stores.unique("a", policy, fields);
		Job job = encryption.encrypt(plain.job());
		return new EncodedJob(job, this.stores.codec.encode(job), 3, plain.uniqueKey());
	}

	@Test
	void whatIsNotScheduledIsReplacedWhole() {
		EncodedJob first = unique(REJECT);
		this.stores.insert(first);
		StoredJob before = this.stores.find(first);
		assertThat(this.stores.insert(unique(REJECT.onConflict(OnConflict.REPLACE_EXCEPT_SCHEDULE))))
			.isEqualTo(new Insertion.Inserted(List.of(before)));
	}

	@Test
	void onlyTheStatesOfTheNewPolicyStandInTheWay() {
		EncodedJob first = unique(REJECT);
		this.stores.insert(first);
		assertThat(this.stores.insert(unique(REJECT.states(JobState.SCHEDULED)))).isEqualTo(Insertion.Inserted.NEW);
		this.stores.jobs.cancel(first.job().id(), TestStores.NOW);
	}

	@Test
	void whatHasEndedStandsInTheWayOfThoseWhoSaySo() {
		EncodedJob first = unique(REJECT);
		this.stores.insert(first);
		this.stores.attempts.settle(
				List.of(new Outcome.Completed(this.stores.taken(first, TestStores.NOW).lease(), null)), TestStores.NOW);
		assertThat(this.stores.insert(unique(REJECT.states(JobState.COMPLETED))))
			.isInstanceOf(Insertion.Rejected.class);
		assertThat(this.stores.insert(unique(REJECT.states(JobState.COMPLETED).onConflict(OnConflict.REPLACE))))
			.isEqualTo(Insertion.Inserted.NEW);
		assertThat(this.stores.state(first)).isEqualTo(JobState.COMPLETED);
	}

	@Test
	void theTimeEndsAfterThePeriod() {
		EncodedJob first = this.stores.unique("a", REJECT,
				(job) -> job.createdAt(TestStores.time(TestStores.NOW.minusSeconds(60))));
		this.stores.insert(first);
		assertThat(this.stores.insert(unique(REJECT.period(Duration.ofSeconds(61)))))
			.isInstanceOf(Insertion.Rejected.class);
		assertThat(this.stores.insert(unique(REJECT.period(Duration.ofSeconds(60))))).isEqualTo(Insertion.Inserted.NEW);
	}

	@Test
	void meetsThoseOfItsOwnList() {
		EncodedJob first = unique(REJECT);
		EncodedJob other = this.stores.encoded((job) -> job);
		EncodedJob second = unique(REJECT.onConflict(OnConflict.REPLACE));
		EncodedJob third = unique(REJECT.onConflict(OnConflict.IGNORE));
		List<Insertion> insertions = this.stores.jobs
			.insert(List.of(first, other, second, third).stream().map((job) -> TestStores.newJob(job, null)).toList());
		assertThat(insertions).hasSize(4)
			.startsWith(Insertion.Inserted.NEW, Insertion.Inserted.NEW)
			.endsWith(new Insertion.Ignored(this.stores.find(second)));
		assertThat(insertions.get(2)).isInstanceOfSatisfying(Insertion.Inserted.class,
				(inserted) -> assertThat(inserted.replaced()).extracting(StoredJob::job)
					.extracting(Job::id, Job::state)
					.containsExactly(tuple(first.job().id(), JobState.AVAILABLE)));
	}

	EncodedJob unique(UniquePolicy policy) {
		return this.stores.unique("a", policy, UnaryOperator.<JobBuilder>identity());
	}

}
