package io.ojs.amqp.internal.publish;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import com.rabbitmq.client.AMQP;
import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.internal.connect.BrokerConnection;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.internal.log.SafeLogger;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.store.internal.relay.JobPublisher;
import io.ojs.store.internal.relay.PublishReport;
import io.ojs.store.internal.relay.RelayedJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;

/**
 * Publishes the jobs of a job store, with confirms and {@code mandatory}.
 */
public final class AmqpJobPublisher implements JobPublisher {

	private static final Logger logger = SafeLogger.of(AmqpJobPublisher.class);

	/** How long to wait for the first connection. */
	private static final Duration OPENING = Duration.ofSeconds(5);

	private final JobMessages messages;

	private final ConfirmingPublisher publisher;

	private final JobRouter router;

	private final Duration patience;

	private final Supplier<String> store;

	private final HandOver handOver;

	/**
	 * Creates a publisher.
	 * @param handOver the queues whose jobs carry no store id, since any store may take
	 * them
	 */
	public AmqpJobPublisher(JobMessages messages, ConfirmingPublisher publisher, JobRouter router, Duration patience,
			Supplier<String> store, HandOver handOver) {
		this.messages = messages;
		this.publisher = publisher;
		this.router = router;
		this.patience = patience;
		this.store = store;
		this.handOver = handOver;
	}

	@Override
	public boolean isReady() {
		BrokerConnection connection = this.publisher.connection();
		if (!connection.isUp()) {
			connection.open(OPENING);
			// Reconnect at the pace of the backoff, not at once: callers ask often.
			AtomicBoolean asked = new AtomicBoolean();
			connection.awaitWhile(() -> !asked.getAndSet(true));
		}
		return connection.isUp() && connection.state().blocked() == null;
	}

	@Override
	public CompletableFuture<PublishReport> publish(List<RelayedJob> jobs) {
		String id = this.store.get();
		List<RelayedJob> sent = new ArrayList<>(jobs.size());
		List<OutgoingMessage> outgoing = new ArrayList<>(jobs.size());
		Set<String> confirmed = new HashSet<>();
		Map<String, String> refused = new HashMap<>();
		Map<String, String> failed = new HashMap<>();
		for (RelayedJob job : jobs) {
			try {
				outgoing.add(message(job, this.handOver.test(job.queue()) ? null : id));
				sent.add(job);
			}
			catch (AmqpException | DeclarationRefusedException ex) {
				refused.put(job.id(), ex.toString());
			}
			catch (RuntimeException ex) {
				// The other jobs go on, whatever this one throws.
				logger.debug("Job {} of queue '{}' is no message", job.id(), job.queue(), ex);
				failed.put(job.id(), ex.toString());
			}
		}
		return publishAll(sent, outgoing).thenCompose((outcomes) -> {
			List<Integer> alone = new ArrayList<>();
			for (int i = 0; i < outcomes.size(); i++) {
				if (outcomes.get(i) instanceof PublishOutcome.Lost lost && lost.isOfChannel()) {
					alone.add(i);
				}
				else {
					note(sent.get(i), outcomes.get(i), confirmed, refused, failed);
				}
			}
			CompletableFuture<?> end = CompletableFuture.completedFuture(null);
			// A message of this batch or of another thread has closed the channel.
			for (int i : alone) {
				// Not on this thread: it reads the connection.
				end = end.thenAcceptAsync(
						(before) -> note(sent.get(i), publishAlone(outgoing.get(i)), confirmed, refused, failed));
			}
			return end.thenApply((all) -> new PublishReport(confirmed, refused, failed));
		});
	}

	private OutgoingMessage message(RelayedJob job, @Nullable String id) {
		return this.router.routeNow(job.encoded().job())
			.message(job.queue(), this.messages.properties(job, id), job.encoded().body());
	}

	private CompletableFuture<List<PublishOutcome>> publishAll(List<RelayedJob> jobs, List<OutgoingMessage> outgoing) {
		if (jobs.isEmpty()) {
			return CompletableFuture.completedFuture(List.of());
		}
		List<CompletableFuture<PublishOutcome>> outcomes;
		try {
			outcomes = this.publisher.publishAll(outgoing)
				.stream()
				.map((each) -> each.completeOnTimeout(new PublishOutcome.Unknown(), this.patience.toNanos(),
						TimeUnit.NANOSECONDS))
				.toList();
		}
		catch (AmqpException ex) {
			PublishOutcome unsent = new PublishOutcome.Unsent(ex);
			return CompletableFuture.completedFuture(jobs.stream().map((job) -> unsent).toList());
		}
		return CompletableFuture.allOf(outcomes.toArray(CompletableFuture<?>[]::new))
			.thenApply((all) -> outcomes.stream().map(CompletableFuture::join).toList());
	}

	private PublishOutcome publishAlone(OutgoingMessage message) {
		try {
			return this.publisher.publishAlone(message, this.patience);
		}
		catch (AmqpException ex) {
			return new PublishOutcome.Unsent(ex);
		}
	}

	private void note(RelayedJob job, PublishOutcome outcome, Set<String> confirmed, Map<String, String> refused,
			Map<String, String> failed) {
		if (outcome instanceof PublishOutcome.Confirmed) {
			confirmed.add(job.id());
			return;
		}
		logger.debug("Job {} of queue '{}' was not published: {}", job.id(), job.queue(), outcome);
		if (isOfJob(outcome)) {
			failed.put(job.id(), reason(outcome));
			return;
		}
		if (outcome instanceof PublishOutcome.Returned || outcome instanceof PublishOutcome.Refused) {
			// The next attempt declares deleted queues and exchanges again.
			this.router.forget();
		}
		refused.put(job.id(), reason(outcome));
	}

	/**
	 * Whether the failure concerns only this job: AMQP cannot carry it, or the broker
	 * says that it is too large. A lost channel does not, since another message may have
	 * closed it.
	 */
	static boolean isOfJob(PublishOutcome outcome) {
		return outcome instanceof PublishOutcome.Unsendable
				|| (outcome instanceof PublishOutcome.Refused refused && refused.code() == AMQP.PRECONDITION_FAILED);
	}

	private String reason(PublishOutcome outcome) {
		if (outcome instanceof PublishOutcome.Nacked) {
			return "the queue is full, or the broker could not store it (basic.nack)";
		}
		if (outcome instanceof PublishOutcome.Returned returned) {
			return "it led to no queue (%d %s)".formatted(returned.code(), returned.text());
		}
		if (outcome instanceof PublishOutcome.Refused refused) {
			return "%d %s".formatted(refused.code(), refused.text());
		}
		if (outcome instanceof PublishOutcome.Unknown) {
			return "no answer within %s".formatted(this.patience);
		}
		if (outcome instanceof PublishOutcome.Lost lost) {
			return "the channel closed before the broker answered (%s)".formatted(lost.cause().getMessage());
		}
		if (outcome instanceof PublishOutcome.Unsendable unsendable) {
			return "AMQP cannot carry it (%s)".formatted(unsendable.cause().getMessage());
		}
		return (outcome instanceof PublishOutcome.Unsent unsent)
				? "there was no connection (%s)".formatted(unsent.cause().getMessage()) : outcome.toString();
	}

	@Override
	public long waiting(String queue) {
		return this.router.waiting(queue);
	}

	@Override
	public int consumers(String queue) {
		return this.router.consumers(queue);
	}

	@Override
	public int prefetched(String queue) {
		return this.router.prefetched(queue);
	}

}
