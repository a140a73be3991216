package io.ojs.sample;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.ojs.test.broker.LocalBroker;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;

import org.springframework.boot.SpringApplication;

/**
 * Runs the gallery with a RabbitMQ of its own; with {@code --postgres}, with a PostgreSQL
 * of its own, too; with {@code --conformance}, with what the conformance cases need: jobs
 * that say what workers should do, and {@link ResetController}.
 */
final class TestGalleryApplication {

	private static final String POSTGRES = "--postgres";

	private static final String CONFORMANCE = "--conformance";

	private TestGalleryApplication() {
	}

	public static void main(String[] args) {
		List<String> given = Arrays.asList(args);
		String[] all = given.contains(POSTGRES) ? withDatabase(args) : args;
		Class<?>[] beans = given.contains(CONFORMANCE) ? new Class<?>[] { LocalBroker.class, TestDirectives.class }
				: new Class<?>[] { LocalBroker.class };
		SpringApplication.from(GalleryApplication::main).with(beans).run(all);
	}

	/** It ends with this JVM. */
	private static String[] withDatabase(String[] args) {
		PostgresDatabase database = PostgresServer.shared().newDatabase();
		List<String> connection = List.of("--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password());
		return Stream.concat(Arrays.stream(args).filter((arg) -> !arg.equals(POSTGRES)), connection.stream())
			.toArray(String[]::new);
	}

}
