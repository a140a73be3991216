package io.ojs.boot.it;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import javax.sql.DataSource;

import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.store.StoreException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Working jobs that a store knows, when something is in the way.
 */
abstract class StoredJobsFaultsContract extends StoredJobsFixture {

	@Test
	void connectionThatIsLostMeanwhileNeitherEndsNorRepeatsTheJob() {
		try (FaultProxy proxy = FaultProxy.to(RabbitBroker.shared());
				Application application = worker(proxy.uri(ownVirtualHost())).start()) {
			Job job = insert(application, "desk.wait");
			publish(job.id(), job.type(), "[]");
			await().until(() -> Desk.runs.contains(job.id()));
			proxy.reset();
			// The broker hands it out again, and the store says that it is being run.
			await().until(() -> client().count(JOBS) == 0 && proxy.attempts().size() > 2);
			Desk.open.countDown();
			await().until(() -> find(application, job.id()).job().state() == JobState.COMPLETED);
			await().until(() -> application.events(job.id()).contains("job.completed"));
			String last = this.ids.next();
			publish(last, "desk.add", "[1,1]");
			await().until(() -> application.events(last).contains("job.completed"));
			assertThat(Desk.runs).containsExactly(job.id(), last);
		}
		assertThat(client().count(JOBS)).isZero();
	}

	@Test
	void requestToCancelWaitsForADatabaseThatIsAway() throws Exception {
		try (Application application = worker().start()) {
			Job job = insert(application, "desk.add");
			StoreBeans.GatedDataSource database = application.bean(StoreBeans.GatedDataSource.class);
			database.away.set(true);
			control("ojs.control.cancel", job.id(), null);
			await().during(Duration.ofSeconds(2)).until(() -> application.events(job.id()).isEmpty());
			database.away.set(false);
			await().until(() -> application.events(job.id()).equals(List.of("job.cancelled")));
			assertThat(find(application, job.id()).job().state()).isEqualTo(JobState.CANCELLED);
		}
		assertThat(client().count(CONTROL)).isZero();
	}

	@Test
	void databaseThatIsAwayCostsNoSecondRun() {
		try (Application application = worker().start()) {
			Job job = insert(application, "desk.wait");
			publish(job.id(), job.type(), "[]");
			await().until(() -> Desk.runs.contains(job.id()));
			StoreBeans.GatedDataSource database = application.bean(StoreBeans.GatedDataSource.class);
			database.away.set(true);
			Desk.open.countDown();
			await().until(() -> Desk.ended.get() == 1);
			String next = this.ids.next();
			publish(next, "desk.add", "[1,1]");
			await().during(Duration.ofSeconds(3))
				.until(() -> application.worked(job.id()).equals(List.of("job.started"))
						&& Desk.runs.equals(List.of(job.id())));
			database.away.set(false);
			await().until(() -> application.events(job.id()).contains("job.completed")
					&& application.events(next).contains("job.completed"));
			assertThat(find(application, job.id()).job().state()).isEqualTo(JobState.COMPLETED);
			assertThat(Desk.runs).containsExactly(job.id(), next);
		}
		assertThat(client().count(JOBS)).isZero();
	}

	@Test
	void jobThatIsCutOffByTheStopIsAtOnceAnothersToRun() {
		try (Application observer = application(StoreBeans.class).property("ojs.worker.enabled", false)
			.property("ojs.store.enabled", true)
			.property("ojs.store.initialize-schema", "always")
			.property("test.database.url", url())
			.property("test.database.username", username())
			.property("test.database.password", password())
			.start()) {
			Application first = worker().property("ojs.worker.shutdown-grace", "1s").start();
			Job job = insert(first, "desk.wait");
			publish(job.id(), job.type(), "[]");
			await().until(() -> Desk.runs.contains(job.id()));
			first.close();
			assertThat(find(observer, job.id()).job().state()).isEqualTo(JobState.AVAILABLE);
			try (Application second = worker().start()) {
				await().until(() -> Desk.runs.size() == 2);
				Desk.open.countDown();
				await().until(() -> second.events(job.id()).contains("job.completed"));
				assertThat(find(second, job.id()).job().attempt()).isEqualTo(2);
			}
		}
	}

	@Test
	void jobThatIsTakenAwayIsInterruptedAndItsOutcomeIsDropped() {
		try (Application application = worker().start()) {
			Job job = insert(application, "desk.wait");
			publish(job.id(), job.type(), "[]");
			await().until(() -> Desk.runs.contains(job.id()));
			// As it is for a reaper that has heard nothing of this worker for long.
			new JdbcTemplate(application.bean(DataSource.class))
				.update("update ojs_job set worker = null, lease_until = started_at, relay_at = started_at "
						+ "where id = cast(? as uuid)", job.id());
			assertThat(application.bean(AttemptStore.class).reap(Instant.now(), 10)).hasSize(1);
			await().until(() -> Desk.ended.get() == 1);
			await().until(() -> Desk.runs.size() == 2);
			assertThat(find(application, job.id()).job().state()).isEqualTo(JobState.ACTIVE);
			Desk.open.countDown();
			await().until(() -> application.events(job.id()).contains("job.completed"));
			assertThat(application.worked(job.id())).containsExactlyInAnyOrder("job.started", "job.failed",
					"job.started", "job.completed");
			Job done = find(application, job.id()).job();
			assertThat(done.attempt()).isEqualTo(2);
			assertThat(done.errors()).extracting(JobError::code).containsExactly("WORKER_LOST");
		}
	}

	@Test
	void outcomeThatTheStoreRefusesIsADeadLetterAndHarmsNoNeighbour() throws Exception {
		try (Application application = worker().with(Refusal.class).start()) {
			watchDeadLetters();
			Job refused = insert(application, "desk.refused");
			Job good = insert(application, "desk.add");
			publish(refused.id(), refused.type(), "[]");
			publish(good.id(), good.type(), "[1,1]");
			assertThat(RawClient.headers(client().take(SEEN)).get("x-ojs-error-message")).contains("refused by a test");
			await().until(() -> application.events(refused.id()).contains("job.dead_lettered"));
			await().until(() -> application.events(good.id()).contains("job.completed"));
			StoredJob dead = find(application, refused.id());
			assertThat(dead.deadLetteredAt()).isNotNull();
			assertThat(dead.job().errors()).extracting(JobError::message).containsExactly("refused by a test");
		}
	}

	/**
	 * A store that does not take a certain value.
	 */
	static class Refusal {

		@Bean
		@Primary
		AttemptStore refusingStore(StoreDatabase database) {
			AttemptStore store = new JdbcAttemptStore(database);
			return (AttemptStore) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { AttemptStore.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("settle") && arguments[0].toString().contains("refuse me")) {
							throw new StoreException("refused by a test", null);
						}
						try {
							return method.invoke(store, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
