package io.ojs.amqp.publish;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import io.ojs.amqp.message.OutgoingMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Publishes, and publishes again what went down with a connection or a channel: nobody
 * knows whether the broker has it, and a job twice is better than none. It waits for the
 * next connection as long as for a confirm.
 */
public final class PatientPublisher {

	private final ConfirmingPublisher publisher;

	private final Duration patience;

	/**
	 * Creates it.
	 * @param publisher publishes once
	 * @param patience how long to wait for the next confirm, and for a new connection
	 */
	public PatientPublisher(ConfirmingPublisher publisher, Duration patience) {
		this.publisher = publisher;
		this.patience = patience;
	}

	/**
	 * How long it waits.
	 * @return for the next confirm, and for a new connection
	 */
	public Duration patience() {
		return this.patience;
	}

	/**
	 * Waits until there is a connection, and leaves it to others to open it.
	 * @throws AmqpException if there is none in time
	 */
	public void awaitConnection() {
		this.publisher.connection().await(this.patience);
	}

	/**
	 * Publishes messages and waits until the broker has answered to each.
	 * @param messages the messages
	 * @return what became of each, in the same order
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
				// One of them closes its channel, and takes those around it along.
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
				// The others had as much time as this one.
				left = Duration.ZERO;
			}
		}
	}

	/** A loss with the connection says less than one with the channel. */
	private static PublishOutcome.@Nullable Lost loss(PublishOutcome.@Nullable Lost before, PublishOutcome outcome) {
		return (outcome instanceof PublishOutcome.Lost lost && (before == null || before.isOfChannel())) ? lost
				: before;
	}

	/**
	 * What is known after the last of several tries. That an earlier one was perhaps
	 * taken is not forgotten because a later one was not; only a message that closes its
	 * channel did so before.
	 * @param before what became of earlier ones, if any was lost
	 * @param last what became of the last
	 * @return what became of the message
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

	/**
	 * Publishes a message without waiting.
	 * @param message the message
	 * @return what became of it
	 */
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
			// Not on this thread: it reads the connection that was lost.
			return this.publisher.connection()
				.whenUp(left)
				.handleAsync((up, failure) -> (failure == null) ? publish(message, until, loss(before, outcome))
						: CompletableFuture.completedFuture(known))
				.thenCompose((again) -> again);
		});
	}

}
