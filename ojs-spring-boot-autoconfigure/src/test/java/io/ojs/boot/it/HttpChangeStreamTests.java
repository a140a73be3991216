package io.ojs.boot.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import io.ojs.test.internal.fault.FaultProxy;
import io.ojs.web.internal.stream.ChangeStreams;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Clients that hold the stream of changes open, at a real web server.
 */
class HttpChangeStreamTests extends BrokerTest {

	private Application.Starter starter() {
		return application()
			.database("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID()), "sa", "")
			.http();
	}

	@Test
	void changesArriveAndNothingElse() {
		try (Application application = starter().start();
				OpenStream stream = new OpenStream(application.port()).reading()) {
			assertThat(stream.status()).isEqualTo(200);
			assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream");
			assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
			assertThat(stream.header("OJS-Version")).isEqualTo("1.0");
			assertThat(stream.header("X-Request-Id")).isNotEmpty();
			await().until(() -> !stream.comments().isEmpty());
			awaitReading(application, stream);
			Job last = application.ojs().enqueue(JobRequest.of("last.look"));
			await().until(() -> stream.jobIds().contains(last.id()));
			int before = stream.changes().size();
			await().during(Duration.ofSeconds(5)).until(() -> stream.changes().size() == before);
			Job job = application.ojs().enqueue(JobRequest.of("parcel.send").queue("parcels"));
			application.post("/ojs/v1/queues/parcels/pause", "{}");
			await().until(() -> stream.jobIds().contains(job.id()));
			await().until(() -> stream.changes().stream().anyMatch((change) -> change.get("kinds").size() == 1));
			assertThat(stream.changes()).allSatisfy((change) -> {
				assertThat(change.get("more").asBoolean()).isFalse();
				assertThat(change.get("at").asString()).endsWith("Z");
			});
			assertThat(stream.changes().get(stream.changes().size() - 1).get("queues").toString())
				.isEqualTo("[\"parcels\"]");
		}
	}

	/** The first jobs may be older than the first look at the feed. */
	private static void awaitReading(Application application, OpenStream stream) {
		await().pollInterval(Duration.ofSeconds(1)).until(() -> {
			application.bean(OjsOperations.class).enqueue(JobRequest.of("first.look"));
			return !stream.changes().isEmpty();
		});
	}

	@Test
	void silentStreamIsKeptAlive() {
		try (Application application = starter().start();
				OpenStream stream = new OpenStream(application.port()).reading()) {
			await().until(() -> stream.comments().size() == 1);
			await().atMost(Duration.ofSeconds(40)).until(() -> stream.comments().size() == 3);
			assertThat(stream.changes()).isEmpty();
			assertThat(stream.isEnded()).isFalse();
		}
	}

	@Test
	void streamsBeyondTheLimitAreRefusedAndOthersTakeTheirPlace() {
		List<OpenStream> open = new ArrayList<>();
		try (Application application = starter().start()) {
			for (int i = 0; i < 100; i++) {
				open.add(new OpenStream(application.port()).reading());
				assertThat(open.get(i).status()).isEqualTo(200);
			}
			try (OpenStream refused = new OpenStream(application.port())) {
				assertThat(refused.status()).isEqualTo(503);
				assertThat(refused.header("Retry-After")).isEqualTo("30");
				assertThat(refused.header("Content-Type")).isEqualTo("application/openjobspec+json");
			}
			JsonNode error = JsonMapper.shared().readTree(application.get("/ojs/v1/events/stream").body()).get("error");
			assertThat(error.get("code").asString()).isEqualTo("too_many_streams");
			assertThat(error.get("message").asString()).contains("100", "ojs.http.max-streams");
			assertThat(application.get("/ojs/v1/me").statusCode()).isEqualTo(200);
			// Clients that are gone are noticed, without a farewell.
			open.subList(0, 60).forEach(OpenStream::close);
			awaitReading(application, open.get(99));
			await().untilAsserted(() -> {
				application.ojs().enqueue(JobRequest.of("parcel.send"));
				assertThat(application.bean(ChangeStreams.class).size()).isEqualTo(40);
			});
			try (OpenStream next = new OpenStream(application.port())) {
				assertThat(next.status()).isEqualTo(200);
			}
		}
		finally {
			open.forEach(OpenStream::close);
		}
	}

	@Test
	void tenantsHearOfTheirJobsAlone() {
		try (Application application = starter().property("ojs.tenancy.enabled", true)
			.property("ojs.tenancy.required", false)
			.start();
				OpenStream all = new OpenStream(application.port()).reading();
				OpenStream acme = new OpenStream(application.port(), "X-OJS-Tenant: acme").reading();
				OpenStream rival = new OpenStream(application.port(), "X-OJS-Tenant: rival").reading()) {
			awaitReading(application, all);
			String id = JsonMapper.shared()
				.readTree(application
					.ask("acme", "POST", "/jobs", "{\"type\":\"a.b\",\"args\":[],\"options\":{\"queue\":\"walnut\"}}")
					.body())
				.at("/job/id")
				.asString();
			await().until(() -> acme.jobIds().contains(id) && all.jobIds().contains(id));
			Job unowned = application.ojs().enqueue(JobRequest.of("a.b"));
			await().until(() -> all.jobIds().contains(unowned.id()));
			assertThat(acme.jobIds()).containsExactly(id);
			assertThat(rival.changes()).isEmpty();
		}
	}

	/** The web server must not wait for streams: they would never end. */
	@Test
	void stopEndsStreams() {
		Application application = starter().property("server.shutdown", "graceful")
			.property("spring.lifecycle.timeout-per-shutdown-phase", "20s")
			.start();
		try (OpenStream stream = new OpenStream(application.port()).reading()) {
			await().until(() -> !stream.comments().isEmpty());
			long began = System.nanoTime();
			application.close();
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
			await().until(stream::isEnded);
		}
	}

	@Test
	void noThreadIsThereWithoutStreams() {
		try (Application application = starter().start()) {
			try (OpenStream stream = new OpenStream(application.port()).reading()) {
				await().until(() -> !stream.comments().isEmpty());
				assertThat(threads()).isEqualTo(1);
			}
			await().untilAsserted(() -> {
				application.ojs().enqueue(JobRequest.of("parcel.send"));
				assertThat(threads()).isZero();
			});
		}
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ojs-changes"))
			.count();
	}

	/** Enqueueing goes on, and so do streams: they read the store alone. */
	@Test
	void brokerIsNotNeeded() {
		try (Application application = Application.on("amqp://localhost:1")
			.database("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID()), "sa", "")
			.http()
			.property("ojs.topology.declaration", "lazy")
			.start(); OpenStream stream = new OpenStream(application.port()).reading()) {
			awaitReading(application, stream);
			assertThat(stream.isEnded()).isFalse();
		}
	}

	/** The stream stays, says once that changes are unknown, and goes on later. */
	@Test
	void databaseThatIsAwayEndsNoStream() {
		try (FaultProxy proxy = FaultProxy.to(PostgresServer.shared());
				PostgresDatabase database = PostgresServer.shared().newDatabase();
				Application application = application()
					.database(through(proxy, database), database.username(), database.password())
					.http()
					.property("spring.datasource.hikari.connection-timeout", 2000)
					.start();
				OpenStream stream = new OpenStream(application.port()).reading()) {
			awaitReading(application, stream);
			proxy.refuse();
			proxy.reset();
			await().until(() -> stream.changes().get(stream.changes().size() - 1).get("more").asBoolean());
			int before = stream.changes().size();
			await().during(Duration.ofSeconds(6)).until(() -> !stream.isEnded() && stream.changes().size() == before);
			try (OpenStream other = new OpenStream(application.port())) {
				assertThat(other.status()).isEqualTo(200);
			}
			proxy.accept();
			await().until(() -> stream.changes().size() > before);
			assertThat(stream.changes().get(before).get("more").asBoolean()).isTrue();
			await().ignoreExceptions().untilAsserted(() -> {
				Job job = application.ojs().enqueue(JobRequest.of("parcel.send"));
				await().atMost(Duration.ofSeconds(5)).until(() -> stream.jobIds().contains(job.id()));
			});
			assertThat(stream.isEnded()).isFalse();
		}
	}

	private static String through(FaultProxy proxy, PostgresDatabase database) {
		String direct = PostgresServer.shared().host() + ":" + PostgresServer.shared().port();
		assertThat(database.url()).contains(direct);
		return database.url().replace(direct, proxy.host() + ":" + proxy.port());
	}

	@Test
	void noStreamsAreServedIfNoneAreAllowed() {
		try (Application application = starter().property("ojs.http.max-streams", 0).start()) {
			assertThat(application.get("/ojs/v1/events/stream").statusCode()).isEqualTo(503);
		}
	}

}
