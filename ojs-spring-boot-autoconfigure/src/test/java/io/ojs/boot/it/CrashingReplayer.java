package io.ojs.boot.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOptions;

/**
 * A replay in a process of its own, there to be killed. Before it is through it stands
 * still, so that a test that is slow kills it in the middle too.
 */
final class CrashingReplayer {

	private CrashingReplayer() {
	}

	/**
	 * Replays every job of one type.
	 * @param arguments the URI of the broker, the job type, and after how many it stands
	 * still
	 */
	public static void main(String[] arguments) {
		long holdAfter = Long.parseLong(arguments[2]);
		try (Application application = Application.on(arguments[0]).property("ojs.worker.enabled", false).start()) {
			application.bean(DeadLetterReplayer.class)
				.replayAll(DeadLetterFilter.ANY.queue("email").type(arguments[1]), ReplayOptions.CONFIRMED,
						(progress) -> {
							while (progress.replayed() >= holdAfter) {
								LockSupport.park();
							}
						});
		}
	}

	static Process start(String amqpUri, String type, long holdAfter, Path log) throws IOException {
		List<String> command = new ArrayList<>(
				ClassArchive.java(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")));
		command.addAll(List.of(CrashingReplayer.class.getName(), amqpUri, type, Long.toString(holdAfter)));
		return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
	}

}
