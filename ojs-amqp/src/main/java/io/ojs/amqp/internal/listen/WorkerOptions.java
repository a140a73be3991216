package io.ojs.amqp.internal.listen;

import java.time.Duration;
import java.util.List;

import io.ojs.amqp.DeadLettering;
import io.ojs.amqp.JobListenerContainerCustomizer;
import io.ojs.amqp.internal.observe.AmqpMetrics;

/**
 * Options of a {@link JobWorker} beside the settings of its queues.
 *
 * @param confirmTimeout how long to wait for a connection before the next try, and for
 * the confirm of a retry or dead letter before a warning is logged
 * @param shutdownGrace how long running jobs may go on when the application stops; after
 * that, they are interrupted, and other workers get them
 * @param deadLetters how jobs that failed for good get to the dead letter queue
 * @param customizers change the listener containers
 * @param metrics counts what consumers do
 */
public record WorkerOptions(Duration confirmTimeout, Duration shutdownGrace, DeadLettering deadLetters,
		List<JobListenerContainerCustomizer> customizers, AmqpMetrics metrics) {

	public WorkerOptions {
		customizers = List.copyOf(customizers);
	}

}
