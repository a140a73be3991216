package io.ojs.amqp.publish;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.OjsException;
import io.ojs.amqp.message.JobMessages;
import io.ojs.amqp.message.OutgoingMessage;
import io.ojs.client.BatchEnqueueException;
import io.ojs.client.EncodedJob;
import io.ojs.client.EnqueueException;
import io.ojs.client.EnqueueStrategy;
import io.ojs.client.JobStoreRequiredException;
import io.ojs.client.TracedJob;
import io.ojs.client.UnsupportedJobException;
import io.ojs.event.JobEvents;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import io.ojs.trace.JobSpan;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Makes jobs safe with the broker alone: published as {@code mandatory}, and not done
 * before the broker has confirmed. A job that went down with a connection is published
 * again on the next one, with the same id.
 */
public final class BrokerEnqueueStrategy implements EnqueueStrategy {

	/**
	 * Where the caller's own stages run. Not the common pool: on a machine with one or
	 * two processors that is a new thread for each of them.
	 */
	private static final Executor STAGES = stages();

	/** Each may publish, and needs a channel for it. */
	private static final int MOST_STAGES = 64;

	private final JobMessages messages;

	private final PatientPublisher publisher;

	private final JobRouter router;

	private final JobEvents events;

	/**
	 * Creates it.
	 * @param messages makes messages out of jobs
	 * @param publisher publishes them, and waits for the broker's answer
	 * @param router knows where to publish them
	 * @param events is told of each job that is safe
	 */
	public BrokerEnqueueStrategy(JobMessages messages, PatientPublisher publisher, JobRouter router, JobEvents events) {
		this.messages = messages;
		this.publisher = publisher;
		this.router = router;
		this.events = events;
	}

	/** A stage that waits for a future is made up for by one more thread. */
	private static Executor stages() {
		int threads = Math.max(4, Runtime.getRuntime().availableProcessors());
		return new ForkJoinPool(threads, StageThread::new, null, true, threads, MOST_STAGES, 1, (pool) -> true, 1,
				TimeUnit.SECONDS);
	}

	@Override
	public Job enqueue(TracedJob job) {
		InFlight inFlight = prepare(List.of(job)).get(0);
		EnqueueException failure = end(inFlight, publish(List.of(inFlight)).get(0));
		if (failure != null) {
			throw failure;
		}
		return inFlight.job();
	}

	@Override
	public List<Job> enqueueAll(List<TracedJob> jobs) {
		List<InFlight> inFlight = prepare(jobs);
		List<PublishOutcome> outcomes = publish(inFlight);
		List<Job> enqueued = new ArrayList<>(jobs.size());
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
	public CompletableFuture<Job> enqueueAsync(TracedJob job) {
		InFlight inFlight = prepare(List.of(job)).get(0);
		// Asynchronously, since the caller's own stages must not run on, and hold up, the
		// thread that reads the connection.
		return outcome(inFlight).thenApplyAsync((outcome) -> {
			EnqueueException failure = end(inFlight, outcome);
			if (failure != null) {
				throw failure;
			}
			return inFlight.job();
		}, STAGES);
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

	private static void check(EncodedJob job) {
		if (job.uniqueKey() != null) {
			throw new UnsupportedJobException("unique",
					"jobs like it are looked for in a job store, and there is none: " + JobStoreRequiredException.FIX);
		}
		if (job.job().extensions().containsKey(RateLimit.FIELD)) {
			throw new UnsupportedJobException(RateLimit.FIELD,
					"what has started is counted in a job store, and there is none: " + JobStoreRequiredException.FIX);
		}
		if (job.job().state() == JobState.PENDING) {
			throw new UnsupportedJobException(JobRequest.PENDING,
					"a job that is to be activated waits in a job store, and there is none: "
							+ JobStoreRequiredException.FIX);
		}
	}

	/** Makes messages of all jobs, or of none. */
	private List<InFlight> prepare(List<TracedJob> batch) {
		List<InFlight> prepared = new ArrayList<>(batch.size());
		try {
			batch.forEach((job) -> check(job.encoded()));
			for (TracedJob job : batch) {
				prepared.add(new InFlight(job.encoded().job(), job.span(), message(job.encoded(), job.span()), null));
			}
			return prepared;
		}
		catch (AmqpException ex) {
			PublishOutcome unsent = new PublishOutcome.Unsent(ex);
			prepared.clear();
			batch.forEach((job) -> prepared.add(new InFlight(job.encoded().job(), job.span(), null, unsent)));
			return prepared;
		}
		catch (OjsException ex) {
			batch.forEach((job) -> {
				job.span().failed(ex);
				job.span().close();
			});
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
			this.events.enqueued(inFlight.job());
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

	/**
	 * Runs stages, with the classes of the application.
	 */
	private static final class StageThread extends ForkJoinWorkerThread {

		private static final AtomicInteger NUMBER = new AtomicInteger();

		StageThread(ForkJoinPool pool) {
			super(pool);
			setName("ojs-enqueued-" + NUMBER.incrementAndGet());
			setContextClassLoader(BrokerEnqueueStrategy.class.getClassLoader());
		}

	}

}
