package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.NotReplayableException;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import io.ojs.event.StoredEvent;
import io.ojs.event.internal.Transition;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.retry.RetryOverrides;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How a dead letter is put back to work.
 */
abstract class ReplayContract extends DeadLetterContract {

	@Test
	@Tag("DLQ-002")
	@Tag("DLQ-003")
	void putsOneBackToWork() {
		String id = dead("q", "a.b");
		this.clock.now = NOON.plusSeconds(60);
		Job replayed = this.letters.replay(id).orElseThrow();
		assertThat(replayed.id()).isEqualTo(id);
		assertThat(replayed.state()).isEqualTo(JobState.AVAILABLE);
		assertThat(this.wakes).hasValue(1);
		StoredJob stored = this.jobs.find(id).orElseThrow();
		for (Job job : List.of(replayed, stored.job())) {
			assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
			assertThat(job.attempt()).isZero();
			assertThat(job.errors()).extracting(JobError::type).containsExactly(ERROR);
			assertThat(job.meta()).containsEntry("ojs.replay_count", 1)
				.containsEntry("ojs.last_replayed_at", "2026-03-15T12:01:00.000Z");
			assertThat(job.enqueuedAt()).isEqualTo(Rfc3339.utc(NOON.plusSeconds(60)));
			assertThat(job.completedAt()).isNull();
		}
		assertThat(stored.job().startedAt()).isNull();
		assertThat(this.stores.retention.prune(NOON.plus(Duration.ofDays(999)), 10)).as("nothing has ended").isZero();
		assertThat(stored.deadLetteredAt()).isNull();
		assertThat(stored.replays()).isOne();
		assertThat(this.letters.get(id)).isEmpty();
		assertThat(this.letters.replay(id)).isEmpty();
		RelayedJob published = this.relay.take(this.clock.now, this.clock.now.plusSeconds(30), 10).jobs().get(0);
		assertThat(published.attempt()).isOne();
		assertThat(this.codec.decode(published.encoded().body()).meta()).containsEntry("ojs.replay_count", 1);
		assertThat(events(id)).endsWith("dead_letter.retried", "job.enqueued");
		Claim.Taken taken = claim(published.encoded());
		assertThat(taken.job().job().attempt()).isOne();
		this.attempts.settle(List.of(new Outcome.Discarded(taken.lease(), error(1), Transition.EXHAUST)),
				this.clock.now);
		assertThat(this.letters.get(id).orElseThrow().job().errors()).hasSize(2);
		assertThat(this.letters.replay(id).orElseThrow().meta()).containsEntry("ojs.replay_count", 2);
	}

	@Test
	@Tag("DLQ-R002")
	void putsOneBackToWorkWithDifferences() {
		String id = dead("q", "a.b");
		this.letters.replay(id,
				ReplayOverrides.NONE.queue("other")
					.priority(7)
					.args("new")
					.meta("retry_source", "me")
					.retry(RetryOverrides.NONE.maxAttempts(1)));
		StoredJob stored = this.jobs.find(id).orElseThrow();
		assertThat(stored.job().queue()).isEqualTo("other");
		assertThat(stored.job().priority()).isEqualTo(7);
		assertThat(stored.job().args()).containsExactly("new");
		assertThat(stored.job().meta()).containsEntry("retry_source", "me");
		assertThat(stored.maxAttempts()).isOne();
		assertThat(this.jdbc.queryForMap("select queue, priority, max_attempts from ojs_job"))
			.containsEntry("queue", "other")
			.hasEntrySatisfying("priority", (value) -> assertThat(((Number) value).intValue()).isEqualTo(7))
			.containsEntry("max_attempts", 1);
		assertThat(this.jdbc.queryForObject("select size_bytes from ojs_job", Integer.class))
			.isEqualTo(relayed(stored.job()).encoded().body().length);
		assertThat(this.stores.events()).filteredOn((event) -> event.type().equals("dead_letter.retried"))
			.extracting(StoredEvent::queue)
			.containsExactly("q");
	}

	@Test
	void refusesDifferencesThatBreakRulesAndChangesNothing() {
		String id = dead("q", "a.b");
		List<Map<String, Object>> before = rows();
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.letters.replay(id, ReplayOverrides.NONE.args("x".repeat(1024 * 1024))))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("args"));
		assertThat(rows()).isEqualTo(before);
		assertThat(this.wakes).hasValue(0);
	}

	@Test
	void doesNotReplayWhatNobodyWouldStart() {
		EncodedJob job = job("q", "a.b", (each) -> each.expiresAt(Rfc3339.utc(NOON.plusSeconds(10))));
		record(found(job));
		this.clock.now = NOON.plusSeconds(10);
		assertThatExceptionOfType(NotReplayableException.class).isThrownBy(() -> this.letters.replay(job.job().id()))
			.withMessageContaining(job.job().id())
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(SkipReason.EXPIRED));
		ReplayResult dry = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.DRY_RUN);
		ReplayResult real = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.CONFIRMED);
		assertThat(dry.skipped()).isEqualTo(Map.of(SkipReason.EXPIRED, 1L)).isEqualTo(real.skipped());
		assertThat(dry.replayed()).isZero().isEqualTo(real.replayed());
		assertThat(real.examples()).singleElement()
			.satisfies((each) -> assertThat(each.jobId()).isEqualTo(job.job().id()));
		assertThat(this.letters.get(job.job().id())).isPresent();
	}

	@Test
	void doesNotPublishBeforeItsTimeWhatIsScheduled() {
		EncodedJob job = job("q", "a.b",
				(each) -> each.state(JobState.SCHEDULED).scheduledAt(Rfc3339.utc(NOON.plusSeconds(60))));
		record(found(job));
		this.letters.replay(job.job().id());
		assertThat(this.relay.nextAt()).contains(NOON.plusSeconds(60));
	}

	@Test
	void isPartOfTheCallersTransaction() {
		String id = dead("q", "a.b");
		String other = dead("q", "a.b");
		this.stores.users().executeWithoutResult((status) -> {
			this.letters.replay(id);
			this.letters.delete(other);
			status.setRollbackOnly();
		});
		assertThat(ids(DeadLetterFilter.ANY)).containsExactlyInAnyOrder(id, other);
		assertThat(this.wakes).hasValue(0);
		this.stores.users().executeWithoutResult((status) -> {
			this.letters.replay(id);
			assertThat(this.wakes).hasValue(0);
		});
		assertThat(this.wakes).hasValue(1);
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(other);
	}

}
