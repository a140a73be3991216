package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.ojs.client.OjsOperations;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.OverlapPolicy;
import io.ojs.cron.internal.CronFiring;
import io.ojs.cron.internal.CronScheduler;
import io.ojs.cron.internal.CronStore;
import io.ojs.cron.internal.StoreCronJobs;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.StoreTransactions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Crons that several instances fire, and some of these do not come to the end.
 */
abstract class CronsTogetherContract extends CronsOnStore {

	private static final int CRONS = 4;

	private static final int MINUTES = 50;

	@Test
	void threeSchedulersFireEachTimeOnce() {
		for (int i = 0; i < CRONS; i++) {
			register("gate-" + i, (cron) -> cron.overlap(OverlapPolicy.ALLOW));
		}
		List<CronScheduler> schedulers = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			CronFiring own = firing(this.store, this.stores.transactions, this.ojs);
			schedulers.add(scheduler(this.store, own, crons(this.store, own)));
		}
		try {
			schedulers.forEach((scheduler) -> scheduler.start("test", List.of()));
			for (int i = 0; i < MINUTES; i++) {
				this.clock.move(MINUTE);
				await().atMost(Duration.ofSeconds(20))
					.pollInterval(Duration.ofMillis(5))
					.until(() -> this.store.nextAt(Set.of()).orElseThrow().isAfter(this.clock.instant()));
			}
		}
		finally {
			schedulers.forEach(CronScheduler::close);
		}
		Set<String> firings = new HashSet<>();
		List<Job> jobs = jobs();
		jobs.forEach((job) -> firings.add(job.meta().get(CronFiring.META_NAME) + " " + triggeredAt(job)));
		assertThat(jobs).hasSize(CRONS * MINUTES);
		assertThat(firings).hasSize(CRONS * MINUTES);
		assertThat(this.crons.list()).extracting(CronJob::runCount).containsOnly((long) MINUTES);
		assertThat(this.told).hasSize(CRONS * MINUTES);
	}

	/** Whoever dies has its transaction rolled back. */
	@Test
	void oneThatDiesAtAnyStepCostsNoFiring() {
		int steps = 0;
		boolean died;
		do {
			steps++;
			this.stores.clear();
			register("gate", (cron) -> cron.overlap(OverlapPolicy.CANCEL_PREVIOUS));
			minute();
			this.clock.move(MINUTE);
			died = dies(steps);
			this.scheduler.fire();
			assertThat(jobs()).as("step %d", steps).hasSize(2);
			assertThat(this.crons.runs("gate", 5)).as("step %d", steps)
				.extracting(CronRun::outcome)
				.containsExactly(CronRun.Outcome.TRIGGERED, CronRun.Outcome.TRIGGERED);
			assertThat(this.crons.find("gate").orElseThrow().runCount()).isEqualTo(2);
		}
		while (died);
		assertThat(steps).isGreaterThan(8);
	}

	/** Lets a scheduler die before or after one of the steps that it takes. */
	private boolean dies(int step) {
		AtomicInteger left = new AtomicInteger(step);
		CronStore store = dying(CronStore.class, this.store, left);
		CronFiring own = firing(store, new StoreTransactions() {

			@Override
			public <T> T inTransaction(Supplier<T> work) {
				return CronsTogetherContract.this.stores.transactions.inTransaction(() -> {
					T result = work.get();
					step(left);
					return result;
				});
			}

			@Override
			public void afterCommit(Runnable action) {
				CronsTogetherContract.this.stores.transactions.afterCommit(action);
			}

			@Override
			public boolean isActive() {
				return CronsTogetherContract.this.stores.transactions.isActive();
			}

		}, dying(OjsOperations.class, this.ojs, left));
		CronScheduler scheduler = scheduler(store, own, this.crons);
		try {
			scheduler.fire();
			return false;
		}
		catch (StoreUnavailableException ex) {
			return true;
		}
	}

	@SuppressWarnings("unchecked")
	private static <T> T dying(Class<T> type, T target, AtomicInteger left) {
		return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, args) -> {
			step(left);
			try {
				Object result = method.invoke(target, args);
				step(left);
				return result;
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		});
	}

	private static void step(AtomicInteger left) {
		if (left.decrementAndGet() == 0) {
			throw new StoreUnavailableException("The test has it die here.", null);
		}
	}

	@Test
	void oneThatCannotBeFiredHoldsUpNoOther() {
		register("a", (cron) -> cron);
		register("b", (cron) -> cron);
		this.clock.move(MINUTE);
		OjsOperations broken = (OjsOperations) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OjsOperations.class }, (proxy, method, args) -> {
					if (args[0].toString().contains("[a]")) {
						throw new IllegalStateException("Not a");
					}
					return method.invoke(this.ojs, args);
				});
		CronScheduler scheduler = scheduler(this.store, firing(this.store, this.stores.transactions, broken),
				this.crons);
		assertThat(scheduler.fire()).isLessThan(MINUTE);
		assertThat(jobs()).extracting((job) -> job.args().get(0)).containsExactly("b");
		this.scheduler.fire();
		assertThat(jobs()).hasSize(2);
	}

	@Test
	void whoeverTriggersAtTheSameTimeIsCounted() throws Exception {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ALLOW));
		Threads.together(4, (thread) -> {
			for (int i = 0; i < 5; i++) {
				this.crons.trigger("gate");
			}
		});
		assertThat(this.crons.runs("gate", 100)).hasSize(20);
		assertThat(this.crons.find("gate").orElseThrow().runCount()).isEqualTo(20);
	}

	@Test
	void schedulerThatSleepsIsWokenByWhatIsRegisteredWhenThatIsCommitted() {
		AtomicInteger rounds = new AtomicInteger();
		CronStore watched = (CronStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { CronStore.class }, (proxy, method, args) -> {
					rounds.addAndGet(method.getName().equals("nextAt") ? 1 : 0);
					return method.invoke(this.store, args);
				});
		StoreCronJobs own = crons(this.store, this.firing);
		try (CronScheduler scheduler = new CronScheduler(watched, this.firing, own, this.clock, Duration.ofHours(1))) {
			scheduler.start("test", List.of());
			await().during(Duration.ofMillis(200)).until(() -> rounds.getAndSet(0) == 0);
			this.stores.users().executeWithoutResult((status) -> {
				own.register(CronRequest.of("gate", "@every 1s", JobRequest.of("gate.open", "gate").queue("gate")));
				await().during(Duration.ofMillis(200)).until(() -> rounds.get() == 0);
			});
			await().until(() -> rounds.get() > 0);
			this.clock.move(MINUTE);
			// It sleeps until then, and no longer.
			await().until(() -> jobs().size() == 1);
		}
	}

	@Test
	void runThatWaitsIsReleasedSoonAfterTheOneBeforeItHasEnded() {
		register("gate", (cron) -> cron.overlap(OverlapPolicy.ENQUEUE));
		minute();
		minute();
		try (CronScheduler scheduler = new CronScheduler(this.store, this.firing, this.crons, this.clock,
				Duration.ofHours(1))) {
			scheduler.start("test", List.of());
			complete(jobs().get(0));
			await().until(() -> states().equals(List.of(JobState.COMPLETED, JobState.AVAILABLE)));
		}
	}

	@Test
	void whatIsDeclaredWhileTheDatabaseIsAwayIsRegisteredAfterwards() {
		AtomicInteger failures = new AtomicInteger(2);
		CronStore away = (CronStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { CronStore.class }, (proxy, method, args) -> {
					if (failures.getAndDecrement() > 0) {
						throw new StoreUnavailableException("The test has it be away.", null);
					}
					return method.invoke(this.store, args);
				});
		try (CronScheduler scheduler = scheduler(away, this.firing, crons(away, this.firing))) {
			scheduler.start("house", List.of(CronRequest.of("one", "* * * * *", JobRequest.of("gate.open"))));
			assertThat(this.crons.list()).isEmpty();
			await().until(() -> this.crons.find("one").isPresent());
		}
	}

}
