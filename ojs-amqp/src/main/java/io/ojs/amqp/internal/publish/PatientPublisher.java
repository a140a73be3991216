package io.ojs.amqp.internal.publish;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import io.ojs.amqp.internal.message.OutgoingMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Publishes messages, and publishes those again that were in flight when their channel or
 * connection closed. The broker may have such a message already; a duplicate is better
 * than a lost job. It waits for the next connection as long as for a confirm.
 */
public final class PatientPublisher {

	private final ConfirmingPublisher publisher;

	private final Duration patience;

	public PatientPublisher(ConfirmingPublisher publisher, Duration patience) {
		this.publisher = publisher;
		this.patience = patience;
	}

	/**
	 * How long it waits.
	 * @return the time for a confirm, and for a new connection
	 */
	public Duration patience() {
		return this.patience;
	}

	/**
	 * Waits until there is a connection. Another thread opens it.
	 * @throws AmqpException if there is no connection in time
	 */
	public void awaitConnection() {
		this.publisher.connection().await(this.patience);
	}

	/**
	 * Publishes messages and waits for the broker's answers.
	 * @return the outcome of each, in the same order
	 */
	public List<PublishOutcome> publishAll(List<OutgoingMessage> messages) {
		PublishOutcome[] outcomes = new PublishOutcome[messages.size()];
		PublishOutcome.Lost[] before = new PublishOutcome.Lost[messages.size()];
		List<Integer> open = IntStream.range(0, messages.size()).boxed().toList();
		boolean together = true;
		long firstLoss = 0;
		while (!open.isEmpty()) {
			List<Integer> round = open;
			AmqpException noConnection = awaitConnection(left(firstLoss));
			if (noConnection != null) {
				round.forEach((i) -> outcomes[i] = new PublishOutcome.Unsent(noConnection));
				break;
			}
			if (together) {
				publishTogether(messages, round, outcomes);
			}
			else {
				// Publish each alone: one of them closes the channel of the others.
				round.forEach((i) -> publishTogether(messages, List.of(i), outcomes));
			}
			open = round.stream().filter((i) -> isToBeRepeated(outcomes[i])).toList();
			open.forEach((i) -> before[i] = loss(before[i], outcomes[i]));
			firstLoss = (firstLoss != 0) ? firstLoss : System.nanoTime();
			together = open.stream().noneMatch((i) -> isOfChannel(outcomes[i]));
			if (left(firstLoss).isZero() || Thread.currentThread().isInterrupted()) {
				break;
			}
		}
		return IntStream.range(0, outcomes.length).mapToObj((i) -> known(before[i], outcomes[i])).toList();
	}

	private Duration left(long firstLoss) {
		Duration left = (firstLoss != 0) ? this.patience.minusNanos(System.nanoTime() - firstLoss) : this.patience;
		return left.isNegative() ? Duration.ZERO : left;
	}

	private @Nullable AmqpException awaitConnection(Duration left) {
		try {
			this.publisher.connection().await(left);
			return null;
		}
		catch (AmqpException ex) {
			return ex;
		}
	}

	private void publishTogether(List<OutgoingMessage> messages, List<Integer> round, PublishOutcome[] outcomes) {
		List<CompletableFuture<PublishOutcome>> futures;
		try {
			futures = this.publisher.publishAll(round.stream().map(messages::get).toList());
		}
		catch (AmqpException ex) {
			round.forEach((i) -> outcomes[i] = new PublishOutcome.Unsent(ex));
			return;
		}
		Duration left = this.patience;
		for (int i = 0; i < futures.size(); i++) {
			PublishOutcome outcome = await(futures.get(i), left);
			outcomes[round.get(i)] = outcome;
			if (outcome instanceof PublishOutcome.Unknown) {
				// The other messages have had the same time.
				left = Duration.ZERO;
			}
		}
	}

	/**
	 * Keeps a loss of the connection rather than one of the channel, since it says less
	 * about the message.
	 */
	private static PublishOutcome.@Nullable Lost loss(PublishOutcome.@Nullable Lost before, PublishOutcome outcome) {
		return (outcome instanceof PublishOutcome.Lost lost && (before == null || before.isOfChannel())) ? lost
				: before;
	}

	/**
	 * The outcome of a message after its last try. If an earlier try may have succeeded,
	 * a later failure does not change that. A message that closes its channel is the
	 * exception: it did so in the earlier try, too.
	 * @param before how an earlier try was lost; {@code null} if none was
	 */
	static PublishOutcome known(PublishOutcome.@Nullable Lost before, PublishOutcome last) {
		boolean certain = before == null || last instanceof PublishOutcome.Confirmed
				|| (last instanceof PublishOutcome.Refused && before.isOfChannel());
		return certain ? last : before;
	}

	private static boolean isToBeRepeated(PublishOutcome outcome) {
		return outcome instanceof PublishOutcome.Lost || outcome instanceof PublishOutcome.Unsent;
	}

	private static boolean isOfChannel(PublishOutcome outcome) {
		return outcome instanceof PublishOutcome.Lost lost && lost.isOfChannel();
	}

	private static PublishOutcome await(CompletableFuture<PublishOutcome> outcome, Duration patience) {
		try {
			return outcome.get(patience.toNanos(), TimeUnit.NANOSECONDS);
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

	/** Publishes a message without blocking. */
	public CompletableFuture<PublishOutcome> publish(OutgoingMessage message) {
		return publish(message, System.nanoTime() + this.patience.toNanos(), null);
	}

	private CompletableFuture<PublishOutcome> publish(OutgoingMessage message, long until,
			PublishOutcome.@Nullable Lost before) {
		CompletableFuture<PublishOutcome> published;
		try {
			published = this.publisher.publish(message)
				.completeOnTimeout(new PublishOutcome.Unknown(), this.patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (AmqpException ex) {
			published = CompletableFuture.completedFuture(new PublishOutcome.Unsent(ex));
		}
		return published.thenCompose((outcome) -> {
			PublishOutcome known = known(before, outcome);
			Duration left = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
			if (!isToBeRepeated(outcome) || left.isZero()) {
				return CompletableFuture.completedFuture(known);
			}
			// Not on this thread: it reads the lost connection.
			return this.publisher.connection()
				.whenUp(left)
				.handleAsync((up, failure) -> (failure == null) ? publish(message, until, loss(before, outcome))
						: CompletableFuture.completedFuture(known))
				.thenCompose((again) -> again);
		});
	}

}
