package io.ojs.amqp.publish;

import java.time.Duration;
import java.util.Arrays;
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
	 * Publishes messages and waits until the broker has answered to each.
	 * @param messages the messages
	 * @return what became of each, in the same order
	 */
	public List<PublishOutcome> publishAll(List<OutgoingMessage> messages) {
		PublishOutcome[] outcomes = new PublishOutcome[messages.size()];
		List<Integer> open = IntStream.range(0, messages.size()).boxed().toList();
		boolean together = true;
		long firstLoss = 0;
		while (!open.isEmpty()) {
			List<Integer> round = open;
			AmqpException noConnection = awaitConnection(left(firstLoss));
			if (noConnection != null) {
				round.forEach((i) -> note(outcomes, i, new PublishOutcome.Unsent(noConnection)));
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
			firstLoss = (firstLoss != 0) ? firstLoss : System.nanoTime();
			together = open.stream().noneMatch((i) -> isOfChannel(outcomes[i]));
			if (left(firstLoss).isZero() || Thread.currentThread().isInterrupted()) {
				break;
			}
		}
		return Arrays.asList(outcomes);
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
			round.forEach((i) -> note(outcomes, i, new PublishOutcome.Unsent(ex)));
			return;
		}
		Duration left = this.patience;
		for (int i = 0; i < futures.size(); i++) {
			PublishOutcome outcome = await(futures.get(i), left);
			note(outcomes, round.get(i), outcome);
			if (outcome instanceof PublishOutcome.Unknown) {
				// The others had as much time as this one.
				left = Duration.ZERO;
			}
		}
	}

	/** That a first try was perhaps taken is not forgotten because of a second. */
	private static void note(PublishOutcome[] outcomes, int i, PublishOutcome outcome) {
		if (!(outcome instanceof PublishOutcome.Unsent && outcomes[i] instanceof PublishOutcome.Lost)) {
			outcomes[i] = outcome;
		}
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
			PublishOutcome known = (outcome instanceof PublishOutcome.Unsent && before != null) ? before : outcome;
			Duration left = Duration.ofNanos(Math.max(0, until - System.nanoTime()));
			if (!isToBeRepeated(outcome) || left.isZero()) {
				return CompletableFuture.completedFuture(known);
			}
			// Not on this thread: it reads the connection that was lost.
			return this.publisher.connection()
				.whenUp(left)
				.handleAsync((up, failure) -> (failure == null)
						? publish(message, until, (known instanceof PublishOutcome.Lost lost) ? lost : null)
						: CompletableFuture.completedFuture(known))
				.thenCompose((again) -> again);
		});
	}

}
