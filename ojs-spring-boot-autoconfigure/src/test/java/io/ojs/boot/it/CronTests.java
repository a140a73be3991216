package io.ojs.boot.it;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.cron.CronEvent;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.OjsCron;
import io.ojs.cron.OverlapPolicy;
import io.ojs.cron.internal.CronFiring;
import io.ojs.cron.internal.CronStore;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Crons of whole applications, with a broker and PostgreSQL.
 */
@Tag("java-versions")
class CronTests extends BrokerTest {

	private static final int CRONS = 4;

	private static final int SECONDS = 25;

	private final PostgresDatabase database = StoreDatabases.create();

	@BeforeEach
	void forget() {
		Tower.rung.clear();
		Tower.told.clear();
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application.Starter tower(Class<?>... beans) {
		return application(beans).with(Tower.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("spring.datasource.hikari.maximum-pool-size", 6);
	}

	@Test
	void threeApplicationsFireEachTimeOnceAndHandlersRunOnce() {
		List<Application> applications = new ArrayList<>();
		try {
			for (int i = 0; i < 3; i++) {
				applications.add(tower(Hands.class).property("ojs.cron.poll-interval", "50ms").start());
			}
			Application first = applications.get(0);
			CronStore store = first.bean(CronStore.class);
			for (int i = 0; i < CRONS; i++) {
				first.bean(CronJobs.class)
					.register(CronRequest.of("bell-" + i, "* * * * * *", JobRequest.of("tower.ring"))
						.overlap(OverlapPolicy.ALLOW));
			}
			for (int i = 0; i < SECONDS; i++) {
				Hands.now = Hands.now.plusSeconds(1);
				await().pollInterval(Duration.ofMillis(10))
					.until(() -> store.nextAt(Set.of()).orElseThrow().isAfter(Hands.now));
			}
			await().untilAsserted(() -> assertThat(Tower.rung).hasSizeGreaterThanOrEqualTo(CRONS * SECONDS));
			assertThat(Tower.rung).hasSize(CRONS * SECONDS).doesNotHaveDuplicates();
			assertThat(first.bean(CronJobs.class).list()).extracting(CronJob::runCount).containsOnly((long) SECONDS);
			assertThat(Tower.told).hasSize(CRONS * SECONDS);
		}
		finally {
			applications.forEach(Application::close);
		}
	}

	@Test
	void anAnnotatedHandlerRunsInTime() {
		try (Application application = tower(Bell.class).start()) {
			await().untilAsserted(() -> assertThat(Tower.told).hasSizeGreaterThan(4));
			assertThat(Tower.told).first().satisfies((event) -> {
				assertThat(event.cron().name()).isEqualTo("every-second");
				assertThat(application.ojs().find(event.run().jobId())).isPresent();
			});
			// The first ones wait for what is loaded on first use.
			assertThat(Tower.told).anySatisfy(
					(event) -> assertThat(Duration.between(event.run().scheduledAt(), event.run().firedAt()).toMillis())
						.isLessThan(500));
			await().untilAsserted(() -> assertThat(Tower.rung).hasSizeGreaterThan(3));
			assertThat(Tower.rung).doesNotHaveDuplicates();
		}
	}

	static class Tower {

		static final Queue<String> rung = new ConcurrentLinkedQueue<>();

		static final List<CronEvent> told = new CopyOnWriteArrayList<>();

		@OjsJobHandler(value = "tower.ring", queue = "tower", concurrency = 3)
		void ring(JobContext context) {
			rung.add(context.job().meta().get(CronFiring.META_NAME) + " "
					+ context.job().meta().get(CronFiring.META_TRIGGERED_AT));
		}

		@EventListener
		void on(CronEvent event) {
			told.add(event);
		}

	}

	static class Bell {

		@OjsJobHandler(value = "bell.ring", queue = "tower")
		@OjsCron(name = "every-second", expression = "* * * * * *", overlap = OverlapPolicy.ALLOW)
		void ring(JobContext context) {
			Tower.rung.add("bell " + context.job().meta().get(CronFiring.META_TRIGGERED_AT));
		}

	}

	/** The clock of all applications, which the test moves. */
	static class Hands {

		static volatile Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

		@Bean
		Clock clock() {
			return new Clock() {

				@Override
				public Instant instant() {
					return now;
				}

				@Override
				public ZoneId getZone() {
					return ZoneOffset.UTC;
				}

				@Override
				public Clock withZone(ZoneId zone) {
					return this;
				}

			};
		}

	}

}
