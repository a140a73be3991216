package io.ojs.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.ojs.test.broker.LocalBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * A test of the whole gallery, on a real broker and a real disk. All of them share one
 * that runs.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "ojs.queue-defaults.retry.initial-interval=200ms", "gallery.max-upload=1MB",
				"gallery.heartbeat=300ms" })
@Import(LocalBroker.class)
@Tag("broker")
abstract class GalleryTest {

	static final Path DIRECTORY = directory();

	@LocalServerPort
	private int port;

	private GalleryClient client;

	@BeforeAll
	static void bePatient() {
		// Paintings wait for each other. Contexts share the store and not the broker, so
		// jobs may wait until the store publishes them again.
		Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
	}

	private static Path directory() {
		try {
			return Files.createTempDirectory(Path.of("target"), "gallery-").toAbsolutePath();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@DynamicPropertySource
	static void keepPhotosInTarget(DynamicPropertyRegistry registry) {
		registry.add("gallery.directory", DIRECTORY::toString);
	}

	@BeforeEach
	void connect() {
		this.client = new GalleryClient(this.port);
	}

	final GalleryClient client() {
		return this.client;
	}

}
