package io.ojs.queue.internal.lifecycle;

import java.time.Duration;

import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.internal.Producers;

/**
 * Options of {@link QueueAdmission}, beside the configurations of queues.
 *
 * @param strictQueues whether to refuse jobs for unknown queues
 * @param producers the names of producers, for queues that take jobs of some only
 * @param blockTimeout how long a producer waits for room in a full queue with
 * {@link OverflowPolicy#BLOCK}
 */
public record AdmissionOptions(boolean strictQueues, Producers producers, Duration blockTimeout) {

	/** The default of {@link #blockTimeout}. */
	public static final Duration DEFAULT_BLOCK_TIMEOUT = Duration.ofSeconds(5);

}
