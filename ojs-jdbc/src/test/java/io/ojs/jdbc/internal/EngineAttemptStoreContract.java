package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.StoredEvent;
import io.ojs.event.internal.Transition;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

abstract class EngineAttemptStoreContract<S extends EngineStores> extends EngineContract<S> {

	static final Instant NOW = TestStores.NOW;

	/** After every lease of this test has ended. */
	static final Instant AFTER = NOW.plusSeconds(31);

	@Test
	void completes() {
		Claim.Taken run = this.stores.active();
		assertThat(settle(new Outcome.Completed(run.lease(), Map.of("sum", 3)))).isTrue();
		StoredJob job = this.stores.jobs.find(run.lease().jobId()).orElseThrow();
		assertThat(job.job().state()).isEqualTo(JobState.COMPLETED);
		assertThat(job.job().result()).isEqualTo(Map.of("sum", 3));
		assertThat(job.job().completedAt()).isEqualTo(TestStores.time(NOW));
		assertThat(events(run)).containsExactly("job.enqueued", "job.started", "job.completed");
		assertThat(this.stores.events()).last().satisfies((event) -> {
			assertThat(event.data()).containsEntry("job_type", "email.send").containsEntry("attempt", 1);
			assertThat(event.data()).containsEntry("duration_ms", 0).containsEntry("result", Map.of("sum", 3));
			assertThat(event.queue()).isEqualTo("mail");
			assertThat(event.id()).startsWith("evt_");
		});
	}

	@Test
	void anOutcomeThatIsNoJsonIsRefusedByNameAndTheRunCanEndOtherwise() {
		refusedByName(new Object() {

			@SuppressWarnings("unused")
			public String getTitle() {
				throw new IllegalStateException("no title yet");
			}

		}, "no title yet");
	}

	@Test
	void anOutcomeThatFailsWithAnErrorIsRefusedTheSame() {
		refusedByName(new Object() {

			@SuppressWarnings("unused")
			public String getTitle() {
				throw new StackOverflowError("no title yet");
			}

		}, "StackOverflowError");
		refusedByName(new Object() {

			@SuppressWarnings("unused")
			public String getTitle() {
				throw new NoClassDefFoundError("no title yet");
			}

		}, "no title yet");
	}

	void refusedByName(Object unwritable, String reason) {
		Claim.Taken run = this.stores.active();
		Claim.Taken other = this.stores.active();
		Outcome bad = new Outcome.Completed(run.lease(), Map.of("report", unwritable));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> settle(bad))
			.withMessageContaining("as JSON")
			.withMessageContaining(reason);
		assertThatExceptionOfType(StoreException.class).isThrownBy(
				() -> this.stores.attempts.settle(List.of(new Outcome.Completed(other.lease(), null), bad), NOW));
		assertThat(settle(new Outcome.Completed(other.lease(), null))).isTrue();
		assertThat(settle(new Outcome.Discarded(run.lease(), TestStores.error("no JSON"), Transition.REJECT))).isTrue();
	}

	@Test
	void discards() {
		Claim.Taken dead = this.stores.active();
		Claim.Taken gone = this.stores.active();
		Claim.Taken exhausted = this.stores.active();
		this.stores.attempts
			.settle(List.of(new Outcome.Discarded(dead.lease(), TestStores.error("1"), Transition.REJECT),
					new Outcome.Discarded(gone.lease(), TestStores.error("2"), Transition.REJECT_AND_DISCARD),
					new Outcome.Discarded(exhausted.lease(), TestStores.error("3"), Transition.EXHAUST)), NOW);
		assertThat(this.stores.jobs.find(dead.lease().jobId()).orElseThrow().deadLetteredAt()).isEqualTo(NOW);
		assertThat(this.stores.jobs.find(gone.lease().jobId()).orElseThrow().deadLetteredAt()).isNull();
		assertThat(events(dead)).endsWith("job.started", "job.failed", "job.dead_lettered");
		assertThat(events(gone)).endsWith("job.started", "job.failed", "job.discarded");
		assertThat(events(exhausted)).endsWith("job.failed", "job.retry_exhausted", "job.dead_lettered");
	}

	@Test
	void keepsTheErrorOfEachAttempt() {
		EncodedJob job = this.stores.available(100);
		for (int i = 0; i < 30; i++) {
			Claim.Taken run = this.stores.taken(job, NOW);
			settle(new Outcome.Retried(run.lease(), TestStores.error("error " + i + " \0 \ud83d"), NOW, NOW));
		}
		List<JobError> errors = this.stores.find(job).job().errors();
		assertThat(errors).hasSize(30);
		assertThat(errors.get(0).message()).startsWith("error 0 \0");
		assertThat(errors.get(0).backtrace()).isEmpty();
		assertThat(errors.get(4).details()).isEmpty();
		assertThat(errors.get(5).backtrace()).isNotEmpty();
		assertThat(errors.get(29).message()).startsWith("error 29");
	}

	@Test
	void takesOverALostRunAndCountsIt() {
		EncodedJob job = this.stores.available();
		this.stores.taken(job, NOW);
		assertThat(this.stores.claim(job, NOW.plusSeconds(30))).isInstanceOf(Claim.Duplicate.class);
		Claim.Taken second = this.stores.taken(job, AFTER);
		assertThat(second.job().job().attempt()).isEqualTo(2);
		assertThat(second.job().job().errors()).singleElement().satisfies((error) -> {
			assertThat(error.code()).isEqualTo("WORKER_LOST");
			assertThat(error.attempt()).isEqualTo(1);
		});
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started", "job.failed", "job.started");
	}

	@Test
	void takesNoLostRunOverUnlessItMay() {
		EncodedJob job = this.stores.available();
		Claim.Taken first = this.stores.taken(job, NOW);
		assertThat(this.stores.attempts.claim(
				List.of(new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30))), "worker", AFTER,
				false))
			.containsExactly(new Claim.Duplicate(JobState.ACTIVE));
		assertThat(settle(new Outcome.Completed(first.lease(), null))).isTrue();
	}

	@Test
	void aLostLastRunMakesADeadLetter() {
		EncodedJob job = this.stores.available(1);
		this.stores.taken(job, NOW);
		assertThat(this.stores.claim(job, AFTER)).isInstanceOfSatisfying(Claim.Exhausted.class,
				(exhausted) -> assertThat(exhausted.job().deadLetteredAt()).isEqualTo(AFTER));
		assertThat(this.stores.state(job)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.find(job).job().errors()).hasSize(1);
		assertThat(this.stores.claim(job, AFTER)).isEqualTo(new Claim.Duplicate(JobState.DISCARDED));
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.started", "job.failed",
				"job.retry_exhausted", "job.dead_lettered");
	}

	@Test
	void reapsThoseFirstThatAreLostForLongest() {
		EncodedJob second = this.stores.available();
		EncodedJob first = this.stores.available();
		this.stores.taken(second, NOW.plusSeconds(1));
		this.stores.taken(first, NOW);
		assertThat(this.stores.attempts.reap(AFTER.plusSeconds(9), 1)).containsExactly(this.stores.find(first));
		assertThat(this.stores.attempts.reap(AFTER.plusSeconds(9), 1)).containsExactly(this.stores.find(second));
	}

	@Test
	void eventsOfFailuresSayWhatComesNext() {
		EncodedJob job = this.stores.available();
		settle(new Outcome.Retried(this.stores.taken(job, NOW).lease(), TestStores.error("x"), NOW.plusSeconds(5),
				NOW));
		assertThat(last("job.failed").data()).containsEntry("attempt", 1)
			.extractingByKey("error")
			.isEqualTo(
					Map.of("type", "io.ojs.TestException", "code", "HANDLER_ERROR", "message", "x", "retryable", true));
		assertThat(last("job.retrying").data()).containsEntry("max_attempts", 3)
			.containsEntry("next_retry_at", Rfc3339.format(TestStores.time(NOW.plusSeconds(5))));
		settle(new Outcome.Discarded(this.stores.taken(job, NOW.plusSeconds(5)).lease(), TestStores.error("y"),
				Transition.EXHAUST));
		assertThat(last("job.failed").data()).containsEntry("attempt", 2)
			.extractingByKey("error")
			.isEqualTo(Map.of("type", "io.ojs.TestException", "code", "HANDLER_ERROR", "message", "y", "retryable",
					false));
		assertThat(last("job.retry_exhausted").data()).containsEntry("total_attempts", 2);
	}

	StoredEvent last(String type) {
		List<StoredEvent> events = this.stores.events().stream().filter((event) -> event.type().equals(type)).toList();
		return events.get(events.size() - 1);
	}

	boolean settle(Outcome outcome) {
		return this.stores.attempts.settle(List.of(outcome), NOW).get(0);
	}

	List<String> events(Claim.Taken run) {
		return this.stores.events()
			.stream()
			.filter((event) -> event.subject().equals(run.lease().jobId()))
			.map(StoredEvent::type)
			.toList();
	}

}
