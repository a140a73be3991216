package io.ojs.boot.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import com.rabbitmq.client.GetResponse;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.ojs.handler.OjsJobHandler;
import io.ojs.internal.json.JsonObjects;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.Queues;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.webhook.WebhookSettings;
import io.ojs.webhook.Webhooks;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Events get to those who subscribed, whatever they answer at first.
 */
class WebhookTests extends BrokerTest {

	private static final String SECRET = "the-secret-of-both";

	private final PostgresDatabase database = StoreDatabases.create();

	private Receiver receiver;

	@BeforeEach
	void listen() throws IOException {
		this.receiver = new Receiver();
	}

	@AfterEach
	void end() {
		this.receiver.close();
		this.database.close();
	}

	private Application.Starter instance() {
		return application(Printer.class)
			.database(this.database.url(), this.database.username(), this.database.password())
			.property("ojs.webhooks.enabled", true)
			.property("ojs.webhooks.allow-http", true)
			.property("ojs.webhooks.allow-private-addresses", true)
			.property("ojs.webhooks.poll-interval", "100ms")
			.property("ojs.webhooks.retry.initial-interval", "200ms")
			.property("ojs.webhooks.timeout", "10s");
	}

	private Webhooks.Secret subscribe(Application application, String... events) {
		return application.bean(Webhooks.class).create(null, WebhookSettings.of(this.receiver.url(), events), SECRET);
	}

	@Test
	void whatTwoInstancesDoIsDeliveredOnce() {
		try (Application one = instance().start(); Application two = instance().start()) {
			subscribe(one, "job.completed");
			List<String> ids = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				ids.add((((i % 2) == 0) ? one : two).ojs().enqueue("sheet.print", i).id());
			}
			await().until(() -> this.receiver.posted.size() >= 20);
			await().during(Duration.ofSeconds(1)).until(() -> this.receiver.posted.size() == 20);
			assertThat(this.receiver.posted).extracting((each) -> each.json().get("subject"))
				.containsExactlyInAnyOrderElementsOf(new ArrayList<Object>(ids));
			assertThat(this.receiver.posted).allSatisfy((each) -> {
				assertThat(each.isGenuine(SECRET)).isTrue();
				assertThat(each.headers().get("X-ojs-event-type")).isEqualTo("job.completed");
				assertThat(((Map<?, ?>) each.json().get("data")).get("result")).isEqualTo("printed");
			});
		}
	}

	@Test
	void aQueueThatHasNoRoomForAllEventsTakesSome() {
		try (Application application = instance().start()) {
			application.bean(Queues.class).create("ojs-webhooks", QueueConfig.builder().maxSize(5L).build());
			subscribe(application, "job.enqueued");
			application.ojs()
				.enqueueAll(IntStream.range(0, 12)
					.mapToObj((i) -> JobRequest.of("sheet.print", i).queue("nowhere"))
					.toList());
			await().until(() -> this.receiver.posted.size() == 12);
		}
	}

	@Test
	void whoDoesNotTakeItAtFirstGetsItAgain() {
		// The first two fail in their own ways.
		this.receiver.answers = (count) -> switch (count) {
			case 1 -> 500;
			case 2 -> 0;
			default -> 204;
		};
		try (Application application = instance().property("ojs.webhooks.timeout", "2s").start()) {
			subscribe(application, "job.completed");
			application.ojs().enqueue("sheet.print", 1);
			await().until(() -> this.receiver.posted.size() == 3);
			assertThat(this.receiver.posted).extracting((each) -> each.headers().get("X-ojs-delivery-id"))
				.containsOnly(this.receiver.posted.get(0).headers().get("X-ojs-delivery-id"));
			String id = this.receiver.posted.get(0).headers().get("X-ojs-delivery-id").substring("del_".length());
			await().untilAsserted(() -> assertThat(application.ojs().find(id)).hasValueSatisfying((job) -> {
				assertThat(job.errors()).extracting((error) -> error.type())
					.containsExactly("webhook.status_500", "webhook.timeout");
				assertThat(job.result()).asInstanceOf(InstanceOfAssertFactories.MAP).containsEntry("status_code", 204);
			}));
		}
	}

	@Test
	void whatIsGoneIsDeadAtOnceAndTriedAgainByHand() {
		this.receiver.answers = (count) -> (count == 1) ? 410 : 200;
		try (Application application = instance().web()
			.observed()
			.property("ojs.http.enabled", true)
			.property("ojs.http.allow-anonymous", true)
			.start()) {
			subscribe(application, "job.completed");
			application.ojs().enqueue("sheet.print", 1);
			JsonObjects json = new JsonObjects();
			String list = "/ojs/v1/webhooks/deliveries?status=";
			await().until(() -> ((List<?>) json.read(bytes(application.get(list + "dead").body())).get("deliveries"))
				.size() == 1);
			Map<?, ?> dead = (Map<?, ?>) ((List<?>) json.read(bytes(application.get(list + "dead").body()))
				.get("deliveries")).get(0);
			assertThat(dead.get("attempts")).isEqualTo(1);
			assertThat(((Map<?, ?>) dead.get("error")).get("type")).isEqualTo("webhook.status_410");
			String path = "/ojs/v1/webhooks/deliveries/" + dead.get("id");
			assertThat(application.post(path + "/retry", "{}").statusCode()).isEqualTo(200);
			await().until(() -> application.get(path).body().contains("\"delivered\""));
			assertThat(application.post(path + "/retry", "{}").statusCode()).isEqualTo(409);
			assertThat(this.receiver.posted).hasSize(2);
			MeterRegistry meters = application.bean(MeterRegistry.class);
			assertThat(meters.get("ojs.webhook.delivery").tag("status", "dead").timer().count()).isEqualTo(1);
			assertThat(meters.get("ojs.webhook.delivery").tag("status", "success").timer().count()).isEqualTo(1);
		}
	}

	@Test
	void whoSwitchesItOffGetsNothingMore() {
		this.receiver.answers = (count) -> 503;
		try (Application application = instance().property("ojs.webhooks.retry.initial-interval", "5s").start()) {
			String id = subscribe(application, "job.completed").webhook().id();
			application.ojs().enqueue("sheet.print", 1);
			await().until(() -> this.receiver.posted.size() == 1);
			application.bean(Webhooks.class).change(id, (settings) -> settings.active(false));
			String delivery = this.receiver.posted.get(0).headers().get("X-ojs-delivery-id").substring("del_".length());
			await().until(() -> application.ojs().find(delivery).map(Job::result).isPresent());
			assertThat(String.valueOf(application.ojs().find(delivery).orElseThrow().result())).contains("not active");
			assertThat(this.receiver.posted).hasSize(1);
		}
	}

	@Test
	void deliveryThatTheStoreHasNotMadeIsADeadLetterAndNotPosted() {
		try (Application application = instance().start()) {
			String webhook = subscribe(application, "job.completed").webhook().id();
			String id = new JobIdGenerator(Clock.systemUTC()).next();
			Map<String, Object> event = Map.of("specversion", "1.0", "id", "evt_" + id, "type", "job.completed",
					"source", "ojs://forged", "time", "2026-01-02T03:04:05Z", "subject", id, "data", Map.of());
			await().until(() -> client().exists("ojs.queue.ojs-webhooks"));
			client().publish("ojs-webhooks", RawClient.properties(id, "ojs.webhook.deliver").build(),
					new JsonObjects().write(Map.of("specversion", "1.0", "id", id, "type", "ojs.webhook.deliver",
							"queue", "ojs-webhooks", "args", List.of(event), "meta",
							Map.of("webhook_subscription_id", webhook))));
			// The store takes no dead letters of this type either, and puts it aside.
			GetResponse dead = client().take("ojs.queue.undecodable._ojs-webhooks");
			assertThat(dead.getProps().getMessageId()).isEqualTo(id);
			assertThat(RawClient.headers(dead)).containsEntry("x-ojs-error-code", "INVALID_PAYLOAD")
				.hasEntrySatisfying("x-ojs-error-message",
						(message) -> assertThat(message).contains("ojs.webhook.deliver", "does not have this one"));
			assertThat(application.ojs().find(id)).isEmpty();
			assertThat(application.events(id)).isEmpty();
			assertThat(this.receiver.posted).isEmpty();
		}
		assertThat(client().count("ojs.queue.ojs-webhooks")).isZero();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static class Printer {

		@OjsJobHandler(value = "sheet.print", queue = "paper")
		String print(int number) {
			return "printed";
		}

	}

	/** What was posted. */
	private record Posted(Map<String, String> headers, byte[] body) {

		Map<String, Object> json() {
			return new JsonObjects().read(this.body);
		}

		boolean isGenuine(String secret) {
			try {
				Mac mac = Mac.getInstance("HmacSHA256");
				mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
				String signed = this.headers.get("X-ojs-timestamp") + "."
						+ new String(this.body, StandardCharsets.UTF_8);
				return ("sha256=" + HexFormat.of().formatHex(mac.doFinal(bytes(signed))))
					.equals(this.headers.get("X-ojs-signature"));
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
		}

	}

	/** Answers with what it is told to; 0 is nothing at all. */
	private static final class Receiver implements AutoCloseable {

		private final List<Posted> posted = new CopyOnWriteArrayList<>();

		private final ExecutorService threads = Executors.newCachedThreadPool();

		private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
				0);

		private volatile IntUnaryOperator answers = (count) -> 200;

		Receiver() throws IOException {
			this.server.setExecutor(this.threads);
			this.server.createContext("/ojs", this::take);
			this.server.start();
		}

		private void take(HttpExchange exchange) throws IOException {
			Map<String, String> headers = new TreeMap<>();
			exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
			Posted taken = new Posted(headers, exchange.getRequestBody().readAllBytes());
			this.posted.add(taken);
			int status = this.answers.applyAsInt(this.posted.size());
			if (status != 0) {
				exchange.sendResponseHeaders(status, -1);
				exchange.close();
			}
		}

		String url() {
			return "http://localhost:" + this.server.getAddress().getPort() + "/ojs";
		}

		@Override
		public void close() {
			this.server.stop(0);
			this.threads.shutdownNow();
		}

	}

}
