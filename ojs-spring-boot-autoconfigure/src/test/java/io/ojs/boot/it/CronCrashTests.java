package io.ojs.boot.it;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.internal.CronFiring;
import io.ojs.cron.internal.CronStore;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 of whoever fires a cron, in the middle of it: another instance fires it, once.
 */
@Tag("faults")
class CronCrashTests extends BrokerTest {

	private final PostgresDatabase database = StoreDatabases.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@ParameterizedTest
	@MethodSource
	void aKilledInstanceCostsNoFiring(String point) {
		Instant due = Instant.now().truncatedTo(ChronoUnit.SECONDS);
		try (Application bystander = application()
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.cron.poll-interval", "2s")
			.start()) {
			CronJobs crons = bystander.bean(CronJobs.class);
			try (ChildApplication doomed = ChildApplication.on(uri())
				.with(CrashPoints.class)
				.property("ojs.store.enabled", true)
				.property("spring.datasource.url", this.database.url())
				.property("spring.datasource.username", this.database.username())
				.property("spring.datasource.password", this.database.password())
				.property("ojs.cron.poll-interval", "50ms")
				.crashAt(point)
				.start()) {
				doomed.awaitStarted();
				// Until the process that is to be killed is the one that is faster.
				int tries = 0;
				do {
					tries++;
					register(bystander, crons, "bell-" + tries, due);
				}
				while (!stands(doomed, point, crons, "bell-" + tries) && tries < 20);
				String bell = "bell-" + tries;
				doomed.awaitCrashPoint(point);
				assertThat(crons.runs(bell, 5)).isEmpty();
				assertThat(jobs(bystander)).isEqualTo(tries - 1);
				doomed.kill();
				await().until(() -> crons.runs(bell, 5).size() == 1);
				CronRun run = crons.runs(bell, 5).get(0);
				assertThat(run.scheduledAt()).isEqualTo(due);
				assertThat(run.outcome()).isEqualTo(CronRun.Outcome.TRIGGERED);
				assertThat(jobs(bystander)).isEqualTo(tries);
				assertThat(crons.find(bell)).map(CronJob::runCount).contains(1L);
				Job job = bystander.ojs().find(run.jobId()).orElseThrow();
				assertThat(job.meta()).containsEntry(CronFiring.META_NAME, bell);
			}
		}
	}

	/** Due at once, and not again while the test lasts. */
	static Stream<String> aKilledInstanceCostsNoFiring() {
		return KillPoints.some("after CronStore.record", "before CronStore.unfinished");
	}

	private static void register(Application application, CronJobs crons, String name, Instant due) {
		crons.register(CronRequest.of(name, "@every 10h", JobRequest.of("tower.ring").queue("tower")));
		application.bean(JdbcTemplate.class)
			.update("update ojs_cron set next_run_at = ?::timestamptz where name = ?", due.toString(), name);
	}

	/** Whether it stands there; if not, the bystander has fired. */
	private static boolean stands(ChildApplication doomed, String point, CronJobs crons, String bell) {
		await().until(() -> doomed.output().contains(CrashPoint.line(point)) || !crons.runs(bell, 1).isEmpty());
		return doomed.output().contains(CrashPoint.line(point));
	}

	private static long jobs(Application application) {
		return application.bean(JdbcTemplate.class).queryForObject("select count(*) from ojs_job", Long.class);
	}

	static class CrashPoints {

		@Bean
		static BeanPostProcessor aroundCrons() {
			return CrashPoint.around(CronStore.class);
		}

	}

}
