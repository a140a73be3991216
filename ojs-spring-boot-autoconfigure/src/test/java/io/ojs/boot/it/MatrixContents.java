package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.client.OjsOperations;
import io.ojs.handler.JobUpcaster;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Extensions that have to do with what a job says, and whom it says it to.
 */
final class MatrixContents {

	private MatrixContents() {
	}

	/**
	 * Something that is done to all jobs, before they are sent and where they run.
	 */
	static final class Middleware implements MatrixExtension {

		@Override
		public void configure(Application.Starter starter) {
			starter.with(Chain.class);
			Chain.enqueued.clear();
			Chain.around.clear();
		}

		@Override
		public void verify(MatrixCell cell) {
			// Both see the arguments as they are.
			assertThat(Chain.enqueued).hasSizeGreaterThanOrEqualTo(3).allMatch((text) -> text.contains(cell.secret));
			for (String id : cell.ids()) {
				assertThat(cell.job(id).meta()).containsEntry("passed", "yes");
				List<String> expected = new ArrayList<>();
				MatrixWork.runs(id).forEach((run) -> {
					assertThat(run.around()).isEqualTo("around " + run.attempt());
					boolean fails = run.how().equals(MatrixWork.DIES)
							|| (run.how().equals(MatrixWork.RECOVERS) && run.attempt() == 1);
					expected.add(run.attempt() + " begins with " + cell.secret);
					expected.add(run.attempt() + (fails ? " fails" : " ends"));
				});
				assertThat(Chain.around.stream()
					.filter((text) -> text.startsWith(id))
					.map((text) -> text.substring(id.length() + 1))).as(id).startsWith(expected.toArray(String[]::new));
			}
		}

	}

	static final class Chain {

		private static final List<String> enqueued = new CopyOnWriteArrayList<>();

		private static final List<String> around = new CopyOnWriteArrayList<>();

		@Bean
		EnqueueMiddleware passes() {
			return (job) -> {
				enqueued.add(job.args().toString());
				return job.toBuilder().meta("passed", "yes").build();
			};
		}

		@Bean
		ExecutionMiddleware around() {
			return (context, next) -> {
				String attempt = context.job().id() + " " + context.attempt();
				around.add(attempt + " begins with " + context.job().args().get(1));
				context.attributes().put("around", "around " + context.attempt());
				try {
					Object result = next.proceed(context);
					around.add(attempt + " ends");
					return result;
				}
				catch (IllegalStateException ex) {
					around.add(attempt + " fails");
					throw ex;
				}
			};
		}

	}

	/**
	 * Nobody but handlers has the arguments.
	 */
	static final class Encryption implements MatrixExtension {

		@Override
		public void configure(Application.Starter starter) {
			starter.property("ojs.encryption.keys.k1", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
		}

		@Override
		public void verify(MatrixCell cell) {
			String rows = cell.rows();
			assertThat(rows).contains(cell.ids()).contains("ojs_encoded", "binary/encrypted");
			assertHidden(cell, rows);
			cell.ids().forEach((id) -> assertThat(cell.job(id).meta()).containsEntry("ojs.codec.key_id", "k1"));
			Job shelved = cell.bean(OjsOperations.class).enqueue(cell.request(MatrixWork.WORKS).queue("shelf"));
			var message = cell.client().take("ojs.queue.shelf");
			assertThat(message.getProps().getMessageId()).isEqualTo(shelved.id());
			assertHidden(cell, message.getProps() + new String(message.getBody(), StandardCharsets.UTF_8));
			cell.bean(OjsOperations.class).cancel(shelved.id());
		}

		/** Not by AssertJ, which would print all of it. */
		private static void assertHidden(MatrixCell cell, String text) {
			assertThat(text.contains(cell.secret)).as("shows the arguments").isFalse();
		}

	}

	/**
	 * Everything belongs to one of two tenants.
	 */
	static final class Tenancy implements MatrixExtension {

		private static final String ACME = "acme";

		@Override
		public void configure(Application.Starter starter) {
			starter.http().property("ojs.tenancy.enabled", true);
		}

		@Override
		public JobRequest request(JobRequest request) {
			return request.meta("tenant_id", ACME);
		}

		@Override
		public Begin begin(MatrixCell cell, Begin inner) {
			return (requests) -> cell.bean(Tenants.class).supply(ACME, () -> inner.of(requests));
		}

		@Override
		public void verify(MatrixCell cell) {
			assertThat(cell.count("ojs_job", "tenant is distinct from 'acme' and state <> 'cancelled'")).isZero();
			assertThat(MatrixWork.runs).isNotEmpty().allMatch((run) -> ACME.equals(run.tenant()));
			for (String id : cell.ids()) {
				assertThat(get(cell, ACME, "/jobs/" + id).statusCode()).isEqualTo(200);
				assertThat(get(cell, "rival", "/jobs/" + id).statusCode()).isEqualTo(404);
			}
			for (String path : List.of("/admin/jobs", "/dead-letter?limit=100", "/events?limit=1000", "/workflows")) {
				assertThat(get(cell, "rival", path).statusCode()).isEqualTo(200);
				assertThat(get(cell, "rival", path).body()).doesNotContain(cell.ids());
			}
			assertThat(get(cell, ACME, "/admin/jobs?per_page=100").body()).contains(cell.ids());
			assertThat(get(cell, ACME, "/dead-letter?limit=100").body().contains(cell.dies()))
				.isEqualTo(cell.state(cell.dies()) == JobState.DISCARDED);
		}

		private static HttpResponse<String> get(MatrixCell cell, String tenant, String path) {
			return cell.application().ask(tenant, "GET", path, "");
		}

	}

	/**
	 * Old jobs for a new handler, and one that is too new.
	 */
	static final class Versions implements MatrixExtension {

		@Override
		public void configure(Application.Starter starter) {
			starter.with(Upcasters.class).property("cell.versions", ">=2.0 <3.0");
		}

		@Override
		public JobRequest request(JobRequest request) {
			return request.version("1.4");
		}

		@Override
		public void verify(MatrixCell cell) {
			for (String id : cell.ids()) {
				assertThat(cell.job(id).version()).isEqualTo(JobVersion.parse("1.4"));
				assertThat(MatrixWork.runs(id)).isNotEmpty().allSatisfy((run) -> {
					assertThat(run.version()).isEqualTo(JobVersion.parse("2.0"));
					assertThat(run.added()).isEqualTo("added");
				});
			}
			String id = cell.bean(OjsOperations.class).enqueue(cell.request(MatrixWork.WORKS).version("3.0")).id();
			await().until(() -> cell.count("ojs_job", "worker_wait_until is not null") == 1);
			cell.awaitCompleted(cell.begin(cell.request(MatrixWork.WORKS)).get().get(0));
			assertThat(cell.job(id).state()).isEqualTo(JobState.AVAILABLE);
			assertThat(cell.job(id).attempt()).isZero();
			assertThat(MatrixWork.runs(id)).isEmpty();
			cell.bean(OjsOperations.class).cancel(id);
		}

	}

	static final class Upcasters {

		@Bean
		JobUpcaster oneArgumentMore() {
			return JobUpcaster.of(MatrixWork.TYPE, "<2.0", "2.0", (args) -> {
				List<@Nullable Object> more = new ArrayList<>(args);
				more.add("added");
				return more;
			});
		}

	}

}
