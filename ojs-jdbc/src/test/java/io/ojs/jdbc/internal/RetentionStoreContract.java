package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.Retention;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

abstract class RetentionStoreContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	@Test
	@Tag("QC-6.3-1")
	@Tag("QC-11.1-6")
	void eachEndHasItsRetention() {
		EncodedJob completed = this.stores.available();
		EncodedJob cancelled = this.stores.available();
		EncodedJob discarded = this.stores.available();
		EncodedJob dead = this.stores.available();
		EncodedJob waiting = this.stores.available();
		this.stores.jobs.cancel(cancelled.job().id(), NOW);
		this.stores.attempts.settle(List.of(new Outcome.Completed(this.stores.taken(completed, NOW).lease(), null),
				new Outcome.Discarded(this.stores.taken(discarded, NOW).lease(), TestStores.error("x"),
						Transition.EXHAUST_AND_DISCARD),
				new Outcome.Discarded(this.stores.taken(dead, NOW).lease(), TestStores.error("x"), Transition.EXHAUST)),
				NOW);
		int days = 0;
		for (EncodedJob job : List.of(completed, cancelled, discarded, dead)) {
			days++;
			assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(days)), 10)).isZero();
			assertThat(this.stores.jobs.find(job.job().id())).isPresent();
			assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(days)).plusMillis(1), 10)).isEqualTo(1);
			assertThat(this.stores.jobs.find(job.job().id())).isEmpty();
		}
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(999)), 10)).isZero();
		assertThat(this.stores.jobs.find(waiting.job().id())).isPresent();
	}

	@Test
	void whatIsKeptForEverEndsAllTheSame() {
		Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
		StoreOptions options = this.stores.database.options();
		StoreDatabase database = new StoreDatabase(this.stores.dataSource(), this.stores.transactionManager,
				new StoreOptions(options.codec(), options.clock(), options.source(),
						(queue) -> new Retention(forEver, forEver, forEver, forEver), options.deadLetterQueue()));
		Claim.Taken run = this.stores.active();
		assertThat(new JdbcAttemptStore(database).settle(List.of(new Outcome.Completed(run.lease(), null)), NOW))
			.containsExactly(true);
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(1_000_000)), 10)).isZero();
	}

	@Test
	void deletesNoMoreThanItIsToldTo() {
		for (int i = 0; i < 5; i++) {
			this.stores.jobs.cancel(this.stores.available().job().id(), NOW);
		}
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(3)), 3)).isEqualTo(3);
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(3)), 3)).isEqualTo(2);
	}

	@Test
	void theKeyOfAUniqueJobGoesWithTheLastJobThatHasIt() {
		UniquePolicy replace = UniquePolicy.DEFAULT.onConflict(OnConflict.REPLACE);
		this.stores.insert(this.stores.unique("a", replace, (job) -> job));
		EncodedJob second = this.stores.unique("a", replace, (job) -> job);
		this.stores.insert(second);
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(3)), 10)).isEqualTo(1);
		assertThat(keys()).isEqualTo(1);
		this.stores.jobs.cancel(second.job().id(), NOW);
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(3)), 10)).isEqualTo(1);
		assertThat(keys()).isZero();
	}

	@Test
	void uniqueJobIsKeptForAsLongAsItStandsInTheWayOfOthers() {
		UniquePolicy policy = UniquePolicy.DEFAULT.states(JobState.COMPLETED).period(Duration.ofDays(2));
		EncodedJob needed = completed(this.stores.unique("a", policy, (job) -> job));
		EncodedJob otherState = completed(this.stores.unique("b", policy.states(JobState.CANCELLED), (job) -> job));
		EncodedJob replaced = completed(this.stores.unique("c", policy.onConflict(OnConflict.REPLACE), (job) -> job));
		Instant retained = NOW.plus(Duration.ofDays(1)).plusMillis(1);
		assertThat(this.stores.retention.prune(retained, 10)).isEqualTo(3);
		assertThat(this.stores.retention.prune(retained, 10)).as("looked at again").isZero();
		assertThat(this.stores.jobs.find(needed.job().id())).isPresent();
		assertThat(this.stores.jobs.find(otherState.job().id())).isEmpty();
		assertThat(this.stores.jobs.find(replaced.job().id())).isEmpty();
		Instant over = NOW.plus(Duration.ofDays(2));
		EncodedJob duplicate = this.stores.unique("a", policy,
				(job) -> job.createdAt(TestStores.time(over.minusSeconds(1))));
		assertThat(this.stores.insert(duplicate)).isInstanceOf(Insertion.Rejected.class);
		assertThat(this.stores.retention.prune(over.plusMillis(1), 10)).isOne();
		assertThat(this.stores.jobs.find(needed.job().id())).isEmpty();
	}

	private EncodedJob completed(EncodedJob job) {
		this.stores.insert(job);
		this.stores.attempts.settle(List.of(new Outcome.Completed(this.stores.taken(job, NOW).lease(), null)), NOW);
		return job;
	}

	private Integer keys() {
		return this.stores.jdbc().queryForObject("select count(*) from ojs_unique_key", Integer.class);
	}

	@Test
	@Tag("QC-6.4-2")
	void trimsTheOldestDeadLettersOfEachQueue() {
		EncodedJob oldest = dead(NOW.minusSeconds(3));
		EncodedJob old = dead(NOW.minusSeconds(2));
		EncodedJob recent = dead(NOW.minusSeconds(1));
		assertThat(this.stores.retention.trimDeadLetters((queue) -> 3, 10)).isZero();
		assertThat(this.stores.retention.trimDeadLetters((queue) -> 1, 1)).isEqualTo(1);
		assertThat(this.stores.jobs.find(oldest.job().id())).isEmpty();
		assertThat(this.stores.retention.trimDeadLetters(keep(oldest.job().queue(), 1), 10)).isEqualTo(1);
		assertThat(this.stores.jobs.find(old.job().id())).isEmpty();
		assertThat(this.stores.jobs.find(recent.job().id())).isPresent();
	}

	private static ToLongFunction<String> keep(String queue, long most) {
		return (name) -> name.equals(queue) ? most : Long.MAX_VALUE;
	}

	@Test
	void trimsNothingOfQueuesThatMayKeepAnyNumber() {
		dead(NOW.minusSeconds(2));
		dead(NOW.minusSeconds(1));
		assertThat(this.stores.retention.trimDeadLetters(keep("another", 1), 10)).isZero();
	}

	@Test
	void trimsTheDeadLettersThatAQueueHasOfOthersToo() {
		this.stores.deadLetterQueues.put("mail", "graveyard");
		EncodedJob old = dead(NOW.minusSeconds(2));
		EncodedJob recent = dead(NOW.minusSeconds(1));
		assertThat(this.stores.retention.trimDeadLetters((queue) -> queue.equals("graveyard") ? 2 : 0, 10)).isZero();
		assertThat(this.stores.retention.trimDeadLetters((queue) -> queue.equals("graveyard") ? 1 : 5, 10)).isOne();
		assertThat(this.stores.jobs.find(old.job().id())).isEmpty();
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(13)), 10)).isZero();
		assertThat(this.stores.retention.prune(NOW.plus(Duration.ofDays(15)), 10)).isOne();
		assertThat(this.stores.jobs.find(recent.job().id())).isEmpty();
	}

	@Test
	void trimsEachQueueByItself() {
		EncodedJob kept = dead(NOW.minusSeconds(9));
		for (int i = 0; i < 4; i++) {
			dead(NOW.minusSeconds(i));
		}
		this.stores.jdbc()
			.update("update ojs_job set dead_letter_queue = case when id = cast(? as uuid) then 'alone' else 'mail' end",
					kept.job().id());
		assertThat(this.stores.retention.trimDeadLetters((queue) -> 1, 10)).isEqualTo(3);
		assertThat(this.stores.jobs.find(kept.job().id())).isPresent();
	}

	@Test
	void trimsNoMoreThanItIsToldToInAll() {
		for (int i = 0; i < 6; i++) {
			dead(NOW.minusSeconds(i));
			this.stores.jdbc()
				.update("update ojs_job set dead_letter_queue = ? where dead_letter_queue = 'mail'",
						(i % 2 == 0) ? "a" : "b");
		}
		assertThat(this.stores.retention.trimDeadLetters((queue) -> 1, 3)).isEqualTo(3);
		assertThat(this.stores.retention.trimDeadLetters((queue) -> 1, 3)).isEqualTo(1);
	}

	@Test
	void waitsForNobodyWhoIsDeleting() {
		for (int i = 0; i < 3; i++) {
			this.stores.jobs.cancel(this.stores.available().job().id(), NOW.plusSeconds(i));
		}
		Instant later = NOW.plus(Duration.ofDays(9));
		this.stores.users().executeWithoutResult((status) -> {
			assertThat(this.stores.retention.prune(later, 1)).isEqualTo(1);
			// Some databases lock more than is deleted.
			assertThat(Threads.apart(() -> this.stores.retention.prune(later, 10))).isLessThanOrEqualTo(2);
		});
		this.stores.retention.prune(later, 10);
		assertThat(this.stores.jdbc().queryForObject("select count(*) from ojs_job", Integer.class)).isZero();
	}

	private EncodedJob dead(Instant when) {
		EncodedJob job = this.stores.available();
		this.stores.attempts.settle(List
			.of(new Outcome.Discarded(this.stores.taken(job, when).lease(), TestStores.error("x"), Transition.EXHAUST)),
				when);
		return job;
	}

	@Test
	void deletesOldEvents() {
		EncodedJob old = this.stores.available();
		EncodedJob job = this.stores.available();
		this.stores.jobs.cancel(old.job().id(), NOW.plusSeconds(1));
		this.stores.jobs.cancel(job.job().id(), NOW.plusSeconds(60));
		assertThat(this.stores.retention.pruneEvents(NOW, 10)).isZero();
		assertThat(this.stores.retention.pruneEvents(NOW.plusSeconds(30), 1)).isEqualTo(1);
		assertThat(this.stores.retention.pruneEvents(NOW.plusSeconds(30), 10)).isEqualTo(2);
		assertThat(this.stores.events(job)).containsExactly("job.cancelled");
	}

}
