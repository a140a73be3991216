package io.ojs.amqp.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ojs.OjsException;
import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.amqp.trace.JobSpan;
import io.ojs.amqp.trace.JobTracing;
import io.ojs.client.BatchEnqueueException;
import io.ojs.client.EncodedJob;
import io.ojs.client.EnqueueException;
import io.ojs.client.JobControl;
import io.ojs.client.JobFactory;
import io.ojs.client.OjsOperations;
import io.ojs.client.UnsupportedJobException;
import io.ojs.event.JobEvent;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobRules;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Enqueues jobs by publishing them (AMQP binding §5.1): {@code mandatory}, and not done
 * before the broker has confirmed. Safe for use by many threads.
 *
 * <p>
 * Beyond what {@link OjsOperations} says, a job that is not known to be safe is one of
 * {@link UnroutableJobException}, {@link NackedJobException},
 * {@link JobRefusedException}, {@link ConfirmTimeoutException} and
 * {@link BrokerUnavailableException}. A job that went down with a connection is published
 * again on the next one, with the same id.
 */
public class OjsTemplate implements OjsOperations {

	/** Default of how long to wait for a confirm. */
	public static final Duration DEFAULT_CONFIRM_TIMEOUT = Duration.ofSeconds(5);

	private final JobFactory jobs;

	private final JobMessages messages;

	private final PatientPublisher publisher;

	private final JobRouter router;

	private final JobEvents events;

	private final JobTracing tracing;

	private final JobControl control;

	/**
	 * Creates a template.
	 * @param jobs makes jobs out of requests
	 * @param messages makes messages out of jobs
	 * @param publisher publishes them, and waits for the broker's answer
	 * @param router knows where to publish them
	 * @param events is told of each job that is safe
	 * @param tracing makes a span of each job
	 * @param control asks for what is enqueued already
	 */
	public OjsTemplate(JobFactory jobs, JobMessages messages, PatientPublisher publisher, JobRouter router,
			JobEvents events, JobTracing tracing, JobControl control) {
		this.jobs = jobs;
		this.messages = messages;
		this.publisher = publisher;
		this.router = router;
		this.events = events;
		this.tracing = tracing;
		this.control = control;
	}

	@Override
	public Job enqueue(JobRequest request) {
		InFlight inFlight = prepare(List.of(create(request))).get(0);
		EnqueueException failure = end(inFlight, publish(List.of(inFlight)).get(0));
		if (failure != null) {
			throw failure;
		}
		return inFlight.job();
	}

	@Override
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		// All are made before the first is sent: a bad one stops them all.
		List<EncodedJob> batch = requests.stream().map(this::create).toList();
		if (batch.isEmpty()) {
			return List.of();
		}
		List<InFlight> inFlight = prepare(batch);
		List<PublishOutcome> outcomes = publish(inFlight);
		List<Job> enqueued = new ArrayList<>(batch.size());
		List<EnqueueException> failures = new ArrayList<>();
		for (int i = 0; i < outcomes.size(); i++) {
			EnqueueException failure = end(inFlight.get(i), outcomes.get(i));
			if (failure == null) {
				enqueued.add(inFlight.get(i).job());
			}
			else {
				failures.add(failure);
			}
		}
		if (!failures.isEmpty()) {
			throw new BatchEnqueueException(enqueued, failures);
		}
		return enqueued;
	}

	@Override
	public CompletableFuture<Job> enqueueAsync(JobRequest request) {
		InFlight inFlight = prepare(List.of(create(request))).get(0);
		// Asynchronously, since the caller's own stages must not run on, and hold up, the
		// thread that reads the connection.
		return outcome(inFlight).thenApplyAsync((outcome) -> {
			EnqueueException failure = end(inFlight, outcome);
			if (failure != null) {
				throw failure;
			}
			return inFlight.job();
		});
	}

	@Override
	public void cancel(String queue, String jobId) {
		this.control.cancel(JobRules.queue(queue), JobRules.id(jobId));
	}

	@Override
	public Optional<Job> find(String queue, String jobId) {
		return this.control.find(JobRules.queue(queue), JobRules.id(jobId));
	}

	private EncodedJob create(JobRequest request) {
		EncodedJob job = this.jobs.create(request);
		if (job.uniqueKey() != null) {
			throw new UnsupportedJobException("unique",
					"jobs like it are looked for in a job store, and there is none: add ojs-jdbc and a DataSource.");
		}
		return job;
	}

	private CompletableFuture<PublishOutcome> outcome(InFlight inFlight) {
		return (inFlight.message() != null) ? this.publisher.publish(inFlight.message())
				: CompletableFuture.completedFuture(inFlight.unsent());
	}

	private List<PublishOutcome> publish(List<InFlight> batch) {
		PublishOutcome unsent = batch.get(0).unsent();
		if (unsent != null) {
			return Collections.nCopies(batch.size(), unsent);
		}
		return this.publisher.publishAll(batch.stream().map(InFlight::message).toList());
	}

	/** Makes messages of all jobs, or of none. */
	private List<InFlight> prepare(List<EncodedJob> batch) {
		List<JobSpan> spans = batch.stream().map((job) -> this.tracing.enqueue(job.job())).toList();
		List<InFlight> prepared = new ArrayList<>(batch.size());
		try {
			for (int i = 0; i < batch.size(); i++) {
				prepared.add(new InFlight(batch.get(i).job(), spans.get(i), message(batch.get(i), spans.get(i)), null));
			}
			return prepared;
		}
		catch (AmqpException ex) {
			PublishOutcome unsent = new PublishOutcome.Unsent(ex);
			prepared.clear();
			for (int i = 0; i < batch.size(); i++) {
				prepared.add(new InFlight(batch.get(i).job(), spans.get(i), null, unsent));
			}
			return prepared;
		}
		catch (OjsException ex) {
			spans.forEach((span) -> span.failed(ex));
			spans.forEach(JobSpan::close);
			throw ex;
		}
	}

	private OutgoingMessage message(EncodedJob job, JobSpan span) {
		return this.router.route(job.job())
			.message(job.job().queue(), this.messages.properties(job, span.headers()), job.body());
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
		if (outcome instanceof PublishOutcome.Refused refused) {
			// An exchange that somebody deleted is declared on the next attempt.
			this.router.forget();
			return JobRefusedException.of(job, refused.code(), refused.text());
		}
		if (outcome instanceof PublishOutcome.Unknown) {
			return new ConfirmTimeoutException(job, this.publisher.patience());
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
	 * @param message what is published, unless there is no way to
	 * @param unsent why there is none
	 */
	private record InFlight(Job job, JobSpan span, @Nullable OutgoingMessage message, @Nullable PublishOutcome unsent) {
	}

}
