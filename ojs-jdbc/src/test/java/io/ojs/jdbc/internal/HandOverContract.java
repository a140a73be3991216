package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.ojs.client.UnsupportedJobException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.deadletter.internal.Recorded;
import io.ojs.event.JobEvent;
import io.ojs.internal.worker.FetchRequest;
import io.ojs.internal.worker.Heartbeat;
import io.ojs.internal.worker.InvalidWorkerRequestException;
import io.ojs.internal.worker.RunReference;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.jdbc.internal.handover.JdbcHandOverStore;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.JobState;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.HandOverRelayStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Jobs of a queue whose workers are not this library's.
 */
abstract class HandOverContract extends RemoteWorkersOnStore {

	private static final Instant NOW = TestStores.NOW;

	private static final Instant MUCH_LATER = NOW.plus(Duration.ofDays(30));

	private final HandOverRelayStore relay = new HandOverRelayStore(this.stores.relay,
			new JdbcHandOverStore(this.stores.database), this.stores.handOver);

	private EncodedJob job() {
		return job(Map.of());
	}

	private EncodedJob job(Map<String, Object> meta) {
		return this.stores.keep(
				this.stores
					.encodedAs(this.stores.encoded((job) -> job).job().toBuilder().queue("foreign").meta(meta).build()),
				TestStores.LATER);
	}

	private EncodedJob handedOver() {
		return handedOver(Map.of());
	}

	private EncodedJob handedOver(Map<String, Object> meta) {
		EncodedJob job = job(meta);
		this.relay.published("foreign", Map.of(job.job().id(), TestStores.LATER), NOW);
		assertThat(this.stores.state(job)).isEqualTo(JobState.HANDED_OVER);
		return job;
	}

	@Test
	void whatRunsIsNotHandedOverByALateNote() {
		EncodedJob job = job();
		this.stores.taken(job, NOW);
		this.relay.published("foreign", Map.of(job.job().id(), TestStores.LATER), NOW);
		assertThat(this.stores.state(job)).isEqualTo(JobState.ACTIVE);
	}

	@Test
	void whatTheBrokerHasConfirmedIsHandedOver() {
		EncodedJob direct = handedOver();
		EncodedJob relayed = job();
		Instant until = TestStores.LATER.plusSeconds(30);
		assertThat(this.relay.take(TestStores.LATER, until, 10).jobs()).hasSize(1);
		this.relay.published("foreign", Map.of(relayed.job().id(), until), NOW);
		for (EncodedJob job : List.of(relayed, direct)) {
			assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.handed_over");
			assertThat(this.stores.find(job).described().extensions()).containsKey("handed_over_at");
			assertThat(this.stores.find(job).json()).containsEntry("state", "handed_over")
				.containsKey("handed_over_at")
				.doesNotContainKey("completed_at");
		}
		assertThat(this.events).hasSize(2).allMatch(JobEvent.HandedOver.class::isInstance);
		assertThat(this.relay.take(MUCH_LATER, MUCH_LATER, 10).jobs()).isEmpty();
		assertThat(this.relay.atBroker(MUCH_LATER)).isEmpty();
		assertThatExceptionOfType(IllegalStateTransitionException.class)
			.isThrownBy(() -> this.stores.jobs.cancel(relayed.job().id(), NOW));
		assertThat(this.stores.retention.prune(NOW.plus(TestStores.RETENTION.completed()).minusSeconds(1), 10))
			.isZero();
		assertThat(this.stores.retention.prune(MUCH_LATER, 10)).isEqualTo(2);
	}

	@Test
	void whatIsToBePublishedAgainIsNotHandedOverByALateNote() {
		EncodedJob job = job();
		Claim.Taken run = this.stores.taken(job, NOW);
		Instant again = TestStores.LATER.plusSeconds(10);
		this.stores.attempts.settle(List.of(new Outcome.Released(run.lease(), again)), NOW);
		this.relay.published("foreign", Map.of(job.job().id(), TestStores.LATER), NOW);
		assertThat(this.stores.state(job)).isEqualTo(JobState.AVAILABLE);
		assertThat(this.relay.take(again, MUCH_LATER, 10).jobs()).hasSize(1);
	}

	@Test
	void lockedRowHoldsUpNoOtherJob() {
		EncodedJob locked = job();
		EncodedJob free = job();
		this.stores.users().executeWithoutResult((status) -> {
			lock(locked);
			Threads.apart(() -> {
				this.relay.published("foreign",
						TestStores.until(TestStores.LATER, List.of(locked.job().id(), free.job().id())), NOW);
				return true;
			});
			assertThat(Threads.apart(() -> this.stores.state(free))).isEqualTo(JobState.HANDED_OVER);
		});
		assertThat(this.stores.state(locked)).as("the relay publishes it again").isEqualTo(JobState.AVAILABLE);
		assertThat(this.relay.take(MUCH_LATER, MUCH_LATER, 10).jobs()).singleElement()
			.satisfies((again) -> assertThat(again.id()).isEqualTo(locked.job().id()));
	}

	@Test
	void whatWasPublishedBeforeIsHandedOverToo() {
		EncodedJob noted = job();
		this.stores.relay.published("foreign", Map.of(noted.job().id(), TestStores.LATER), NOW);
		EncodedJob givenUp = job();
		this.stores.relay.published("foreign", Map.of(givenUp.job().id(), TestStores.LATER), NOW);
		assertThat(this.stores.relay.giveUp("foreign", NOW.plusSeconds(1), 1)).isOne();
		EncodedJob waiting = job();
		this.relay.handOverPublished(NOW);
		assertThat(this.stores.state(noted)).isEqualTo(JobState.HANDED_OVER);
		assertThat(this.stores.state(givenUp)).isEqualTo(JobState.HANDED_OVER);
		assertThat(this.stores.state(waiting)).isEqualTo(JobState.AVAILABLE);
	}

	@Test
	void whatIsGivenUpIsNotMissedAndNotPublishedAgain() {
		EncodedJob job = this.stores.available();
		this.stores.relay.published("mail", Map.of(job.job().id(), TestStores.LATER), NOW);
		assertThat(this.stores.relay.giveUp("mail", NOW, 10)).isZero();
		assertThat(this.stores.relay.giveUp("mail", NOW.plusSeconds(1), 10)).isOne();
		assertThat(this.stores.relay.atBroker(MUCH_LATER)).isEmpty();
		assertThat(this.stores.relay.publishAgain("mail", MUCH_LATER, MUCH_LATER, 10)).isZero();
		assertThat(this.stores.claim(job)).isInstanceOf(Claim.Taken.class);
	}

	@Test
	void aHeartbeatBeginsTheRunAndTheWorkerSettlesIt() {
		EncodedJob job = handedOver();
		String id = job.job().id();
		assertThat(this.workers.heartbeat(new Heartbeat("py", List.of(id))).extended()).containsExactly(id);
		assertThat(this.stores.state(job)).isEqualTo(JobState.ACTIVE);
		assertThat(this.stores.retention.prune(MUCH_LATER, 10)).isZero();
		assertThat(this.workers.heartbeat(new Heartbeat("other", List.of(id))).extended()).isEmpty();
		this.clock.now = this.clock.now.plusSeconds(1);
		assertThat(this.workers.heartbeat(new Heartbeat("py", List.of(id))).extended()).containsExactly(id);
		this.workers.ack(new RunReference(id, "py", null), Map.of("sum", 3));
		assertThat(this.stores.state(job)).isEqualTo(JobState.COMPLETED);
		assertThat(this.stores.events(job)).containsExactly("job.enqueued", "job.handed_over", "job.started",
				"job.completed");
		assertThat(names()).containsExactly("job.handed_over", "job.started", "job.completed");
	}

	@Test
	void aHeartbeatOfATenantBeginsItsOwnJobsAlone() {
		EncodedJob job = handedOver(Map.of("tenant_id", "acme"));
		EncodedJob free = handedOver();
		List<String> ids = List.of(job.job().id(), free.job().id());
		assertThat(this.workers.heartbeat(of("rival", ids)).extended()).isEmpty();
		assertThat(this.stores.state(job)).isEqualTo(JobState.HANDED_OVER);
		assertThat(this.workers.heartbeat(of("acme", ids)).extended()).containsExactly(job.job().id());
		assertThat(this.workers.heartbeat(new Heartbeat("py", ids)).extended()).containsExactly(free.job().id());
	}

	private static Heartbeat of(String tenant, List<String> ids) {
		return new Heartbeat(tenant + "~py", tenant, null, ids, null, null, List.of(), Map.of());
	}

	@Test
	void aHeartbeatWaitsForNoRowThatIsLocked() {
		EncodedJob locked = handedOver();
		EncodedJob free = handedOver();
		List<String> ids = List.of(locked.job().id(), free.job().id());
		this.stores.users().executeWithoutResult((status) -> {
			lock(locked);
			assertThat(Threads.apart(() -> this.workers.heartbeat(new Heartbeat("py", ids))).extended())
				.containsExactly(free.job().id());
		});
		assertThat(this.stores.state(locked)).isEqualTo(JobState.HANDED_OVER);
		assertThat(this.workers.heartbeat(new Heartbeat("py", ids)).extended()).isEqualTo(ids);
	}

	@Test
	void aNackHasItPublishedAgain() {
		// Quicker than the note that the broker has it.
		EncodedJob job = job();
		this.workers.nack(new RunReference(job.job().id(), "py", 1), failure(true, Map.of()));
		assertThat(this.stores.state(job)).isEqualTo(JobState.RETRYABLE);
		this.relay.published("foreign", Map.of(job.job().id(), TestStores.LATER), NOW);
		assertThat(this.stores.state(job)).isEqualTo(JobState.RETRYABLE);
		Instant due = NOW.plusSeconds(10);
		assertThat(this.relay.take(due, due.plusSeconds(30), 10).jobs()).singleElement()
			.satisfies((relayed) -> assertThat(relayed.attempt()).isEqualTo(2));
		this.relay.published("foreign", Map.of(job.job().id(), due.plusSeconds(30)), due);
		assertThat(this.stores.state(job)).isEqualTo(JobState.HANDED_OVER);
		this.workers.ack(new RunReference(job.job().id(), "py", 3), null);
		assertThat(this.stores.find(job).job().attempt()).as("as the worker says").isEqualTo(3);
	}

	@Test
	void aLeaseThatEndsGivesTheJobBackToTheBroker() {
		EncodedJob job = handedOver();
		this.workers.heartbeat(new Heartbeat("py", List.of(job.job().id())));
		assertThat(this.stores.attempts.reap(NOW.plus(Duration.ofHours(1)), 10)).hasSize(1);
		assertThat(this.stores.state(job)).isEqualTo(JobState.HANDED_OVER);
		assertThat(this.stores.find(job).job().attempt()).isZero();
		assertThat(this.relay.take(MUCH_LATER, MUCH_LATER, 10).jobs()).isEmpty();
	}

	@Test
	void aWorkerThatSharesTheStoreTakesIt() {
		EncodedJob job = handedOver();
		assertThat(this.stores.claim(job)).isInstanceOf(Claim.Taken.class);
		assertThat(this.stores.claim(job)).isInstanceOf(Claim.Duplicate.class);
	}

	@Test
	void deadLettersOfItsWorkersAreRecorded() {
		JdbcDeadLetterStore letters = new JdbcDeadLetterStore(this.stores.database);
		EncodedJob silent = handedOver();
		EncodedJob active = handedOver();
		this.workers.heartbeat(new Heartbeat("py", List.of(active.job().id())));
		for (EncodedJob job : List.of(silent, active)) {
			FoundDeadLetter found = new FoundDeadLetter("foreign", job, 2, Map.of(), TestStores.error("no luck"), null,
					"rejected", null);
			assertThat(letters.record(List.of(found), NOW)).containsExactly(Recorded.DISCARDED);
			assertThat(this.stores.find(job).deadLetteredAt()).isNotNull();
			assertThat(this.stores.find(job).job().attempt()).isEqualTo(2);
		}
	}

	@Test
	void whatCannotHoldIsRefused() {
		Admission admission = this.stores.handOver.before(Admission.OPEN);
		EncodedJob job = job();
		admission.lock(List.of(job));
		EncodedJob unique = new EncodedJob(job.job(), job.body(), 3, "key");
		assertThatExceptionOfType(UnsupportedJobException.class).isThrownBy(() -> admission.lock(List.of(unique)))
			.withMessageContaining("unique")
			.withMessageContaining("delivery=hand-over");
		EncodedJob limited = this.stores.encodedAs(
				job.job().toBuilder().extensions(Map.of("rate_limit", Map.of("key", "k", "concurrency", 1))).build());
		assertThatExceptionOfType(UnsupportedJobException.class).isThrownBy(() -> admission.lock(List.of(limited)))
			.withMessageContaining("rate_limit");
		assertThatExceptionOfType(InvalidWorkerRequestException.class).isThrownBy(
				() -> this.workers.fetch(new FetchRequest(List.of("mail", "foreign"), 1, "w", Duration.ofSeconds(30))))
			.withMessageContaining("\"foreign\"");
	}

}
