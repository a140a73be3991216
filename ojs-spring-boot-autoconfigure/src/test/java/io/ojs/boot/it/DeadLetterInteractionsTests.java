package io.ojs.boot.it;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.client.OjsOperations;
import io.ojs.deadletter.DeadLetters;
import io.ojs.event.EventFeed;
import io.ojs.event.JobEvent;
import io.ojs.event.StoredEvent;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.tenant.Tenants;
import io.ojs.test.internal.database.PostgresDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Dead letters together with retries and with tenants, in an application that works (OJS
 * Extension Interactions §8, §10).
 */
class DeadLetterInteractionsTests extends BrokerTest {

	private final PostgresDatabase database = StoreDatabases.create();

	@BeforeEach
	void forget() {
		Desk.attempts.clear();
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
			assertThat(application.bean(EventFeed.class).after(0, Set.of("job.*"), Set.of("desk"), 100))
				.filteredOn((event) -> event.subject().equals(job.id()))
				.extracting(StoredEvent::type)
				.containsSubsequence("job.failed", "job.failed", "job.failed", "job.retry_exhausted",
						"job.dead_lettered")
				.containsOnlyOnce("job.retry_exhausted", "job.dead_lettered");
			assertThat(ojs.find(job.id()).orElseThrow().errors()).extracting("attempt").containsExactly(1, 2, 3);
			letters.replay(job.id()).orElseThrow();
			await().until(() -> Desk.attempts.size() == 6 && letters.get(job.id()).isPresent());
			assertThat(Desk.attempts.subList(3, 6)).isEqualTo(once);
			assertThat(ojs.find(job.id()).orElseThrow().errors()).extracting("attempt")
				.containsExactly(1, 2, 3, 1, 2, 3);
		}
	}

	@ParameterizedTest
	@Tag("EI-004")
	@Tag("EI-005")
	@ValueSource(strings = { "/dead-letter", "/admin/dead-letter" })
	void deadLettersOfATenantAreThereForNoOther(String path) {
		try (Application application = desk().http().property("ojs.tenancy.enabled", true).start()) {
			Desk.letters = application.bean(DeadLetters.class);
			String acmes = dead(application, "acme");
			String betas = dead(application, "beta");
			for (String tenant : List.of("acme", "beta")) {
				String own = tenant.equals("acme") ? acmes : betas;
				String other = tenant.equals("acme") ? betas : acmes;
				assertThat(ask(application, tenant, "GET", path, "").body()).contains(own).doesNotContain(other);
				assertThat(ask(application, tenant, "GET", path + "/stats", "").body()).contains("\"total\":1");
				assertThat(ask(application, tenant, "GET", "/events?types=job.dead_lettered", "").body())
					.contains(own, "\"tenant_id\":\"" + tenant + "\"")
					.doesNotContain(other);
				assertThat(application.ask(tenant, "GET", path + "/" + other, "").statusCode()).isEqualTo(404);
				assertThat(application.ask(tenant, "POST", path + "/" + other + "/retry", "{}").statusCode())
					.isEqualTo(404);
				assertThat(application.ask(tenant, "DELETE", path + "/" + other, "").statusCode()).isEqualTo(404);
			}
			ask(application, "acme", "POST", path + "/retry",
					"{\"filter\":{\"ids\":[\"%s\",\"%s\"]},\"confirm\":true}".formatted(acmes, betas));
			await().until(() -> deaths(application, acmes) == 2);
			ask(application, "acme", "DELETE", path, "{\"filter\":{},\"confirm\":true}");
			assertThat(application.ask("acme", "GET", path + "/" + acmes, "").statusCode()).isEqualTo(404);
			assertThat(application.ask("beta", "GET", path + "/" + betas, "").statusCode()).isEqualTo(200);
			assertThat(deaths(application, betas)).as("was not replayed").isOne();
		}
	}

	/** Has a job of the tenant fail for good. */
	private static String dead(Application application, String tenant) {
		String id = application.bean(Tenants.class).supply(tenant, () -> application.ojs().enqueue("desk.doomed").id());
		await().until(() -> deaths(application, id) == 1);
		return id;
	}

	private static long deaths(Application application, String id) {
		return application.events(id).stream().filter("job.dead_lettered"::equals).count();
	}

	private static HttpResponse<String> ask(Application application, String tenant, String method, String path,
			String json) {
		HttpResponse<String> answer = application.ask(tenant, method, path, json);
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return answer;
	}

	static class Desk {

		static final List<String> attempts = new CopyOnWriteArrayList<>();

		static volatile DeadLetters letters;

		@OjsJobHandler(value = "desk.doomed", queue = "desk")
		void doomed(JobContext context) {
			attempts
				.add("attempt %d, dead %s".formatted(context.attempt(), letters.get(context.job().id()).isPresent()));
			throw new IllegalStateException("no luck");
		}

	}

}
