package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.cron.CronEvent;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronNotFoundException;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.InvalidCronException;
import io.ojs.cron.OverlapPolicy;
import io.ojs.cron.internal.CronStore;
import io.ojs.event.StoredEvent;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniqueDimension;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What becomes of crons, one after another.
 */
abstract class CronContract extends CronsOnStore {

	@Test
	void aCronIsReadAsItWasRegistered() {
		CronRequest request = CronRequest
			.of("all.of-it", "*/5 * * * *",
					JobRequest.of("gate.open", "ä€😀", 1.5, null, Map.of("a", 12345678901L))
						.queue("gate")
						.priority(7)
						.timeout(Duration.ofSeconds(9))
						.retry((retry) -> retry.maxAttempts(4))
						.unique((unique) -> unique.keys(UniqueDimension.ARGS))
						.meta("tenant_id", "a"))
			.zone("Europe/Berlin")
			.overlap(OverlapPolicy.ENQUEUE)
			.description("ä sentence");
		CronJob cron = this.crons.register(request);
		assertThat(this.crons.find("all.of-it")).contains(cron);
		assertThat(cron.request().job().args()).hasSize(4).contains("ä€😀");
		assertThat(cron.request().job().retry()).isEqualTo(request.job().retry());
		assertThat(cron.request().job().unique()).isEqualTo(request.job().unique());
		assertThat(cron.request().job().timeout()).isEqualTo(request.job().timeout());
		assertThat(cron.request().job().meta()).isEqualTo(request.job().meta());
		assertThat(cron)
			.extracting(CronJob::enabled, CronJob::source, CronJob::createdAt, CronJob::nextRunAt, CronJob::lastRunAt,
					CronJob::lastJobId, CronJob::runCount)
			.containsExactly(true, "api", START, START.plus(MINUTE), null, null, 0L);
		assertThat(this.crons.list()).containsExactly(cron);
		assertThat(this.crons.find("none")).isEmpty();
	}

	@Test
	void changesOfACronSayWhoMadeThem() {
		this.stores.actor.set("ann");
		register("gate", (cron) -> cron);
		register("gate", (cron) -> cron);
		this.crons.disable("gate");
		this.crons.disable("gate");
		this.stores.actor.set("bob");
		this.crons.enable("gate");
		register("gate", (cron) -> cron.description("new"));
		this.crons.remove("gate");
		assertThat(this.stores.events()).extracting((event) -> event.type() + " by " + event.data().get("by"))
			.containsExactly("cron.registered by ann", "cron.disabled by ann", "cron.enabled by bob",
					"cron.updated by bob", "cron.removed by bob");
	}

	@Test
	void lastRunsOfSeveralCronsAreReadTogether() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ALLOW).enabled(false));
		register("door", (cron) -> cron.overlap(OverlapPolicy.ALLOW).enabled(false));
		register("never", (cron) -> cron.enabled(false));
		this.crons.trigger("gate");
		minute();
		this.crons.trigger("gate");
		this.crons.trigger("door");
		assertThat(this.crons.runs(List.of("gate", "door", "never", "none"), 1))
			.isEqualTo(Map.of("gate", this.crons.runs("gate", 1), "door", this.crons.runs("door", 1)));
		assertThat(this.crons.runs(List.of("gate"), 9).get("gate")).isEqualTo(this.crons.runs("gate", 9)).hasSize(2);
		CronJob gate = this.crons.enable("gate");
		assertThat(this.crons.nextRuns(gate, 3)).hasSize(3).isSorted().startsWith(gate.nextRunAt());
		assertThat(this.crons.nextRuns(this.crons.disable("gate"), 3)).isEmpty();
	}

	@Test
	void aDueCronEnqueuesItsJobAndGoesOn() {
		register("gate", (cron) -> cron);
		this.scheduler.fire();
		assertThat(jobs()).isEmpty();
		minute();
		this.scheduler.fire();
		assertThat(jobs()).singleElement().satisfies((job) -> {
			assertThat(job.type()).isEqualTo("gate.open");
			assertThat(job.args()).containsExactly("gate");
			assertThat(job.meta()).containsEntry("cron_name", "gate")
				.containsEntry("cron_triggered_at", "2030-03-01T12:01:00.000Z");
		});
		Job job = jobs().get(0);
		CronRun run = new CronRun("gate", START.plus(MINUTE), START.plus(MINUTE), CronRun.Outcome.TRIGGERED, job.id(),
				null, null);
		assertThat(this.crons.runs("gate", 10))
			.containsExactly(new CronRun("gate", START.plus(MINUTE), START.plus(MINUTE), CronRun.Outcome.TRIGGERED,
					job.id(), null, null, null, JobState.AVAILABLE, null, null));
		CronJob cron = this.crons.find("gate").orElseThrow();
		assertThat(cron).extracting(CronJob::nextRunAt, CronJob::lastRunAt, CronJob::lastJobId, CronJob::runCount)
			.containsExactly(START.plus(MINUTE.multipliedBy(2)), START.plus(MINUTE), job.id(), 1L);
		assertThat(this.told).containsExactly(new CronEvent.Triggered(cron, run));
		StoredEvent event = event("cron.triggered");
		assertThat(event.subject()).isEqualTo("gate");
		assertThat(event.data()).containsEntry("cron_name", "gate")
			.containsEntry("cron_expr", "* * * * *")
			.containsEntry("job_type", "gate.open")
			.containsEntry("job_id", job.id())
			.containsEntry("timezone", "UTC")
			.containsEntry("run_count", 1)
			.containsEntry("scheduled_at", "2030-03-01T12:01:00.000Z");
	}

	@Test
	void runsAreListedWithTheStatesOfTheirJobs() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ALLOW).enabled(false));
		for (int i = 0; i < 3; i++) {
			this.crons.trigger("gate");
			minute();
		}
		List<String> jobs = this.crons.runs("gate", 9).stream().map(CronRun::jobId).toList();
		this.stores.jobs.cancel(jobs.get(0), START.plus(MINUTE.multipliedBy(9)));
		this.stores.jdbc().update("delete from ojs_job where id = cast(? as uuid)", jobs.get(2));
		assertThat(this.crons.runs("gate", 9)).extracting(CronRun::jobState)
			.containsExactly(JobState.CANCELLED, JobState.AVAILABLE, null);
		assertThat(this.crons.runs(List.of("gate"), 9).get("gate")).isEqualTo(this.crons.runs("gate", 9));
	}

	@Test
	void runsTellWhenTheirJobsStartedAndEnded() {
		register("gate", (cron) -> cron.enabled(false));
		this.crons.trigger("gate");
		this.clock.move(Duration.ofSeconds(2));
		Claim.Taken begun = begin(jobs().get(0));
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::jobStartedAt, CronRun::jobEndedAt)
			.containsExactly(tuple(START.plusSeconds(2), null));
		this.clock.move(Duration.ofSeconds(5));
		this.stores.attempts.settle(List.of(new Outcome.Completed(begun.lease(), null)), this.clock.instant());
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::jobState, CronRun::jobStartedAt, CronRun::jobEndedAt)
			.containsExactly(tuple(JobState.COMPLETED, START.plusSeconds(2), START.plusSeconds(7)));
	}

	private StoredEvent event(String type) {
		return this.stores.events().stream().filter((event) -> event.type().equals(type)).findFirst().orElseThrow();
	}

	@Test
	void afterADowntimeItFiresOnce() {
		register("gate", (cron) -> cron);
		this.clock.move(Duration.ofMinutes(10).plusSeconds(30));
		this.scheduler.fire();
		assertThat(jobs()).singleElement()
			.satisfies((job) -> assertThat(triggeredAt(job)).isEqualTo("2030-03-01T12:01:00.000Z"));
		assertThat(this.crons.find("gate").orElseThrow().nextRunAt()).isEqualTo("2030-03-01T12:11:00Z");
		assertThat(event("cron.triggered").data()).containsEntry("scheduled_at", "2030-03-01T12:01:00.000Z")
			.containsEntry("actual_time", "2030-03-01T12:10:30.000Z");
	}

	@Test
	void stepsStayWhereTheyAre() {
		register("gate", (cron) -> CronRequest.of("gate", "@every 90s", cron.job()).overlap(OverlapPolicy.ALLOW));
		this.clock.move(Duration.ofSeconds(100));
		this.scheduler.fire();
		assertThat(nextRunAt("gate")).isEqualTo(START.plusSeconds(180));
		this.clock.move(Duration.ofSeconds(200));
		register("gate", (cron) -> CronRequest.of("gate", "@every 90s", cron.job()));
		assertThat(nextRunAt("gate")).isEqualTo(START.plusSeconds(180));
		this.scheduler.fire();
		assertThat(nextRunAt("gate")).isEqualTo(START.plusSeconds(360));
	}

	private Instant nextRunAt(String name) {
		return this.crons.find(name).orElseThrow().nextRunAt();
	}

	@ParameterizedTest
	@EnumSource(value = OverlapPolicy.class, names = { "SKIP", "ENQUEUE" })
	void aJobThatTakesLongerThanRunsAreKeptHasNoOtherBesideIt(OverlapPolicy overlap) {
		register("gate", (cron) -> cron.overlap(overlap));
		minute();
		begin(jobs().get(0));
		for (int i = 0; i < CronStore.RUNS + 5; i++) {
			minute();
		}
		assertThat(states()).containsOnlyOnce(JobState.ACTIVE).doesNotContain(JobState.AVAILABLE);
		assertThat(this.crons.runs("gate", 1000)).hasSizeGreaterThanOrEqualTo(CronStore.RUNS);
	}

	@Test
	void whatOverlapsIsSkipped() {
		register("gate", (cron) -> cron);
		minute();
		Job first = jobs().get(0);
		minute();
		begin(first);
		minute();
		assertThat(jobs()).hasSize(1);
		assertThat(this.crons.runs("gate", 2)).allSatisfy((run) -> {
			assertThat(run.outcome()).isEqualTo(CronRun.Outcome.SKIPPED);
			assertThat(run.reason()).isEqualTo("overlap_skip");
			assertThat(run.jobId()).isEqualTo(first.id());
		});
		assertThat(event("cron.skipped").data()).containsEntry("reason", "overlap_skip")
			.containsEntry("existing_job_id", first.id());
		this.ojs.cancel(first.id());
		minute();
		assertThat(states()).containsExactly(JobState.CANCELLED, JobState.AVAILABLE);
		assertThat(this.crons.find("gate").orElseThrow().runCount()).isEqualTo(2);
	}

	@Test
	void whatOverlapsMayBeAllowed() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.fromWire("queue")));
		minute();
		minute();
		assertThat(states()).containsExactly(JobState.AVAILABLE, JobState.AVAILABLE);
	}

	@Test
	void whatWasBeforeMayBeCancelled() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.fromWire("replace"))
			.job(cron.job().unique((unique) -> unique.keys(UniqueDimension.ARGS))));
		minute();
		minute();
		begin(jobs().get(1));
		minute();
		assertThat(states()).containsExactly(JobState.CANCELLED, JobState.CANCELLED, JobState.AVAILABLE);
	}

	@Test
	void whatOverlapsMayWaitForItsTurn() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ENQUEUE));
		minute();
		minute();
		minute();
		assertThat(states()).containsExactly(JobState.AVAILABLE, JobState.PENDING, JobState.PENDING);
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::outcome).containsExactly(CronRun.Outcome.WAITING);
		this.scheduler.fire();
		assertThat(states()).containsExactly(JobState.AVAILABLE, JobState.PENDING, JobState.PENDING);
		complete(jobs().get(0));
		this.scheduler.fire();
		assertThat(states()).containsExactly(JobState.COMPLETED, JobState.AVAILABLE, JobState.PENDING);
		// Nobody waits for one that was cancelled.
		this.ojs.cancel(jobs().get(1).id());
		this.scheduler.fire();
		assertThat(states()).containsExactly(JobState.COMPLETED, JobState.CANCELLED, JobState.AVAILABLE);
		assertThat(this.crons.runs("gate", 9)).extracting(CronRun::outcome).containsOnly(CronRun.Outcome.TRIGGERED);
	}

	@Test
	void whatWaitsIsReleasedWhenItsCronIsRemoved() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ENQUEUE));
		minute();
		minute();
		this.crons.remove("gate");
		assertThat(states()).containsExactly(JobState.AVAILABLE, JobState.AVAILABLE);
		assertThat(this.crons.runs("gate", 9)).isEmpty();
		this.scheduler.fire();
		assertThat(this.store.hasWaiting()).isFalse();
	}

	@Test
	void whatIsRefusedIsSkippedAndTheCronGoesOn() {
		JobRequest request = JobRequest.of("gate.open", "gate")
			.queue("gate")
			.unique((unique) -> unique.keys(UniqueDimension.ARGS));
		Job other = this.ojs.enqueue(request);
		register("gate", (cron) -> cron.job(request));
		minute();
		assertThat(this.crons.runs("gate", 1)).singleElement().satisfies((run) -> {
			assertThat(run.outcome()).isEqualTo(CronRun.Outcome.SKIPPED);
			assertThat(run.reason()).isEqualTo("duplicate");
			assertThat(run.jobId()).isEqualTo(other.id());
			assertThat(run.detail()).contains(other.id());
		});
		assertThat(jobs()).hasSize(1);
		register("gate", (cron) -> cron.job(request.unique((unique) -> unique.onConflict(OnConflict.IGNORE))));
		minute();
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::reason, CronRun::jobId)
			.containsExactly(tuple("duplicate", other.id()));
		this.ojs.cancel(other.id());
		minute();
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::outcome).containsExactly(CronRun.Outcome.TRIGGERED);
		assertThat(this.crons.runs("gate", 9)).hasSize(3);
	}

	@Test
	void aCronIsSwitchedOffAndOn() {
		register("gate", (cron) -> cron);
		assertThat(this.crons.disable("gate")).extracting(CronJob::enabled, CronJob::nextRunAt)
			.containsExactly(false, null);
		minute();
		minute();
		assertThat(jobs()).isEmpty();
		assertThat(this.crons.enable("gate").nextRunAt()).isEqualTo(START.plus(MINUTE.multipliedBy(3)));
		minute();
		assertThat(jobs()).hasSize(1);
		register("gate", (cron) -> cron.enabled(false));
		assertThat(nextRunAt("gate")).isNull();
	}

	@Test
	void aCronIsTriggeredByHand() {
		this.stores.actor.set("ann");
		register("gate", (cron) -> cron.enabled(false));
		CronRun run = this.crons.trigger("gate");
		assertThat(jobs()).extracting(Job::id).containsExactly(run.jobId());
		assertThat(nextRunAt("gate")).isNull();
		assertThat(this.crons.trigger("gate").reason()).isEqualTo("overlap_skip");
		assertThat(this.crons.runs("gate", 5)).hasSize(2);
		this.crons.enable("gate");
		this.ojs.cancel(run.jobId());
		minute();
		assertThat(this.crons.runs("gate", 5)).extracting(CronRun::triggeredBy).containsExactly(null, "ann", "ann");
	}

	@Test
	void whatThereIsNotIsSaid() {
		assertThatExceptionOfType(CronNotFoundException.class).isThrownBy(() -> this.crons.remove("no\nne"))
			.withMessageContaining("\"no\\nne\"");
		assertThatExceptionOfType(CronNotFoundException.class).isThrownBy(() -> this.crons.enable("none"));
		assertThatExceptionOfType(CronNotFoundException.class).isThrownBy(() -> this.crons.disable("none"));
		assertThatExceptionOfType(CronNotFoundException.class).isThrownBy(() -> this.crons.trigger("none"));
	}

	@Test
	void whatBreaksARuleIsRefused() {
		assertThatExceptionOfType(InvalidCronException.class).isThrownBy(() -> register("Gate", (cron) -> cron))
			.withMessageContaining("'name'");
		assertThatExceptionOfType(InvalidCronException.class)
			.isThrownBy(() -> register("gate", (cron) -> cron.zone("EST")))
			.withMessageContaining("'timezone'");
		assertThatExceptionOfType(InvalidCronException.class).isThrownBy(() -> OverlapPolicy.fromWire("never"))
			.withMessageContaining("'overlap_policy'");
		assertThatExceptionOfType(InvalidCronException.class)
			.isThrownBy(() -> register("g".repeat(CronJobs.MAX_NAME_LENGTH + 1), (cron) -> cron))
			.withMessageContaining("'name'");
		for (String description : List.of("d".repeat(1001), "nul\0")) {
			assertThatExceptionOfType(InvalidCronException.class)
				.isThrownBy(() -> register("gate", (cron) -> cron.description(description)))
				.withMessageContaining("'description'");
		}
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> register("gate", (cron) -> cron.job(cron.job().id(this.stores.id()))))
			.withMessageContaining("'id'");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> register("gate", (cron) -> cron.job(cron.job().expiresAt(START))))
			.withMessageContaining("'expires_at'");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> register("gate", (cron) -> cron.job(JobRequest.of("No Type"))))
			.withMessageContaining("'type'");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> register("gate", (cron) -> cron.job(cron.job().scheduledAt(START))))
			.withMessageContaining("'scheduled_at'");
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> register("gate", (cron) -> cron.job(cron.job().pending())))
			.withMessageContaining("'pending'");
		assertThat(this.crons.list()).isEmpty();
	}

	@Test
	void anApplicationHasWhatItDeclares() {
		CronRequest one = CronRequest.of("one", "* * * * *", JobRequest.of("gate.open", 1.5));
		CronRequest two = CronRequest.of("two", "* * * * *", JobRequest.of("gate.open"));
		register("of-api", (cron) -> cron);
		this.crons.declare("house", List.of(one, two));
		this.crons.declare("garden", List.of(CronRequest.of("three", "* * * * *", JobRequest.of("gate.open"))));
		this.crons.disable("one");
		this.crons.declare("house", List.of(one));
		assertThat(this.crons.list()).extracting(CronJob::name).containsExactly("of-api", "one", "three");
		assertThat(this.crons.find("one").orElseThrow().enabled()).isFalse();
		this.crons.declare("house", List.of(one.zone("Europe/Berlin")));
		assertThat(this.crons.find("one")).map(CronJob::enabled).contains(true);
		this.crons.declare("house", List.of());
		assertThat(this.crons.list()).extracting(CronJob::name).containsExactly("of-api", "three");
	}

	@Test
	void aRestartKeepsWhatIsDue() {
		CronRequest one = CronRequest.of("one", "* * * * *", JobRequest.of("gate.open").queue("gate"));
		this.crons.declare("house", List.of(one));
		this.clock.move(Duration.ofSeconds(90));
		this.crons.declare("house", List.of(one.description("changed")));
		this.scheduler.fire();
		assertThat(jobs()).hasSize(1);
	}

	@Test
	void onlyTheLastRunsAreKept() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ALLOW));
		for (int i = 0; i < CronStore.RUNS + 3; i++) {
			minute();
		}
		List<CronRun> runs = this.crons.runs("gate", 1000);
		assertThat(runs).hasSize(CronStore.RUNS);
		assertThat(runs.get(0).scheduledAt()).isEqualTo(this.clock.instant());
	}

	@Test
	void whatIsRegisteredIsPartOfTheCallersTransaction() {
		this.stores.users().executeWithoutResult((status) -> {
			register("gate", (cron) -> cron);
			status.setRollbackOnly();
		});
		assertThat(this.crons.find("gate")).isEqualTo(Optional.empty());
	}

}
