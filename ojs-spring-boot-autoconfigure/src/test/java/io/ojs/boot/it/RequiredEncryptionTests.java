package io.ojs.boot.it;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.GetResponse;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.middleware.ExecutionMiddleware;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A worker that is told to refuse what is not encrypted.
 */
class RequiredEncryptionTests extends BrokerTest {

	private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	@BeforeEach
	void forget() {
		Till.seen.clear();
	}

	@ParameterizedTest
	@ValueSource(strings = { "encrypted", "bound" })
	void plainJobOfAnEncryptedTypeIsADeadLetterThatNoCodeOfTheApplicationSees(String require) {
		try (Application application = application(Till.class).property("ojs.encryption.keys.k1", KEY)
			.property("ojs.encryption.types", "pay.*")
			.property("ojs.encryption.require", require)
			.start()) {
			await().until(() -> client().exists("ojs.queue.till"));
			String id = new JobIdGenerator(Clock.systemUTC()).next();
			client().publishJob("till", id, "pay.charge", "[\"Visa-1111\"]");
			GetResponse dead = client().take("ojs.queue.dlx.till");
			assertThat(dead.getProps().getMessageId()).isEqualTo(id);
			assertThat(dead.getBody()).isEqualTo(RawClient.envelope(id, "pay.charge", "till", "[\"Visa-1111\"]"));
			Map<String, String> headers = RawClient.headers(dead);
			assertThat(headers).containsEntry("x-ojs-error-code", "INVALID_ARGS").containsEntry("x-ojs-attempt", "1");
			assertThat(headers.get("x-ojs-error-message")).contains("'pay.charge' have to be " + require,
					"ojs.encryption.require");
			assertThat(headers.toString()).doesNotContain("Visa");
			// Its own jobs are encrypted, and other types need not be.
			Job own = application.ojs().enqueue("pay.charge", "5222-2222");
			String other = new JobIdGenerator(Clock.systemUTC()).next();
			client().publishJob("till", other, "till.open", "[]");
			await().until(() -> application.events(own.id()).contains("job.completed")
					&& application.events(other).contains("job.completed"));
			assertThat(Till.seen).containsExactlyInAnyOrder("around " + own.id(), "charge 5222-2222", "around " + other,
					"open");
		}
	}

	static class Till {

		static final List<String> seen = new CopyOnWriteArrayList<>();

		@Bean
		static ExecutionMiddleware around() {
			return (context, next) -> {
				seen.add("around " + context.job().id());
				return next.proceed(context);
			};
		}

		@OjsJobHandler(value = "pay.charge", queue = "till")
		void charge(String card) {
			seen.add("charge " + card);
		}

		@OjsJobHandler(value = "till.open", queue = "till")
		void open() {
			seen.add("open");
		}

	}

}
