package io.ojs.sample;

import java.nio.file.Path;
import java.util.Set;

import io.ojs.test.broker.PrivateRabbitNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An upload while there is no broker.
 */
@Tag("broker")
class BrokerAwayTests {

	@Test
	void isTakenAndWorkedLater(@TempDir Path directory) throws Exception {
		GalleryTest.bePatient();
		try (PrivateRabbitNode broker = PrivateRabbitNode.create();
				ConfigurableApplicationContext gallery = SpringApplication.run(GalleryApplication.class,
						"--server.port=0", "--gallery.directory=" + directory,
						"--spring.rabbitmq.addresses=" + broker.newVirtualHost().uri())) {
			GalleryClient client = new GalleryClient(
					gallery.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			broker.stop();
			String id = client.uploadSmall(60, 40);
			assertThat(client.states(id)).containsExactly("available");
			broker.start();
			await().until(() -> client.renditions(id).size() == 5);
			await().until(() -> client.states(id).equals(Set.of("completed")));
		}
	}

}
