package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ojs.client.OjsOperations;
import io.ojs.event.JobEvent;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import org.springframework.transaction.support.TransactionTemplate;

import static org.awaitility.Awaitility.await;

/**
 * By a worker, on a real broker and with a job store.
 */
@Tag("broker")
class JobOutcomesOfAWorkerTests extends JobOutcomesContract {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static VirtualHost virtualHost;

	private static Application application;

	@BeforeAll
	static void start() {
		virtualHost = RabbitBroker.shared().newVirtualHost();
		Application.Starter starter = Application.on(virtualHost.uri())
			.with(OutcomesDesk.class)
			.database("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		PROPERTIES.forEach(starter::property);
		application = starter.start();
	}

	@AfterAll
	static void stop() {
		application.close();
		virtualHost.close();
	}

	@Override
	OjsOperations ojs() {
		return application.ojs();
	}

	@Override
	TransactionTemplate transactions() {
		return application.bean(TransactionTemplate.class);
	}

	/** What the store says last is told a little later, and so is what was enqueued. */
	@Override
	void finish(Job... jobs) {
		for (Job job : jobs) {
			await().atMost(PATIENCE).until(() -> ojs().find(job.id()).orElseThrow().state(), JobState::isTerminal);
			await().atMost(PATIENCE)
				.until(() -> OutcomesDesk.told.stream()
					.filter((event) -> event.job().id().equals(job.id()))
					.anyMatch((event) -> event instanceof JobEvent.Completed || event instanceof JobEvent.DeadLettered
							|| event instanceof JobEvent.Discarded || event instanceof JobEvent.Cancelled));
			await().atMost(PATIENCE)
				.until(() -> OutcomesDesk.told.stream()
					.filter((event) -> event.job().id().equals(job.id()))
					.anyMatch((event) -> event.name().equals("job.enqueued")));
		}
	}

	@Override
	void pass(Duration duration) throws InterruptedException {
		new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	Instant time() {
		return Instant.now();
	}

}
