package io.ojs.test.broker;

import java.nio.file.Path;
import java.util.Map;

/**
 * An installation of RabbitMQ on disk.
 *
 * @param scripts the folder with {@code rabbitmq-server} and {@code rabbitmqctl}, in
 * their versions that do not change the user
 * @param erlang the folder with {@code erl} and {@code epmd}
 * @param environment environment variables that this installation needs
 */
record RabbitInstallation(Path scripts, Path erlang, Map<String, String> environment) {

	@Override
	public String toString() {
		return this.scripts.toString();
	}

}
