package io.ojs.amqp.internal.publish;

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
import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.ConfirmTimeoutException;
import io.ojs.amqp.JobRefusedException;
import io.ojs.amqp.NackedJobException;
import io.ojs.amqp.UnroutableJobException;
import io.ojs.amqp.UnsendableJobException;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.client.BatchEnqueueException;
import io.ojs.client.EnqueueException;
import io.ojs.client.JobStoreRequiredException;
import io.ojs.client.UnsupportedJobException;
import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.EnqueueStrategy;
import io.ojs.client.internal.TracedJob;
import io.ojs.event.internal.JobEvents;
import io.ojs.internal.trace.JobSpan;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.RateLimit;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Enqueues jobs at the broker, without a job store. It publishes with {@code mandatory}
 * and waits for the broker's confirm. When a connection is lost before the confirm, it
 * publishes the job again on the next one, with the same id.
 */
public final class BrokerEnqueueStrategy implements EnqueueStrategy {

	/**
	 * Runs the stages of callers. The common pool would start a thread for each stage on
	 * a machine with one or two processors.
	 */
	private static final Executor STAGES = stages();

	/** A stage may publish, and then needs a channel. */
	private static final int MOST_STAGES = 64;

	private final JobMessages messages;

	private final PatientPublisher publisher;

	private final JobRouter router;

	private final JobEvents events;

	public BrokerEnqueueStrategy(JobMessages messages, PatientPublisher publisher, JobRouter router, JobEvents events) {
		this.messages = messages;
		this.publisher = publisher;
		this.router = router;
		this.events = events;
	}

	/** The pool starts a further thread while a stage waits for a future. */
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
		// Stages of the caller must not run on the thread that reads the connection,
		// since they would hold it up.
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

	/** Prepares the messages of all jobs, or of none. */
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

	/**
	 * Ends the span and tells listeners of a confirmed job.
	 * @return the exception for the caller, or {@code null} for a confirmed job
	 */
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
			// The next attempt declares a deleted queue again.
			this.router.forget();
			return new UnroutableJobException(job, returned.code(), returned.text());
		}
		if (outcome instanceof PublishOutcome.Nacked) {
			return new NackedJobException(job);
		}
		if (outcome instanceof PublishOutcome.Refused refused) {
			// The next attempt declares a deleted exchange again.
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
	 * A job between its preparation and the broker's answer.
	 *
	 * @param message the message; {@code null} if there is no connection
	 * @param unsent why there is no message; {@code null} if there is one
	 */
	private record InFlight(Job job, JobSpan span, @Nullable OutgoingMessage message, @Nullable PublishOutcome unsent) {
	}

	/**
	 * A thread for stages, with the class loader of this library as its context class
	 * loader.
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
