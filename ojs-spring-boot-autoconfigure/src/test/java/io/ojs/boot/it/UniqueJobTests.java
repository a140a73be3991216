package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.rabbitmq.client.GetResponse;
import io.ojs.client.UnsupportedJobException;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.UniqueDimension;
import io.ojs.job.UniquePolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Unique jobs where there is no job store: nobody can tell whether there is one already,
 * but what others enqueued is worked.
 */
class UniqueJobTests extends BrokerTest {

	@Test
	void uniqueJobIsRefusedWithoutAStoreAndSoAreThoseBesideIt() {
		JobRequest plain = JobRequest.of("invoice.render").queue("invoices");
		JobRequest unique = plain.unique(UniquePolicy.DEFAULT);
		try (Application application = application().start()) {
			assertThatExceptionOfType(UnsupportedJobException.class).isThrownBy(() -> application.ojs().enqueue(unique))
				.withMessageContainingAll("'unique'", "DataSource", "spring-boot-starter-jdbc");
			assertThatExceptionOfType(UnsupportedJobException.class)
				.isThrownBy(() -> application.ojs().enqueueAll(List.of(plain, unique)));
			assertThatExceptionOfType(UnsupportedJobException.class)
				.isThrownBy(() -> application.ojs().enqueueAsync(unique));
			assertThat(application.events()).isEmpty();
		}
		assertThat(client().exists("ojs.queue.invoices")).isFalse();
	}

	@Test
	void jobsThatCameInAreWorkedWhateverTheirPolicySays() {
		String good = "{\"keys\":[\"type\",\"args\"],\"on_conflict\":\"ignore\"}";
		String bad = "{\"keys\":[\"argz\"],\"period\":\"3600s\"}";
		String third = "[17]";
		JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());
		try (Application application = application(Invoices.class).start()) {
			Map<String, String> policies = Map.of(ids.next(), good, ids.next(), bad, ids.next(), third);
			policies.forEach((id, policy) -> client().publish("invoices",
					RawClient.properties(id, "invoice.render").build(), body(id, policy)));
			await().until(() -> client().count("ojs.queue.dlx.invoices") == 3);
			Map<String, Job> seen = application.bean(Invoices.class).seen;
			policies.forEach((id, policy) -> {
				assertThat(seen).containsKey(id);
				assertThat(seen.get(id).unique()).isEqualTo(
						policy.equals(good) ? UniquePolicy.DEFAULT.keys(UniqueDimension.TYPE, UniqueDimension.ARGS)
							.onConflict(OnConflict.IGNORE) : null);
			});
			for (GetResponse dead : client().drain("ojs.queue.dlx.invoices")) {
				String id = dead.getProps().getMessageId();
				assertThat(dead.getBody()).isEqualTo(body(id, policies.get(id)));
			}
		}
	}

	private static byte[] body(String id, String policy) {
		return "{\"specversion\":\"1.0\",\"id\":\"%s\",\"type\":\"invoice.render\",\"queue\":\"invoices\",\"args\":[],\"unique\":%s}"
			.formatted(id, policy)
			.getBytes(StandardCharsets.UTF_8);
	}

	static class Invoices {

		final Map<String, Job> seen = new ConcurrentHashMap<>();

		@OjsJobHandler(value = "invoice.render", queue = "invoices")
		void render(Job job) {
			this.seen.put(job.id(), job);
			throw JobFailedException.deadLetter("test", "to be looked at");
		}

	}

}
