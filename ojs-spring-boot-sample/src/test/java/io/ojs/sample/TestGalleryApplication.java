package io.ojs.sample;

import io.ojs.test.LocalBroker;

import org.springframework.boot.SpringApplication;

/**
 * Runs the gallery with a RabbitMQ of its own.
 */
final class TestGalleryApplication {

	private TestGalleryApplication() {
	}

	public static void main(String[] args) {
		SpringApplication.from(GalleryApplication::main).with(LocalBroker.class).run(args);
	}

}
