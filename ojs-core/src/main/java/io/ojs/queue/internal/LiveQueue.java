package io.ojs.queue.internal;

import java.util.List;
import java.util.Optional;

import io.ojs.job.Job;
import io.ojs.job.internal.NamePatterns;
import io.ojs.queue.JobTypeNotAllowedException;
import io.ojs.queue.ProducerNotAllowedException;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueRefusedException;
import io.ojs.queue.QueueState;

/**
 * The current state and configuration of a queue.
 *
 * @param name its name
 * @param state its state
 * @param config its configuration, from all layers
 */
public record LiveQueue(String name, QueueState state, QueueConfig config) {

	/**
	 * Whether the queue refuses a job because of its type or its producer (§6.5).
	 * @return the refusal; empty if the queue takes the job
	 */
	public Optional<QueueRefusedException> refusal(Job job, String producer) {
		return typeRefusal(job).or(() -> producerRefusal(job, producer));
	}

	/**
	 * Whether the queue refuses a job because of its type (§6.5).
	 * @return the refusal; empty if the queue takes jobs of this type
	 */
	public Optional<QueueRefusedException> typeRefusal(Job job) {
		List<String> types = this.config.allowedJobTypes();
		return (types != null && !NamePatterns.matches(types, job.type()))
				? Optional.of(new JobTypeNotAllowedException(job, types)) : Optional.empty();
	}

	/**
	 * Whether the queue refuses a job because of its producer (§6.5).
	 * @return the refusal; empty if the queue takes jobs of this producer
	 */
	public Optional<QueueRefusedException> producerRefusal(Job job, String producer) {
		List<String> producers = this.config.producers();
		return (producers != null && !NamePatterns.matches(producers, producer))
				? Optional.of(new ProducerNotAllowedException(job, producer, producers)) : Optional.empty();
	}

}
