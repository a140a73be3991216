package io.ojs.amqp.internal.publish;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.ConfirmTimeoutException;
import io.ojs.amqp.JobRefusedException;
import io.ojs.amqp.NackedJobException;
import io.ojs.amqp.UnroutableJobException;
import io.ojs.amqp.UnsendableJobException;
import io.ojs.client.OjsOperations;
import io.ojs.client.internal.Enqueuer;
import io.ojs.client.internal.JobControl;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.job.internal.JobRules;

/**
 * Enqueues jobs (AMQP binding §5.1), at the broker alone or through a job store.
 * Thread-safe.
 *
 * <p>
 * In addition to {@link OjsOperations}: if a job is not confirmed by the broker, the
 * exception is an {@link UnroutableJobException}, {@link NackedJobException},
 * {@link JobRefusedException}, {@link UnsendableJobException},
 * {@link ConfirmTimeoutException} or {@link BrokerUnavailableException}. With a job store
 * it is an {@link io.ojs.store.JobNotStoredException}.
 */
public class OjsTemplate implements OjsOperations {

	/** Default of the time to wait for a confirm. */
	public static final Duration DEFAULT_CONFIRM_TIMEOUT = Duration.ofSeconds(5);

	private final Enqueuer enqueuer;

	private final JobControl control;

	public OjsTemplate(Enqueuer enqueuer, JobControl control) {
		this.enqueuer = enqueuer;
		this.control = control;
	}

	@Override
	public Job enqueue(JobRequest request) {
		return this.enqueuer.enqueue(request);
	}

	@Override
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		return this.enqueuer.enqueueAll(requests);
	}

	@Override
	public CompletableFuture<Job> enqueueAsync(JobRequest request) {
		return this.enqueuer.enqueueAsync(request);
	}

	@Override
	public void cancel(String queue, String jobId) {
		this.control.cancel(JobRules.queue(queue), JobRules.id(jobId));
	}

	@Override
	public Optional<Job> find(String queue, String jobId) {
		return this.control.find(JobRules.queue(queue), JobRules.id(jobId));
	}

	@Override
	public Optional<Job> find(String jobId) {
		return this.control.find(JobRules.id(jobId));
	}

	@Override
	public Optional<Job> cancel(String jobId) {
		return this.control.cancel(JobRules.id(jobId));
	}

	@Override
	public List<Job> list(JobQuery query) {
		return this.control.list(query);
	}

	@Override
	public Optional<Job> activate(String jobId) {
		return this.control.activate(JobRules.id(jobId));
	}

}
