package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.internal.ReplayDecision;
import io.ojs.event.internal.Transition;
import io.ojs.internal.inspect.JobTimeline;
import io.ojs.internal.inspect.TimelineEntry;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.jdbc.internal.inspect.JdbcInspectionStore;
import io.ojs.job.JobError;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What has happened to a job.
 */
abstract class TimelineContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private final JdbcInspectionStore inspection = new JdbcInspectionStore(this.stores.database);

	private JobTimeline timeline(EncodedJob job) {
		return JobTimeline.of(this.inspection.history(job.job().id(), null).orElseThrow(), true);
	}

	private static List<String> kinds(JobTimeline timeline) {
		return timeline.entries().stream().map((entry) -> entry.kind().wireName()).toList();
	}

	private static TimelineEntry the(TimelineEntry.Kind kind, JobTimeline timeline) {
		return timeline.entries().stream().filter((entry) -> entry.kind() == kind).findFirst().orElseThrow();
	}

	private Claim.Taken taken(EncodedJob job, int second) {
		return (Claim.Taken) this.stores.claim(job, NOW.plusSeconds(second));
	}

	private static JobError error(int second, int attempt) {
		return new JobError("io.ojs.TestException", JobError.HANDLER_ERROR, "no luck", attempt,
				TestStores.time(NOW.plusSeconds(second)), List.of("at home"), Map.of());
	}

	private void retry(Claim.Taken run, int second, int attempt) {
		this.stores.attempts.settle(List.of(new Outcome.Retried(run.lease(), error(second, attempt),
				NOW.plusSeconds(second + 60), NOW.plusSeconds(second + 90))), NOW.plusSeconds(second));
	}

	@Test
	void attemptsAreInOrderWithTheirTimes() {
		EncodedJob job = this.stores.available();
		retry(taken(job, 100), 105, 1);
		this.stores.attempts.settle(List.of(new Outcome.Completed(taken(job, 170).lease(), null)),
				NOW.plusSeconds(190));

		JobTimeline timeline = timeline(job);

		assertThat(kinds(timeline)).containsExactly("created", "started", "failed", "retry_scheduled", "started",
				"completed");
		assertThat(timeline.isComplete()).isTrue();
		TimelineEntry first = the(TimelineEntry.Kind.STARTED, timeline);
		assertThat(first.at()).isEqualTo(NOW.plusSeconds(100));
		assertThat(first.attempt()).isOne();
		assertThat(first.more()).containsEntry("worker", "worker-1").containsEntry("wait_ms", 100_000L);
		TimelineEntry failed = the(TimelineEntry.Kind.FAILED, timeline);
		assertThat(failed.more()).containsEntry("run_ms", 5000L);
		assertThat(failed.more().get("error")).asString().contains("no luck", "io.ojs.TestException");
		assertThat(the(TimelineEntry.Kind.RETRY_SCHEDULED, timeline).more()).containsKey("next_at");
		TimelineEntry second = timeline.entries().get(4);
		assertThat(second.attempt()).isEqualTo(2);
		assertThat(second.more()).as("since it was due").containsEntry("wait_ms", 5000L);
		assertThat(the(TimelineEntry.Kind.COMPLETED, timeline).more()).containsEntry("run_ms", 20_000L);
	}

	@Test
	void startsOfEarlierAttemptsAreFoundByHowLongTheyRan() {
		EncodedJob job = this.stores.keep(this.stores.encoded(this.stores.id(), 10, (fields) -> fields),
				NOW.plusSeconds(10));
		for (int attempt = 1; attempt <= 4; attempt++) {
			retry(taken(job, attempt * 1000), attempt * 1000 + 500, attempt);
		}
		JobTimeline timeline = timeline(job);
		assertThat(timeline.entries()).filteredOn((entry) -> entry.kind() == TimelineEntry.Kind.STARTED)
			.extracting(TimelineEntry::attempt)
			.containsExactly(1, 2, 3, 4);
		assertThat(timeline.isComplete()).isTrue();
	}

	@Test
	void withoutEventsTheRowTellsWhatItKnows() {
		EncodedJob job = this.stores.available();
		retry(taken(job, 100), 105, 1);
		taken(job, 170);
		this.stores.jdbc().update("delete from ojs_event");
		JobTimeline timeline = timeline(job);
		assertThat(kinds(timeline)).containsExactly("created", "failed", "started");
		assertThat(timeline.isComplete()).isFalse();
		assertThat(the(TimelineEntry.Kind.FAILED, timeline).more().get("error")).asString().contains("no luck");
		assertThat(the(TimelineEntry.Kind.STARTED, timeline).attempt()).isEqualTo(2);
	}

	@Test
	void lostLeaseIsNoFailureOfTheHandler() {
		EncodedJob job = this.stores.available();
		taken(job, 0);
		this.stores.attempts.reap(NOW.plusSeconds(31), 10);
		JobTimeline timeline = timeline(job);
		assertThat(kinds(timeline)).containsExactly("created", "started", "lease_lost");
		assertThat(the(TimelineEntry.Kind.LEASE_LOST, timeline).attempt()).isOne();
		assertThat(timeline.isComplete()).isTrue();
	}

	@Test
	void cancellationAndDeadLetterSayWhoChangedThem() {
		this.stores.actor.set("ann");
		EncodedJob cancelled = this.stores.available();
		this.stores.jobs.cancel(cancelled.job().id(), NOW.plusSeconds(3));
		TimelineEntry cancel = the(TimelineEntry.Kind.CANCELLED, timeline(cancelled));
		assertThat(cancel.more()).containsEntry("by", "ann");
		assertThat(timeline(cancelled).isComplete()).isTrue();

		EncodedJob dead = this.stores.available();
		fail(dead, 10);
		assertThat(kinds(timeline(dead))).containsExactly("created", "started", "failed", "dead_lettered");
		replay(dead, 100);
		JobTimeline replayed = timeline(dead);
		assertThat(kinds(replayed)).containsExactly("created", "started", "failed", "dead_lettered", "replayed");
		assertThat(the(TimelineEntry.Kind.REPLAYED, replayed).more()).containsEntry("by", "ann");
		assertThat(replayed.isComplete()).isTrue();
		taken(dead, 150);
		assertThat(kinds(timeline(dead))).endsWith("replayed", "started");
		assertThat(timeline(dead).isComplete()).isTrue();
	}

	@Test
	void everyReplayIsInTheHistory() {
		this.stores.actor.set("ann");
		EncodedJob job = this.stores.available();
		int second = 0;
		for (int replays = 0; replays < 3; replays++) {
			fail(job, second + 10);
			// The job waits long for its replay, and its worker for the job.
			replay(job, second + 1000);
			second += 2000;
		}
		JobTimeline timeline = timeline(job);
		assertThat(kinds(timeline)).containsExactly("created", "started", "failed", "dead_lettered", "replayed",
				"started", "failed", "dead_lettered", "replayed", "started", "failed", "dead_lettered", "replayed");
		assertThat(timeline.entries()).filteredOn((entry) -> entry.kind() == TimelineEntry.Kind.REPLAYED)
			.extracting(TimelineEntry::at, (entry) -> entry.more().get("by"))
			.containsExactly(tuple(NOW.plusSeconds(1000), "ann"), tuple(NOW.plusSeconds(3000), "ann"),
					tuple(NOW.plusSeconds(5000), "ann"));
		assertThat(timeline.isComplete()).isTrue();

		this.stores.jdbc().update("delete from ojs_event");
		timeline = timeline(job);
		assertThat(kinds(timeline)).containsExactly("created", "failed", "replayed", "failed", "replayed", "failed",
				"replayed");
		assertThat(timeline.isComplete()).isFalse();
	}

	@Test
	void rowKnowsTheTimesOfTheLastTenReplays() {
		EncodedJob job = this.stores.available();
		for (int replays = 0; replays < 12; replays++) {
			fail(job, replays * 100 + 10);
			replay(job, replays * 100 + 50);
		}
		JobTimeline timeline = timeline(job);
		assertThat(timeline.entries()).filteredOn((entry) -> entry.kind() == TimelineEntry.Kind.REPLAYED)
			.extracting(TimelineEntry::at)
			.startsWith(NOW.plusSeconds(250))
			.endsWith(NOW.plusSeconds(1150))
			.hasSize(10);
		assertThat(timeline.isComplete()).isFalse();
	}

	private void fail(EncodedJob job, int second) {
		this.stores.attempts.settle(
				List.of(new Outcome.Discarded(taken(job, second - 5).lease(), error(second, 1), Transition.EXHAUST)),
				NOW.plusSeconds(second));
	}

	private void replay(EncodedJob job, int second) {
		new JdbcDeadLetterStore(this.stores.database).replay(DeadLetterFilter.ANY, null, 10, NOW.plusSeconds(second),
				(letter) -> new ReplayDecision.Replayed(job, NOW.plusSeconds(second)));
	}

	@Test
	void jobThatIsPublishedScheduledOrPendingSaysSo() {
		EncodedJob published = this.stores.available();
		this.stores.relay.published("mail", TestStores.until(TestStores.LATER, List.of(published.job().id())),
				NOW.plusSeconds(1));
		assertThat(kinds(timeline(published))).containsExactly("created", "published");

		EncodedJob scheduled = this.stores.scheduled(NOW.plusSeconds(60));
		assertThat(kinds(timeline(scheduled))).containsExactly("created", "scheduled");
		this.stores.relay.take(NOW.plusSeconds(61), NOW.plusSeconds(90), 10);
		assertThat(kinds(timeline(scheduled))).containsExactly("created", "scheduled", "available");
		assertThat(timeline(scheduled).isComplete()).isTrue();

		EncodedJob pending = this.stores.pending();
		assertThat(kinds(timeline(pending))).containsExactly("created");
		assertThat(timeline(pending).isComplete()).isTrue();
		this.stores.jobs.activate(pending.job().id(), NOW.plusSeconds(300), NOW.plusSeconds(300));
		assertThat(kinds(timeline(pending))).containsExactly("created", "available");
		assertThat(timeline(pending).isComplete()).isTrue();
	}

	@Test
	void expiredJobWasDiscarded() {
		EncodedJob job = this.stores
			.keep(this.stores.encoded((fields) -> fields.expiresAt(TestStores.time(NOW.plusSeconds(5)))), NOW);
		this.stores.relay.take(NOW.plusSeconds(6), NOW.plusSeconds(30), 10);
		JobTimeline timeline = timeline(job);
		assertThat(kinds(timeline)).containsExactly("created", "discarded", "dead_lettered");
		assertThat(the(TimelineEntry.Kind.DISCARDED, timeline).more().get("error")).asString().contains("JOB_EXPIRED");
		assertThat(timeline.isComplete()).isTrue();
	}

	@Test
	void eventsOfOtherJobsInTheSameRowsAreLeftOut() {
		List<EncodedJob> jobs = IntStream.range(0, 20).mapToObj((i) -> this.stores.encoded((job) -> job)).toList();
		this.stores.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, TestStores.LATER)).toList());
		assertThat(kinds(timeline(jobs.get(7)))).containsExactly("created");
	}

	@Test
	void tenantsSeeTheirOwnJobsAndNoWorkers() {
		EncodedJob job = this.stores.keep(this.stores.encoded((fields) -> fields.meta(Map.of("tenant_id", "acme"))),
				TestStores.LATER);
		taken(job, 1);
		String id = job.job().id();
		assertThat(this.inspection.history(id, "rival")).isEmpty();
		assertThat(JobTimeline.of(this.inspection.history(id, "acme").orElseThrow(), false).entries().toString())
			.contains("STARTED")
			.doesNotContain("worker-1");
	}

}
