package io.ojs.amqp.listen;

import java.time.Duration;
import java.util.List;

import io.ojs.amqp.observe.AmqpMetrics;

/**
 * How a {@link JobWorker} works, beside what its queues say.
 *
 * @param confirmTimeout how long to wait for the confirm of a retry or dead letter before
 * it is published again
 * @param shutdownGrace how long running jobs may go on when the application stops; after
 * that the broker hands them to another worker
 * @param deadLetters how jobs that failed for good get to the dead letter queue
 * @param customizers change the listener containers
 * @param metrics is told what consumers do
 */
public record WorkerOptions(Duration confirmTimeout, Duration shutdownGrace, DeadLettering deadLetters,
		List<JobListenerContainerCustomizer> customizers, AmqpMetrics metrics) {

	public WorkerOptions {
		customizers = List.copyOf(customizers);
	}

}
