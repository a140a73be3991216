package io.ojs.boot.it;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import io.ojs.client.OjsOperations;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Another transaction has locked the row of a job that has just ended, as the relay does
 * while it notes that it has published many jobs.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockedRowTests extends BrokerTest {

	private static final String WARNING = "Cannot record how job";

	private final PostgresDatabase database = StoreDatabases.create();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@Test
	void momentIsNotWorthAWarning(CapturedOutput output) {
		whileLocked(() -> await().pollDelay(Duration.ofMillis(200)).until(() -> true));
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void lockThatStaysIs(CapturedOutput output) {
		whileLocked(() -> await().until(() -> output.getOut().contains(WARNING)));
		await().until(() -> output.getOut().contains("after all"));
	}

	private void whileLocked(Runnable meanwhile) {
		try (Application application = application(Quick.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.start()) {
			OjsOperations ojs = application.bean(OjsOperations.class);
			Quick quick = application.bean(Quick.class);
			String id = ojs.enqueue(JobRequest.of("quick.run")).id();
			await().until(() -> quick.begun.getCount() == 0);
			new TransactionTemplate(application.bean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					application.bean(JdbcTemplate.class)
						.queryForList("select id from ojs_job where id = ? for update", UUID.fromString(id));
					quick.end.countDown();
					meanwhile.run();
				});
			await().until(() -> ojs.find(id).orElseThrow().state() == JobState.COMPLETED);
		}
	}

	static class Quick {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		@OjsJobHandler(value = "quick.run", queue = "quick")
		void run() throws InterruptedException {
			this.begun.countDown();
			this.end.await();
		}

	}

}
