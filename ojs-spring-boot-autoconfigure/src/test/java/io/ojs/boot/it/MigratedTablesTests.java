package io.ojs.boot.it;

import java.time.Duration;
import java.util.UUID;

import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Processes that still run, or run again, when the tables are those of another version.
 */
class MigratedTablesTests extends BrokerTest {

	private final String url = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID());

	@Test
	void jobsWaitUntilTheirWorkerKnowsTheTables() {
		// It declares the queue.
		application(Parcels.class).database(this.url, "sa", "").start().close();
		try (Application producer = application().database(this.url, "sa", "").start()) {
			Job job = producer.ojs().enqueue(JobRequest.of("parcel.send").queue("parcels"));
			await().until(() -> client().count("ojs.queue.parcels") == 1);
			JdbcTemplate jdbc = producer.bean(JdbcTemplate.class);
			jdbc.execute("alter table ojs_job alter column awaits_turn rename to of_another_version");
			try (Application worker = application(Parcels.class).database(this.url, "sa", "").start()) {
				await().until(() -> client().count("ojs.queue.parcels") == 0);
				await().during(Duration.ofSeconds(2))
					.until(() -> client().count("ojs.queue.dlx.parcels") == 0
							&& client().count("ojs.queue.parcels") == 0);
				jdbc.execute("alter table ojs_job alter column of_another_version rename to awaits_turn");
				await().atMost(Duration.ofSeconds(60))
					.until(() -> worker.ojs().find(job.id()).orElseThrow().state() == JobState.COMPLETED);
				assertThat(worker.ojs().find(job.id()).orElseThrow().attempt()).isOne();
			}
		}
	}

	static class Parcels {

		@OjsJobHandler(value = "parcel.send", queue = "parcels")
		void send() {
		}

	}

}
