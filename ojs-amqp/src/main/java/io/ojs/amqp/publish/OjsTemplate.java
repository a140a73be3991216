package io.ojs.amqp.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.ojs.OjsException;
import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.trace.JobSpan;
import io.ojs.amqp.trace.JobTracing;
import io.ojs.client.BatchEnqueueException;
import io.ojs.client.EncodedJob;
import io.ojs.client.EnqueueException;
import io.ojs.client.JobFactory;
import io.ojs.client.OjsOperations;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
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

	private final JobRouter router;

	private final JobEvents events;

	private final JobTracing tracing;

	private final Duration confirmTimeout;

	/**
	 * Creates a template.
	 * @param jobs makes jobs out of requests
	 * @param messages makes messages out of jobs
	 * @param publisher publishes them
	 * @param router knows where to publish them
	 * @param events is told of each job that is safe
	 * @param tracing makes a span of each job
	 * @param confirmTimeout how long to wait for a confirm; of a batch, for the next one
	 */
	public OjsTemplate(JobFactory jobs, JobMessages messages, ConfirmingPublisher publisher, JobRouter router,
			JobEvents events, JobTracing tracing, Duration confirmTimeout) {
		this.jobs = jobs;
		this.messages = messages;
		this.publisher = publisher;
		this.router = router;
		this.events = events;
		this.tracing = tracing;
		this.confirmTimeout = confirmTimeout;
	}

	@Override
	public Job enqueue(JobRequest request) {
		InFlight inFlight = publish(List.of(this.jobs.create(request))).get(0);
		EnqueueException failure = end(inFlight, await(inFlight, this.confirmTimeout));
		if (failure != null) {
			throw failure;
		}
		return inFlight.job();
	}

	@Override
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		// All are made before the first is sent: a bad one stops them all.
		List<EncodedJob> batch = requests.stream().map(this.jobs::create).toList();
		if (batch.isEmpty()) {
			return List.of();
		}
		List<Job> enqueued = new ArrayList<>(batch.size());
		List<EnqueueException> failures = new ArrayList<>();
		Duration patience = this.confirmTimeout;
		for (InFlight inFlight : publish(batch)) {
			EnqueueException failure = end(inFlight, await(inFlight, patience));
			if (failure == null) {
				enqueued.add(inFlight.job());
				continue;
			}
			failures.add(failure);
			if (failure instanceof ConfirmTimeoutException) {
				// The others had as much time as this one.
				patience = Duration.ZERO;
			}
		}
		if (!failures.isEmpty()) {
			throw new BatchEnqueueException(enqueued, failures);
		}
		return enqueued;
	}

	@Override
	public CompletableFuture<Job> enqueueAsync(JobRequest request) {
		InFlight inFlight = publish(List.of(this.jobs.create(request))).get(0);
		// Asynchronously, since the caller's own stages must not run on, and hold up, the
		// thread that reads the connection.
		return inFlight.outcome()
			.completeOnTimeout(new PublishOutcome.Unknown(), this.confirmTimeout.toNanos(), TimeUnit.NANOSECONDS)
			.thenApplyAsync((outcome) -> {
				EnqueueException failure = end(inFlight, outcome);
				if (failure != null) {
					throw failure;
				}
				return inFlight.job();
			});
	}

	private List<InFlight> publish(List<EncodedJob> batch) {
		List<JobSpan> spans = batch.stream().map((job) -> this.tracing.enqueue(job.job())).toList();
		List<CompletableFuture<PublishOutcome>> outcomes;
		try {
			List<OutgoingMessage> outgoing = new ArrayList<>(batch.size());
			for (int i = 0; i < batch.size(); i++) {
				outgoing.add(message(batch.get(i), spans.get(i)));
			}
			outcomes = this.publisher.publishAll(outgoing);
		}
		catch (AmqpException ex) {
			PublishOutcome unsent = new PublishOutcome.Unsent(ex);
			outcomes = batch.stream().map((job) -> CompletableFuture.completedFuture(unsent)).toList();
		}
		catch (OjsException ex) {
			spans.forEach((span) -> span.failed(ex));
			spans.forEach(JobSpan::close);
			throw ex;
		}
		List<InFlight> inFlight = new ArrayList<>(batch.size());
		for (int i = 0; i < batch.size(); i++) {
			inFlight.add(new InFlight(batch.get(i).job(), spans.get(i), outcomes.get(i)));
		}
		return inFlight;
	}

	private OutgoingMessage message(EncodedJob job, JobSpan span) {
		JobRouter.Route route = this.router.route(job.job());
		return new OutgoingMessage(route.exchange(), route.routingKey(), this.messages.properties(job, span.headers()),
				job.body());
	}

	private static PublishOutcome await(InFlight inFlight, Duration patience) {
		try {
			return inFlight.outcome().get(patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			return new PublishOutcome.Unknown();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new PublishOutcome.Lost(ex);
		}
		catch (ExecutionException ex) {
			return new PublishOutcome.Lost(ex.getCause());
		}
	}

	/** Tells whoever wants to know; what the caller learns is returned. */
	private @Nullable EnqueueException end(InFlight inFlight, PublishOutcome outcome) {
		EnqueueException failure = failure(inFlight.job(), outcome);
		if (failure != null) {
			inFlight.span().failed(failure);
		}
		inFlight.span().close();
		if (failure == null) {
			this.events.publish(new JobEvent.Enqueued(inFlight.job()));
		}
		return failure;
	}

	private @Nullable EnqueueException failure(Job job, PublishOutcome outcome) {
		if (outcome instanceof PublishOutcome.Returned returned) {
			// Whoever deleted the queue gets it back on the next attempt.
			this.router.forget();
			return new UnroutableJobException(job, returned.code(), returned.text());
		}
		if (outcome instanceof PublishOutcome.Nacked) {
			return new NackedJobException(job);
		}
		if (outcome instanceof PublishOutcome.Unknown) {
			return new ConfirmTimeoutException(job, this.confirmTimeout);
		}
		if (outcome instanceof PublishOutcome.Lost lost) {
			return new BrokerUnavailableException(job, true, lost.cause());
		}
		if (outcome instanceof PublishOutcome.Unsendable unsendable) {
			return new UnsendableJobException(job, unsendable.cause());
		}
		if (outcome instanceof PublishOutcome.Unsent unsent) {
			return new BrokerUnavailableException(job, false, unsent.cause());
		}
		return null;
	}

	/**
	 * A job on its way.
	 *
	 * @param job the job
	 * @param span ends when the broker has answered
	 * @param outcome what becomes of it
	 */
	private record InFlight(Job job, JobSpan span, CompletableFuture<PublishOutcome> outcome) {
	}

}
