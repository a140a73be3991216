package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.deadletter.internal.Recorded;
import io.ojs.internal.fetch.Reservation;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of dead letters that were found on a broker.
 */
abstract class FoundDeadLettersContract extends DeadLetterContract {

	@Test
	void adoptsWhatItDoesNotKnow() {
		EncodedJob job = job("reports", "report.render");
		FoundDeadLetter found = new FoundDeadLetter("reports", job, 3, Map.of("traceparent", "00-1"), error(3), null,
				"rejected", null);
		assertThat(record(found)).containsExactly(Recorded.ADOPTED);
		StoredJob kept = this.letters.get(job.job().id()).orElseThrow();
		assertThat(kept.job().state()).isEqualTo(JobState.DISCARDED);
		assertThat(kept.job().attempt()).isEqualTo(3);
		assertThat(kept.job().args()).isEqualTo(job.job().args());
		assertThat(kept.job().errors()).containsExactly(error(3));
		assertThat(kept.deadLetteredAt()).isEqualTo(NOON);
		assertThat(kept.maxAttempts()).isEqualTo(job.maxAttempts());
		assertThat(kept.headers()).containsEntry("traceparent", "00-1");
		assertThat(events(job)).containsExactly("job.dead_lettered");
		assertThat(record(found)).containsExactly(Recorded.ENDED);
		assertThat(events(job)).hasSize(1);
		assertThat(this.stores.told(job)).as("listeners have heard it where it ended").isEmpty();
	}

	@Test
	void deadLetterOfThisStoreThatWasDeletedDoesNotComeBack() {
		EncodedJob job = job("reports", "report.render");
		assertThat(record(new FoundDeadLetter("reports", job, 3, Map.of(), error(3), null, "rejected", this.jobs.id())))
			.containsExactly(Recorded.ENDED);
		assertThat(this.letters.get(job.job().id())).isEmpty();
	}

	@Test
	void knowsOneThatComesTwiceAtOnce() {
		FoundDeadLetter found = found(job("q", "a.b"));
		assertThat(record(found, found(job("q", "a.b")), found)).containsExactly(Recorded.ADOPTED, Recorded.ADOPTED,
				Recorded.ENDED);
	}

	@Test
	void discardsWhatIsStillToBeRun() {
		EncodedJob available = insert(job("q", "a.b"));
		EncodedJob retryable = insert(job("q", "a.b"));
		Claim.Taken taken = claim(retryable);
		this.attempts.settle(
				List.of(new Outcome.Retried(taken.lease(), error(1), NOON.plusSeconds(60), NOON.plusSeconds(60))),
				NOON);
		assertThat(record(found(available), found(retryable))).containsOnly(Recorded.DISCARDED);
		for (EncodedJob job : List.of(available, retryable)) {
			assertThat(this.letters.get(job.job().id())).hasValueSatisfying((kept) -> {
				assertThat(kept.job().state()).isEqualTo(JobState.DISCARDED);
				assertThat(kept.deadLetteredAt()).isEqualTo(NOON);
			});
		}
		assertThat(this.letters.get(retryable.job().id()).orElseThrow().job().errors()).hasSize(2);
		assertThat(this.relay.nextAt()).isEmpty();
		assertThat(events(available)).endsWith("job.dead_lettered");
		assertThat(this.stores.told(available)).containsExactly("job.dead_lettered");
	}

	@Test
	void whatCannotHaveBeenTheJobLeavesItAlone() {
		EncodedJob available = insert(job("q", "a.b"));
		EncodedJob scheduled = insert(job("q", "a.b", (job) -> job.state(JobState.SCHEDULED)
			.scheduledAt(OffsetDateTime.ofInstant(NOON.plusSeconds(60), ZoneOffset.UTC))));
		EncodedJob pending = insert(job("q", "a.b", (job) -> job.state(JobState.PENDING)));
		Job job = available.job();
		List<EncodedJob> forged = List.of(scheduled, pending, encoded(job.toBuilder().args(List.of("other")).build()),
				encoded(job.toBuilder().type("a.c").build()),
				encoded(job.toBuilder()
					.createdAt(OffsetDateTime.ofInstant(NOON.minusSeconds(9), ZoneOffset.UTC))
					.build()));
		for (EncodedJob letter : forged) {
			assertThat(record(found(letter))).containsExactly(Recorded.REFUSED);
		}
		assertThat(this.letters.get(job.id())).isEmpty();
		assertThat(this.stores.jobs.find(job.id()).orElseThrow().job().state()).isEqualTo(JobState.AVAILABLE);
		assertThat(this.stores.jobs.find(scheduled.job().id()).orElseThrow().job().state())
			.isEqualTo(JobState.SCHEDULED);
		assertThat(events(available)).doesNotContain("job.dead_lettered");
		// A worker that has rewritten the envelope, and added to it.
		assertThat(record(found(encoded(job.toBuilder().attempt(1).extensions(Map.of("seen_by", "python")).build()))))
			.containsExactly(Recorded.DISCARDED);
	}

	@Test
	void jobsThatTheStoreItselfMakesAreNotAdopted() {
		EncodedJob delivery = job("ojs-webhooks", "ojs.webhook.deliver");
		assertThat(record(found(delivery))).containsExactly(Recorded.REFUSED);
		assertThat(this.stores.jobs.find(delivery.job().id())).isEmpty();
		assertThat(this.attempts.claim(
				List.of(new ClaimRequest(delivery, "ojs-webhooks", 1, Map.of(), Duration.ofSeconds(30))), "worker-1",
				NOON, true))
			.containsExactly(new Claim.Forged());
		assertThat(this.stores.jobs.find(delivery.job().id())).isEmpty();
		EncodedJob own = insert(job("ojs-webhooks", "ojs.webhook.deliver"));
		assertThat(record(found(own))).containsExactly(Recorded.DISCARDED);
	}

	private EncodedJob encoded(Job job) {
		return new EncodedJob(job, this.codec.encode(job), 3);
	}

	@Test
	void tellsWhyTheBrokerGaveItUp() {
		EncodedJob job = insert(job("q", "a.b"));
		record(new FoundDeadLetter("q", job, 1, Map.of(), null, null, "delivery_limit", null));
		StoredJob kept = this.letters.get(job.job().id()).orElseThrow();
		assertThat(kept.job().attempt()).isZero();
		assertThat(kept.job().errors()).singleElement().satisfies((error) -> {
			assertThat(error.type()).isEqualTo("dead_letter.delivery_limit");
			assertThat(error.details()).containsEntry("reason", "delivery_limit");
		});
		assertThat(this.letters.list(DeadLetterFilter.ANY.errorType("dead_letter.*"), 10).letters()).hasSize(1);
	}

	@Test
	void leavesToItsWorkerWhatRuns() {
		EncodedJob job = insert(job("q", "a.b"));
		Claim.Taken taken = claim(job);
		assertThat(record(found(job))).containsExactly(Recorded.RUNNING);
		assertThat(this.attempts.settle(List.of(new Outcome.Completed(taken.lease(), null)), NOON))
			.containsExactly(true);
		EncodedJob lost = insert(job("q", "a.b"));
		claim(lost);
		this.clock.now = NOON.plusSeconds(31);
		assertThat(record(found(lost))).containsExactly(Recorded.DISCARDED);
	}

	@Test
	void leavesToItsWorkerWhatWasFetched() {
		EncodedJob job = insert(job("q", "a.b"));
		assertThat(new JdbcFetchStore(this.stores.database).fetch(List.of("q"), 1, "w", null, HandledJobs.ALL, NOON,
				(stored) -> new Reservation(Duration.ofSeconds(30), Duration.ofMinutes(1))))
			.hasSize(1);
		this.clock.now = NOON.plusSeconds(30);
		assertThat(record(found(job))).containsExactly(Recorded.RUNNING);
		this.clock.now = NOON.plusSeconds(31);
		assertThat(record(found(job))).containsExactly(Recorded.DISCARDED);
	}

	@Test
	void leavesWhatRunsToAProcessThatIsSeen() {
		EncodedJob job = insert(job("q", "a.b"));
		Claim.Taken taken = claim(job);
		this.stores.processes.beat("worker", List.of(taken.lease()));
		this.stores.seen(NOON.plusSeconds(5));
		this.clock.now = NOON.plusSeconds(31);
		assertThat(record(found(job))).containsExactly(Recorded.RUNNING);
		this.clock.now = NOON.plusSeconds(36);
		assertThat(record(found(job))).containsExactly(Recorded.DISCARDED);
	}

	@Test
	void leavesAloneWhatHasEnded() {
		EncodedJob job = insert(job("q", "a.b"));
		this.attempts.settle(List.of(new Outcome.Completed(claim(job).lease(), 17)), NOON);
		assertThat(record(found(job))).containsExactly(Recorded.ENDED);
		assertThat(this.jobs.find(job.job().id()).orElseThrow().job().state()).isEqualTo(JobState.COMPLETED);
	}

	@Test
	void tellsMessagesOfEarlierGenerations() {
		EncodedJob job = insert(job("q", "a.b"));
		record(found(job));
		this.letters.replay(job.job().id());
		assertThat(record(found(job))).containsExactly(Recorded.OUTDATED);
		RelayedJob again = relayed(job);
		assertThat(record(found(again.encoded()))).containsExactly(Recorded.DISCARDED);
	}

	@Test
	void twoWhoFindTheSameKeepItOnce() throws Exception {
		List<EncodedJob> found = IntStream.range(0, 50).mapToObj((i) -> job("q", "a.b")).toList();
		List<List<Recorded>> both = together(2,
				() -> this.store.record(found.stream().map(this::found).toList(), NOON));
		assertThat(both.stream().flatMap(List::stream).filter((each) -> each == Recorded.ADOPTED)).hasSize(50);
		assertThat(both.stream().flatMap(List::stream).filter((each) -> each == Recorded.ENDED)).hasSize(50);
		assertThat(this.letters.stats().total()).isEqualTo(50);
	}

}
