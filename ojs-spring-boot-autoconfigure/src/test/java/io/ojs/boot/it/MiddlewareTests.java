package io.ojs.boot.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.client.OjsOperations;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.JobRejectedException;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.workflow.InvalidWorkflowException;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Middleware of a whole application, with and without a job store.
 */
class MiddlewareTests extends BrokerTest {

	private final PostgresDatabase database = StoreDatabases.create();

	@BeforeEach
	void forget() {
		Chain.enqueued.clear();
		Chain.run.clear();
		Chain.worked.clear();
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application.Starter stored() {
		return application(Chain.class).database(this.database.url(), this.database.username(),
				this.database.password());
	}

	@Test
	void aJobIsChangedOnceAndWrappedAtEachAttempt() {
		for (Application.Starter starter : List.of(application(Chain.class), stored())) {
			forget();
			try (Application application = starter.start()) {
				Job job = application.ojs().enqueue("desk.flaky", "a");
				assertThat(job.meta()).containsEntry("locale", "de");
				await().until(() -> application.events(job.id()).contains("job.completed"));
				assertThat(Chain.enqueued).containsExactly("desk.flaky");
				assertThat(Chain.run).containsExactly("outer 1", "inner 1", "inner failed", "outer failed", "outer 2",
						"inner 2", "inner ok", "outer ok");
				assertThat(Chain.worked).containsExactly("a de 1 told", "a de 2 told");
			}
		}
	}

	@Test
	void whatIsDroppedOrRefusedIsNotSent() {
		try (Application application = stored().start()) {
			OjsOperations ojs = application.ojs();
			Job dropped = ojs.enqueue("desk.drop");
			assertThat(dropped.state()).isNull();
			assertThat(ojs.find(dropped.id())).isEmpty();
			assertThatExceptionOfType(JobRejectedException.class).isThrownBy(
					() -> ojs.enqueueAll(List.of(JobRequest.of("desk.plain", "a"), JobRequest.of("desk.reject"))));
			List<Job> some = ojs.enqueueAll(List.of(JobRequest.of("desk.drop"), JobRequest.of("desk.plain", "b")));
			assertThat(some).extracting(Job::state).containsExactly(null, JobState.AVAILABLE);
			await().until(() -> !Chain.worked.isEmpty());
			assertThat(Chain.worked).containsExactly("b de 1 told");
		}
	}

	@Test
	void itIsPartOfTheCallersTransaction() {
		try (Application application = stored().start()) {
			TransactionTemplate transaction = application.bean(TransactionTemplate.class);
			String id = transaction.execute((status) -> {
				Job job = application.ojs().enqueue("desk.plain", "c");
				status.setRollbackOnly();
				return job.id();
			});
			assertThat(Chain.enqueued).containsExactly("desk.plain");
			assertThat(application.ojs().find(id)).isEmpty();
		}
	}

	@Test
	void jobsOfAWorkflowPassItOnceWhenItIsStarted() {
		try (Application application = stored().start()) {
			Workflows workflows = application.bean(Workflows.class);
			String id = workflows
				.start(Workflow.chain("c")
					.then(JobRequest.of("desk.plain", "1"))
					.then(JobRequest.of("desk.plain", "2"))
					.then(JobRequest.of("desk.plain", "3")))
				.id();
			assertThat(Chain.enqueued).hasSize(3);
			await().until(() -> workflows.find(id).orElseThrow().state() == WorkflowState.COMPLETED);
			assertThat(Chain.enqueued).hasSize(3);
			assertThat(Chain.worked).containsExactly("1 de 1 told", "2 de 1 told", "3 de 1 told");
			assertThatExceptionOfType(InvalidWorkflowException.class)
				.isThrownBy(() -> workflows
					.start(Workflow.chain("c").then(JobRequest.of("desk.plain", "1")).then(JobRequest.of("desk.drop"))))
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("steps[1]"));
		}
	}

	static class Chain {

		static final List<String> enqueued = new CopyOnWriteArrayList<>();

		static final List<String> run = new CopyOnWriteArrayList<>();

		static final List<String> worked = new CopyOnWriteArrayList<>();

		private final AtomicInteger failures = new AtomicInteger(1);

		@Bean
		EnqueueMiddleware locale() {
			return (job) -> {
				enqueued.add(job.type());
				if (job.type().equals("desk.reject")) {
					throw new JobRejectedException("not today");
				}
				return job.type().equals("desk.drop") ? null : job.toBuilder().meta("locale", "de").build();
			};
		}

		@Bean
		@Order(2)
		ExecutionMiddleware inner() {
			return (context, next) -> {
				assertThat(context.attributes()).isEqualTo(Map.of("told", "told"));
				return around("inner", context, next);
			};
		}

		@Bean
		@Order(1)
		ExecutionMiddleware outer() {
			return (context, next) -> {
				context.attributes().put("told", "told");
				return around("outer", context, next);
			};
		}

		private static Object around(String name, JobContext context, ExecutionMiddleware.Next next) throws Exception {
			if (context.job().type().equals("desk.plain")) {
				return next.proceed(context);
			}
			run.add(name + " " + context.attempt());
			try {
				Object result = next.proceed(context);
				run.add(name + " ok");
				return result;
			}
			catch (IllegalStateException ex) {
				run.add(name + " failed");
				throw ex;
			}
		}

		@OjsJobHandler(value = "desk.flaky", queue = "desk")
		void flaky(String argument, JobContext context) {
			plain(argument, context);
			if (this.failures.getAndDecrement() > 0) {
				throw new IllegalStateException("once");
			}
		}

		@OjsJobHandler(value = "desk.plain", queue = "desk")
		void plain(String argument, JobContext context) {
			worked.add("%s %s %d %s".formatted(argument, context.job().meta().get("locale"), context.attempt(),
					context.attributes().get("told")));
		}

	}

}
