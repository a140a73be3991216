package io.ojs.amqp.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.topology.TopologyDeclarer;
import io.ojs.client.BatchEnqueueException;
import io.ojs.client.EncodedJob;
import io.ojs.client.EnqueueException;
import io.ojs.client.JobFactory;
import io.ojs.client.OjsOperations;
import io.ojs.client.UnsupportedJobException;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Enqueues jobs by publishing them (AMQP binding §5.1): {@code mandatory}, and not done
 * before the broker has confirmed. Safe for use by many threads.
 *
 * <p>
 * Beyond what {@link OjsOperations} says, a job that is not known to be safe is one of
 * {@link UnroutableJobException}, {@link NackedJobException},
 * {@link ConfirmTimeoutException} and {@link BrokerUnavailableException}.
 */
public class OjsTemplate implements OjsOperations {

	/** Default of how long to wait for a confirm. */
	public static final Duration DEFAULT_CONFIRM_TIMEOUT = Duration.ofSeconds(5);

	private final JobFactory jobs;

	private final JobMessages messages;

	private final ConfirmingPublisher publisher;

	private final TopologyDeclarer declarer;

	private final JobEvents events;

	private final Duration confirmTimeout;

	/**
	 * Creates a template.
	 * @param jobs makes jobs out of requests
	 * @param messages makes messages out of jobs
	 * @param publisher publishes them
	 * @param declarer makes sure that their queues exist
	 * @param events is told of each job that is safe
	 * @param confirmTimeout how long to wait for a confirm
	 */
	public OjsTemplate(JobFactory jobs, JobMessages messages, ConfirmingPublisher publisher, TopologyDeclarer declarer,
			JobEvents events, Duration confirmTimeout) {
		this.jobs = jobs;
		this.messages = messages;
		this.publisher = publisher;
		this.declarer = declarer;
		this.events = events;
		this.confirmTimeout = confirmTimeout;
	}

	@Override
	public Job enqueue(JobRequest request) {
		EncodedJob job = create(request);
		EnqueueException failure = await(job.job(), publish(List.of(job)).get(0), deadline());
		if (failure != null) {
			throw failure;
		}
		return job.job();
	}

	@Override
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		List<EncodedJob> batch = requests.stream().map(this::create).toList();
		if (batch.isEmpty()) {
			return List.of();
		}
		List<CompletableFuture<PublishOutcome>> outcomes = publish(batch);
		List<Job> enqueued = new ArrayList<>(batch.size());
		List<EnqueueException> failures = new ArrayList<>();
		long deadline = deadline();
		for (int i = 0; i < batch.size(); i++) {
			EnqueueException failure = await(batch.get(i).job(), outcomes.get(i), deadline);
			if (failure != null) {
				failures.add(failure);
			}
			else {
				enqueued.add(batch.get(i).job());
			}
		}
		if (!failures.isEmpty()) {
			throw new BatchEnqueueException(enqueued, failures);
		}
		return enqueued;
	}

	@Override
	public CompletableFuture<Job> enqueueAsync(JobRequest request) {
		EncodedJob job = create(request);
		CompletableFuture<PublishOutcome> outcome;
		try {
			outcome = publish(List.of(job)).get(0);
		}
		catch (EnqueueException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		// Asynchronously, since the caller's own stages must not run on, and hold up, the
		// thread that reads the connection.
		return outcome.orTimeout(this.confirmTimeout.toNanos(), TimeUnit.NANOSECONDS).handleAsync((result, thrown) -> {
			EnqueueException failure = (thrown != null) ? new ConfirmTimeoutException(job.job(), this.confirmTimeout)
					: failure(job.job(), result);
			if (failure != null) {
				throw failure;
			}
			return job.job();
		});
	}

	private EncodedJob create(JobRequest request) {
		EncodedJob job = this.jobs.create(request);
		if (job.job().state() == JobState.SCHEDULED) {
			throw new UnsupportedJobException("scheduled_at",
					"this version cannot hold a job back until a later time. Enqueue it when it is due.");
		}
		return job;
	}

	private List<CompletableFuture<PublishOutcome>> publish(List<EncodedJob> batch) {
		try {
			batch.stream().map((job) -> job.job().queue()).distinct().forEach(this.declarer::ensureQueue);
			return this.publisher.publishAll(batch.stream().map(this::message).toList());
		}
		catch (AmqpException ex) {
			throw new BrokerUnavailableException(batch.get(0).job(), false, ex);
		}
	}

	private OutgoingMessage message(EncodedJob job) {
		return new OutgoingMessage(this.declarer.topology().naming().directExchange(), job.job().queue(),
				this.messages.properties(job), job.body());
	}

	private long deadline() {
		return System.nanoTime() + this.confirmTimeout.toNanos();
	}

	private @Nullable EnqueueException await(Job job, CompletableFuture<PublishOutcome> outcome, long deadline) {
		try {
			return failure(job, outcome.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			return new ConfirmTimeoutException(job, this.confirmTimeout);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new BrokerUnavailableException(job, true, ex);
		}
		catch (ExecutionException ex) {
			return new BrokerUnavailableException(job, true, ex.getCause());
		}
	}

	private @Nullable EnqueueException failure(Job job, PublishOutcome outcome) {
		if (outcome instanceof PublishOutcome.Returned returned) {
			// Whoever deleted the queue gets it back on the next attempt.
			this.declarer.forget();
			return new UnroutableJobException(job, returned.code(), returned.text());
		}
		if (outcome instanceof PublishOutcome.Nacked) {
			return new NackedJobException(job);
		}
		if (outcome instanceof PublishOutcome.Lost lost) {
			return new BrokerUnavailableException(job, true, lost.cause());
		}
		this.events.publish(new JobEvent.Enqueued(job));
		return null;
	}

}
