package io.ojs.sample;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A gallery that is stopped in the middle of its work and started again.
 */
@Tag("broker")
class RestartTests {

	private static final Set<String> ALL = Set.of("thumbnail", "palette", "watermark", "painting", "published");

	@TempDir
	private Path directory;

	@BeforeAll
	static void bePatient() {
		// Paintings of several photos, and attempts that wait behind them.
		Awaitility.setDefaultTimeout(Duration.ofSeconds(90));
	}

	@Test
	void goesOnWhereItStopped() throws Exception {
		try (VirtualHost broker = RabbitBroker.shared().newVirtualHost()) {
			stopInTheMiddleAndGoOn(broker, broker);
		}
	}

	/** Its messages are published again once they are missed. */
	@Test
	void goesOnWithBrokerThatIsNew() throws Exception {
		try (VirtualHost before = RabbitBroker.shared().newVirtualHost();
				VirtualHost after = RabbitBroker.shared().newVirtualHost()) {
			stopInTheMiddleAndGoOn(before, after);
		}
	}

	private void stopInTheMiddleAndGoOn(VirtualHost before, VirtualHost after) throws Exception {
		List<String> photos = new ArrayList<>();
		String broken;
		JsonNode done;
		try (ConfigurableApplicationContext gallery = start(before, "5m")) {
			GalleryClient client = client(gallery);
			photos.add(client.uploadShipped("wind-and-sand.jpg"));
			await().until(() -> client.renditions(photos.get(0)).equals(ALL));
			await().until(() -> client.states(photos.get(0)).equals(Set.of("completed")));
			done = client.history(photos.get(0));
			broken = client.uploadShipped("broken.jpg");
			for (String name : List.of("evening-ridges.jpg", "northern-lights.jpg")) {
				photos.add(client.uploadShipped(name));
			}
			await().until(() -> client.states(broken).contains("retryable"));
			assertThat(client.states(photos.get(2))).contains("available");
		}
		try (ConfigurableApplicationContext gallery = start(after, (before == after) ? "5m" : "1s")) {
			GalleryClient client = client(gallery);
			assertThat(client.history(photos.get(0))).isEqualTo(done);
			assertThat(client.jobs(photos.get(0)).stream().map((job) -> job.path("state").asString()))
				.containsExactly("done", "done", "done", "done", "done");
			assertThat(client.jobs(broken)).hasSize(4);
			await().until(() -> client.states(broken).equals(Set.of("discarded")));
			JsonNode failed = client.history(broken).get(0);
			assertThat(failed.path("failures").valueStream().map((failure) -> failure.path("attempt").asInt()))
				.containsExactly(1, 2, 3);
			for (String photo : photos) {
				await().until(() -> client.renditions(photo).equals(ALL));
				await().until(() -> client.states(photo).equals(Set.of("completed")));
			}
		}
		assertThat(this.directory.resolve("jobs.mv.db")).isRegularFile();
	}

	private ConfigurableApplicationContext start(VirtualHost broker, String overdue) {
		return SpringApplication.run(GalleryApplication.class, "--server.port=0",
				"--gallery.directory=" + this.directory, "--spring.rabbitmq.addresses=" + broker.uri(),
				"--ojs.store.overdue-after=" + overdue, "--ojs.queue-defaults.retry.initial-interval=1s");
	}

	private static GalleryClient client(ConfigurableApplicationContext gallery) {
		return new GalleryClient(gallery.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

}
