package io.ojs.test.broker;

import java.nio.file.Path;
import java.util.Map;

/**
 * A RabbitMQ on disk that can be run.
 *
 * @param scripts the folder with {@code rabbitmq-server} and {@code rabbitmqctl}, the
 * ones that do not change user
 * @param erlang the folder with {@code erl} and {@code epmd}
 * @param environment what this installation needs in its environment
 */
record RabbitInstallation(Path scripts, Path erlang, Map<String, String> environment) {

	@Override
	public String toString() {
		return this.scripts.toString();
	}

}
