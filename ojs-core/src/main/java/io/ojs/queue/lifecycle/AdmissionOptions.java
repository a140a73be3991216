package io.ojs.queue.lifecycle;

import java.time.Duration;

import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.Producers;

/**
 * What {@link QueueAdmission} goes by, beside what queues say.
 *
 * @param strictQueues whether jobs for queues that nobody knows are refused
 * @param producers know who enqueues, for queues that only some may enqueue to
 * @param blockTimeout how long to wait for room in a full queue of the policy
 * {@link OverflowPolicy#BLOCK}
 */
public record AdmissionOptions(boolean strictQueues, Producers producers, Duration blockTimeout) {

	/** Default of {@link #blockTimeout}. */
	public static final Duration DEFAULT_BLOCK_TIMEOUT = Duration.ofSeconds(5);

}
