package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.OverlapPolicy;
import io.ojs.cron.internal.CronFiring;
import io.ojs.cron.internal.CronStore;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.jdbc.internal.handover.JdbcHandOverStore;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.OnLimit;
import io.ojs.job.RateLimit;
import io.ojs.job.UniqueDimension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Crons that are changed, that come late, or that meet others who do the same.
 */
abstract class CronRulesContract extends CronsOnStore {

	@Test
	void whatWasMissedIsNotMadeUpFor() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ALLOW));
		this.clock.move(Duration.ofMinutes(10).plusSeconds(30));
		this.scheduler.fire();
		assertThat(jobs()).hasSize(1);
		assertThat(this.crons.runs("gate", 20)).hasSize(1);
	}

	@Test
	void theOneThatHasBeenDueLongestIsFiredFirst() {
		register("b", (cron) -> cron);
		this.clock.move(MINUTE);
		register("a", (cron) -> cron);
		this.clock.move(MINUTE);
		this.scheduler.fire();
		assertThat(this.told).extracting((event) -> event.cron().name()).containsExactly("b", "a");
	}

	@Test
	void whatIsChangedIsKept() {
		register("gate", (cron) -> cron);
		this.clock.move(Duration.ofSeconds(5));
		CronJob changed = register("gate",
				(cron) -> CronRequest.of("gate", "@every 90s", JobRequest.of("door.shut", "other").queue("gate"))
					.zone("Europe/Berlin")
					.overlap(OverlapPolicy.ENQUEUE)
					.description("changed"));
		assertThat(this.crons.find("gate")).contains(changed);
		assertThat(changed.request().job().type()).isEqualTo("door.shut");
		assertThat(changed.createdAt()).isEqualTo(START);
		assertThat(changed.nextRunAt()).isEqualTo(START.plusSeconds(95));
	}

	@Test
	void overlapIsJudgedAsTheCronIsByNow() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ALLOW));
		minute();
		minute();
		minute();
		String last = jobs().get(2).id();
		register("gate", (cron) -> cron);
		minute();
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::jobId).containsExactly(last);
		register("gate", (cron) -> cron.overlap(OverlapPolicy.CANCEL_PREVIOUS));
		minute();
		assertThat(states()).containsExactly(JobState.CANCELLED, JobState.CANCELLED, JobState.CANCELLED,
				JobState.AVAILABLE);
	}

	@Test
	void runThatWaitsIsNotOvertaken() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ENQUEUE));
		minute();
		minute();
		complete(jobs().get(0));
		// The next one is due before anybody has seen that.
		minute();
		assertThat(states()).containsExactly(JobState.COMPLETED, JobState.AVAILABLE, JobState.PENDING);
	}

	/** Its workers are another program's, and the store does not hear of its end. */
	@Test
	void jobThatWasHandedOverHasEnded() {
		register("gate", (cron) -> cron);
		minute();
		UUID id = UUID.fromString(jobs().get(0).id());
		OffsetDateTime until = this.stores.database.jdbc()
			.queryForObject("select relay_at from ojs_job where id = ?", OffsetDateTime.class, id);
		new JdbcHandOverStore(this.stores.database).handOver(Map.of(id.toString(), until.toInstant()),
				this.clock.instant());
		minute();
		assertThat(states()).containsExactly(JobState.HANDED_OVER, JobState.AVAILABLE);
	}

	@Test
	void runThatWaitedAndWasCancelledHoldsUpNoOther() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ENQUEUE));
		minute();
		minute();
		minute();
		this.ojs.cancel(jobs().get(1).id());
		complete(jobs().get(0));
		this.scheduler.fire();
		assertThat(states()).containsExactly(JobState.COMPLETED, JobState.CANCELLED, JobState.AVAILABLE);
		assertThat(this.store.hasWaiting()).isFalse();
	}

	@Test
	void runsThatWaitAreNeverForgotten() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ENQUEUE));
		for (int i = 0; i < CronStore.RUNS + 3; i++) {
			minute();
		}
		assertThat(this.store.waiting("gate")).hasSize(CronStore.RUNS + 2);
	}

	@Test
	void jobThatTakesLongerThanManyRunsIsStillOverlapped() {
		register("gate", (cron) -> cron);
		minute();
		begin(jobs().get(0));
		for (int i = 0; i < CronStore.RUNS + 3; i++) {
			minute();
		}
		assertThat(jobs()).hasSize(1);
	}

	@Test
	void nobodyIsToldOfWhatIsRolledBack() {
		register("gate", (cron) -> cron);
		this.stores.users().executeWithoutResult((status) -> {
			this.crons.trigger("gate");
			status.setRollbackOnly();
		});
		assertThat(this.told).isEmpty();
		assertThat(this.crons.runs("gate", 5)).isEmpty();
		this.crons.trigger("gate");
		assertThat(this.told).hasSize(1);
	}

	@Test
	void switchingOnWhatIsOnKeepsWhatIsDue() {
		register("gate", (cron) -> cron);
		this.clock.move(Duration.ofSeconds(90));
		assertThat(this.crons.enable("gate").nextRunAt()).isEqualTo(START.plus(MINUTE));
		this.scheduler.fire();
		assertThat(jobs()).hasSize(1);
	}

	@Test
	void cronThatIsNotUnderstoodAnyMoreFiresNoMore() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ALLOW));
		this.stores.jdbc().update("update ojs_cron set expression = 'of another version'");
		minute();
		minute();
		assertThat(jobs()).hasSize(1);
		assertThat(this.crons.find("gate").orElseThrow().nextRunAt()).isNull();
	}

	@Test
	void jobThatEndsJustWhenItIsCancelledHoldsUpNothing() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.CANCEL_PREVIOUS));
		minute();
		this.clock.move(MINUTE);
		OjsOperations late = around(OjsOperations.class, this.ojs, "cancel", () -> complete(jobs().get(0)));
		scheduler(this.store, firing(this.store, this.stores.transactions, late), this.crons).fire();
		assertThat(states()).containsExactly(JobState.COMPLETED, JobState.AVAILABLE);
	}

	@Test
	void uniqueJobTakesThePlaceOfAnyOtherLikeIt() {
		JobRequest request = JobRequest.of("gate.open", "gate")
			.queue("gate")
			.unique((unique) -> unique.keys(UniqueDimension.ARGS));
		Job other = this.ojs.enqueue(request);
		register("gate", (cron) -> cron.job(request).overlap(OverlapPolicy.CANCEL_PREVIOUS));
		minute();
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::outcome).containsExactly(CronRun.Outcome.TRIGGERED);
		assertThat(this.ojs.find(other.id()).map(Job::state)).contains(JobState.CANCELLED);
	}

	@Test
	@Tag("EI-011")
	void whatOverlapsIsJudgedBeforeWhatIsUnique() {
		UnaryOperator<CronRequest> unique = (cron) -> cron
			.job(cron.job().unique((policy) -> policy.keys(UniqueDimension.TYPE, UniqueDimension.ARGS)));
		register("gate", unique);
		minute();
		begin(jobs().get(0));
		minute();
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::reason).containsExactly(CronRun.OVERLAP_SKIP);
		register("gate", (cron) -> unique.apply(cron).overlap(OverlapPolicy.fromWire("queue")));
		minute();
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::reason).containsExactly("duplicate");
		register("gate", (cron) -> unique.apply(cron).overlap(OverlapPolicy.fromWire("replace")));
		minute();
		assertThat(this.crons.runs("gate", 1)).extracting(CronRun::outcome).containsExactly(CronRun.Outcome.TRIGGERED);
		assertThat(states()).containsExactly(JobState.CANCELLED, JobState.AVAILABLE);
	}

	@Test
	@Tag("EI-R004")
	void skipAndRejectIsWhatNobodyHasToAskFor() {
		CronRequest request = CronRequest.of("gate", "* * * * *",
				JobRequest.of("gate.open").unique((unique) -> unique));
		assertThat(request.overlap()).isEqualTo(OverlapPolicy.SKIP);
		assertThat(request.job().unique().onConflict()).isEqualTo(OnConflict.REJECT);
	}

	@Test
	void jobHasTheRateLimitThatItWasRegisteredWith() {
		RateLimit limit = RateLimit.of("api").concurrency(1).perSecond(5).onLimit(OnLimit.RESCHEDULE);
		CronJob cron = register("gate", (request) -> request.job(request.job().rateLimit(limit)));
		assertThat(this.crons.find("gate")).contains(cron);
		minute();
		assertThat(jobs()).singleElement().satisfies((job) -> assertThat(RateLimitJson.of(job)).contains(limit));
	}

	@Test
	void timeThatAnotherHasFiredMeanwhileIsNotSkippedAsWell() {
		JobRequest request = JobRequest.of("gate.open", "gate")
			.queue("gate")
			.unique((unique) -> unique.keys(UniqueDimension.ARGS));
		Job other = this.ojs.enqueue(request);
		register("gate", (cron) -> cron.job(request));
		this.clock.move(MINUTE);
		CronStore late = around(CronStore.class, this.store, "lock", () -> {
			this.ojs.cancel(other.id());
			this.scheduler.fire();
		});
		CronFiring own = firing(late, this.stores.transactions, this.ojs);
		scheduler(late, own, this.crons).fire();
		assertThat(this.crons.runs("gate", 5)).extracting(CronRun::outcome).containsExactly(CronRun.Outcome.TRIGGERED);
	}

	@Test
	void cronThatAnotherRegistersMeanwhileIsChanged() {
		AtomicBoolean first = new AtomicBoolean(true);
		CronStore late = (CronStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { CronStore.class }, (proxy, method, args) -> {
					if (method.getName().equals("lock") && first.getAndSet(false)) {
						register("gate", (cron) -> cron.description("of the other"));
						return Optional.empty();
					}
					return method.invoke(this.store, args);
				});
		CronRequest request = CronRequest.of("gate", "* * * * *", JobRequest.of("gate.open")).description("mine");
		crons(late, firing(late, this.stores.transactions, this.ojs)).register(request);
		assertThat(this.crons.list()).extracting((cron) -> cron.request().description()).containsExactly("mine");
	}

	/** Has something happen before the first call of a method. */
	private <T> T around(Class<T> type, T target, String name, Runnable before) {
		AtomicBoolean first = new AtomicBoolean(true);
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, args) -> {
				if (method.getName().equals(name) && first.getAndSet(false)) {
					before.run();
				}
				try {
					return method.invoke(target, args);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

	@Test
	void applicationsDoNotTakeCronsOfOthersAway() {
		CronRequest one = CronRequest.of("one", "* * * * *", JobRequest.of("gate.open"));
		this.crons.declare("house", List.of(one));
		CronStore late = around(CronStore.class, this.store, "lock",
				() -> this.crons.declare("garden", List.of(one.description("of the garden"))));
		crons(late, this.firing).declare("house", List.of());
		assertThat(this.crons.find("one")).map(CronJob::source).contains("application:garden");
	}

}
