package io.ojs.boot.it;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.client.OjsOperations;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.tenant.TenantRequiredException;
import io.ojs.tenant.Tenants;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowQuery;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.Workflows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Whom handlers work for, by way of a broker.
 */
class TenancyTests extends BrokerTest {

	private final PostgresDatabase database = StoreDatabases.create();

	@BeforeEach
	void forget() {
		Desk.seen.clear();
	}

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	private Application start(boolean stored) {
		Application.Starter starter = application(Desk.class).property("ojs.tenancy.enabled", true);
		return (stored ? starter.database(this.database.url(), this.database.username(), this.database.password())
				: starter)
			.start();
	}

	@Test
	void whatAHandlerEnqueuesBelongsToTheTenantOfItsJob() {
		try (Application application = start(true)) {
			Job parent = application.ojs().enqueue(JobRequest.of("desk.parent").meta("tenant_id", "acme"));
			assertThat(parent.meta()).containsEntry("tenant_id", "acme");
			await().until(() -> Desk.seen.size() == 3);
			assertThat(Desk.seen).containsExactlyInAnyOrder("parent acme", "child acme", "step acme");
			Workflows workflows = application.bean(Workflows.class);
			List<WorkflowRun> runs = workflows.list(WorkflowQuery.ALL.tenant("acme"));
			assertThat(runs).singleElement().satisfies((run) -> assertThat(run.tenant()).isEqualTo("acme"));
			assertThat(workflows.list(WorkflowQuery.ALL.tenant("other"))).isEmpty();
			// The next job of the same thread is another's.
			application.ojs().enqueue(JobRequest.of("desk.child").meta("tenant_id", "other"));
			await().until(() -> Desk.seen.contains("child other"));
		}
	}

	@Test
	void withoutAStoreHandlersWorkForTenantsToo() {
		try (Application application = start(false)) {
			Tenants tenants = application.bean(Tenants.class);
			tenants.run("acme", () -> application.ojs().enqueue("desk.child"));
			await().until(() -> Desk.seen.equals(List.of("child acme")));
			assertThatExceptionOfType(TenantRequiredException.class)
				.isThrownBy(() -> application.ojs().enqueue("desk.child"));
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> tenants.run("acme",
						() -> application.ojs().enqueue(JobRequest.of("desk.child").meta("tenant_id", "other"))))
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("meta.tenant_id"));
		}
		assertThat(client().count("ojs.queue.desk")).isZero();
	}

	/** The same application, started once more for one of them. */
	@Test
	void tenantMayHaveAQueueAndThreadsOfItsOwn() {
		try (Application shared = application(Post.class).property("ojs.tenancy.enabled", true).start();
				Application own = application(Post.class).property("ojs.tenancy.enabled", true)
					.property("mail.queue", "mail.acme")
					.start()) {
			Tenants tenants = shared.bean(Tenants.class);
			tenants.run("acme", () -> shared.ojs().enqueue(JobRequest.of("mail.send").queue("mail.acme")));
			tenants.run("other", () -> shared.ojs().enqueue(JobRequest.of("mail.send")));
			await().until(() -> Desk.seen.size() == 2);
			assertThat(Desk.seen).containsExactlyInAnyOrder("acme at mail.acme", "other at mail");
			assertThat(own.events()).isNotEmpty();
		}
	}

	static class Post {

		private final String queue;

		private final Tenants tenants;

		Post(@Value("${mail.queue:mail}") String queue, Tenants tenants) {
			this.queue = queue;
			this.tenants = tenants;
		}

		@OjsJobHandler(value = "mail.send", queue = "${mail.queue:mail}")
		void send() {
			Desk.seen.add(this.tenants.current().orElseThrow() + " at " + this.queue);
		}

	}

	static class Desk {

		static final List<String> seen = new CopyOnWriteArrayList<>();

		private final Tenants tenants;

		private final OjsOperations ojs;

		private final ObjectProvider<Workflows> workflows;

		Desk(Tenants tenants, OjsOperations ojs, ObjectProvider<Workflows> workflows) {
			this.tenants = tenants;
			this.ojs = ojs;
			this.workflows = workflows;
		}

		private void see(String what, Job job) {
			Optional<String> current = this.tenants.current();
			assertThat(Map.of("tenant_id", current.orElseThrow())).isEqualTo(job.meta());
			seen.add(what + " " + current.orElseThrow());
		}

		@OjsJobHandler(value = "desk.parent", queue = "desk")
		void parent(Job job) {
			see("parent", job);
			this.ojs.enqueue("desk.child");
			this.workflows.getObject().start(Workflow.chain("one").then(JobRequest.of("desk.step")));
		}

		@OjsJobHandler(value = "desk.child", queue = "desk")
		void child(Job job) {
			see("child", job);
		}

		@OjsJobHandler(value = "desk.step", queue = "desk")
		void step(Job job) {
			see("step", job);
		}

	}

}
