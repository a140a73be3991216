package io.ojs.boot.it;

import java.io.IOException;
import java.nio.file.Path;

import io.ojs.amqp.deadletter.BrokerDeadLetterFilter;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.amqp.deadletter.ReplayRequest;

/**
 * A replay in a process of its own, there to be killed.
 */
final class CrashingReplayer {

	private CrashingReplayer() {
	}

	/**
	 * Replays every job of one type.
	 * @param arguments the URI of the broker and the job type
	 */
	public static void main(String[] arguments) {
		try (Application application = Application.on(arguments[0]).property("ojs.worker.enabled", false).start()) {
			application.bean(DeadLetterReplayer.class)
				.replay(ReplayRequest.of("email").filter(BrokerDeadLetterFilter.ANY.type(arguments[1])));
		}
	}

	static Process start(String amqpUri, String type, Path log) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), CrashingReplayer.class.getName(), amqpUri, type)
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
	}

}
