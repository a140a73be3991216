package io.ojs.boot.it;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ojs.client.OjsOperations;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.JobEvent;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.database.PostgresDatabase;
import io.ojs.test.database.PostgresServer;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two extensions at once, where the documents say what is to come of it (OJS Extension
 * Interactions).
 */
class ExtensionInteractionsTests extends BrokerTest {

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	@BeforeEach
	void forget() {
		Desk.attempts.clear();
		Desk.steps.clear();
		Desk.closing = new CountDownLatch(1);
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application.Starter desk() {
		return application(Desk.class).database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.queues.desk.retry.max-attempts", 3);
	}

	@Test
	@Tag("EI-007")
	@Tag("EI-008")
	@Tag("EI-R003")
	void aJobIsADeadLetterOnceItsLastAttemptHasFailed() {
		try (Application application = desk().start()) {
			OjsOperations ojs = application.ojs();
			DeadLetters letters = application.bean(DeadLetters.class);
			Desk.letters = letters;
			Job job = ojs.enqueue("desk.doomed");
			await().until(() -> letters.get(job.id()).isPresent());
			List<String> once = List.of("attempt 1, dead false", "attempt 2, dead false", "attempt 3, dead false");
			assertThat(Desk.attempts).isEqualTo(once);
			await().until(() -> application.events(job.id()).contains("job.dead_lettered"));
			assertThat(application.worked(job.id())).containsSubsequence("job.failed", "job.retrying", "job.failed",
					"job.retrying", "job.failed", "job.retry_exhausted", "job.dead_lettered");
			assertThat(application.events().stream().filter(JobEvent.DeadLettered.class::isInstance)).hasSize(1);
			assertThat(ojs.find(job.id()).orElseThrow().errors()).extracting("attempt").containsExactly(1, 2, 3);
			letters.replay(job.id()).orElseThrow();
			await().until(() -> Desk.attempts.size() == 6 && letters.get(job.id()).isPresent());
			assertThat(Desk.attempts.subList(3, 6)).isEqualTo(once);
			assertThat(ojs.find(job.id()).orElseThrow().errors()).extracting("attempt")
				.containsExactly(1, 2, 3, 1, 2, 3);
		}
	}

	@Test
	@Tag("EI-009")
	void aWorkflowGoesOnWhereTheStopFoundIt() {
		String id;
		try (Application first = desk().start()) {
			id = first.bean(Workflows.class)
				.start(Workflow.chain("three")
					.then(JobRequest.of("desk.step", "a"))
					.then(JobRequest.of("desk.slow", "b"))
					.then(JobRequest.of("desk.step", "c")))
				.id();
			await().until(() -> Desk.steps.contains("b begins"));
			// What runs is waited for, and nothing that comes after it.
		}
		assertThat(Desk.steps).containsExactly("a", "b begins", "b ends");
		try (Application second = desk().start()) {
			Workflows workflows = second.bean(Workflows.class);
			await().until(() -> workflows.find(id).orElseThrow().state() == WorkflowState.COMPLETED);
			assertThat(Desk.steps).containsExactly("a", "b begins", "b ends", "c");
			assertThat(workflows.find(id).orElseThrow().state()).isEqualTo(WorkflowState.COMPLETED);
		}
	}

	static class Desk {

		static final List<String> attempts = new CopyOnWriteArrayList<>();

		static final List<String> steps = new CopyOnWriteArrayList<>();

		static volatile CountDownLatch closing = new CountDownLatch(1);

		static volatile DeadLetters letters;

		@EventListener
		void closing(ContextClosedEvent event) {
			closing.countDown();
		}

		@OjsJobHandler(value = "desk.doomed", queue = "desk")
		void doomed(JobContext context) {
			attempts
				.add("attempt %d, dead %s".formatted(context.attempt(), letters.get(context.job().id()).isPresent()));
			throw new IllegalStateException("no luck");
		}

		@OjsJobHandler(value = "desk.step", queue = "desk")
		void step(String name) {
			steps.add(name);
		}

		@OjsJobHandler(value = "desk.slow", queue = "desk")
		void slow(String name) throws InterruptedException {
			steps.add(name + " begins");
			assertThat(closing.await(20, TimeUnit.SECONDS)).isTrue();
			// The stop is under way, and asks for no more jobs.
			TimeUnit.MILLISECONDS.sleep(500);
			steps.add(name + " ends");
		}

	}

}
