package io.ojs.amqp.internal.deadletter;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.ShutdownSignalException;
import io.ojs.amqp.internal.message.OutgoingMessage;
import io.ojs.amqp.internal.publish.ConfirmingPublisher;
import io.ojs.amqp.internal.publish.PublishOutcome;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import io.ojs.event.internal.JobEvents;
import io.ojs.event.internal.JobTransition;
import io.ojs.event.internal.Transition;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.AmqpException;
import org.springframework.core.NestedExceptionUtils;

/**
 * One pass over a dead letter queue. It takes dead letters from the head and either
 * replays them or puts them back at the end. It publishes each and waits for the confirm
 * before it acks it, so that every dead letter is on the broker at any moment. It
 * requeues nothing, since a quorum queue counts requeues and drops messages that are
 * requeued too often. After a whole pass, the dead letters that stay have their order
 * again.
 */
final class ReplayRun {

	private static final Logger logger = SafeLogger.of(ReplayRun.class);

	private static final int LARGEST_BATCH = 128;

	/** Limit of the bodies in memory, unless a single one is larger. */
	private static final long MOST_BYTES = 8L << 20;

	/** A batch is at most what the rate allows in a tenth of a second. */
	private static final double RATE_TO_BATCH = 0.1;

	private static final long CANCEL_CHECK_NANOS = 100_000_000;

	private final ReplayRequest request;

	private final DeadLetterQueue queue;

	private final ConfirmingPublisher publisher;

	private final ReplayMessages messages;

	private final JobEvents events;

	private final Clock clock;

	private final Duration confirmTimeout;

	private final ReplayTally tally;

	private int batch = 1;

	/** When the rate allows the next replay, by {@link System#nanoTime()}. */
	private long next = System.nanoTime();

	private boolean interrupted;

	private boolean limitReached;

	ReplayRun(ReplayRequest request, DeadLetterQueue queue, ConfirmingPublisher publisher, ReplayMessages messages,
			JobEvents events, Clock clock, Duration confirmTimeout) throws IOException {
		this.request = request;
		this.queue = queue;
		this.messages = messages;
		this.events = events;
		this.publisher = publisher;
		this.clock = clock;
		this.confirmTimeout = confirmTimeout;
		this.tally = new ReplayTally(queue.count());
	}

	ReplayResult run() {
		ReplayEnd end;
		String problem = null;
		try {
			end = pass();
		}
		catch (IOException | AmqpException | ShutdownSignalException ex) {
			end = ReplayEnd.FAILED;
			problem = NestedExceptionUtils.getMostSpecificCause(ex).getMessage();
			logger.warn("The replay of the dead letters of queue '{}' ended: {}", this.request.queue(), problem);
		}
		Long left = left();
		if (this.interrupted) {
			Thread.currentThread().interrupt();
		}
		return this.tally.result(end).dryRun(this.request.options().dryRun()).left(left).problem(problem);
	}

	private ReplayEnd pass() throws IOException {
		this.request.listener().progressed(this.tally.progress());
		while (this.tally.remaining() > 0 && !(this.limitReached && !this.tally.isOutOfOrder())) {
			if (!this.limitReached) {
				pace();
			}
			if (isCancelled()) {
				return ReplayEnd.CANCELLED;
			}
			// Before dead letters are taken: the broker may take no messages for a while.
			this.publisher.connection().await(this.confirmTimeout);
			List<DeadLetter> letters = this.queue.take(size());
			if (isCancelled()) {
				// Those that were taken are settled nevertheless.
				logger.debug("The replay of queue '{}' is cancelled", this.request.queue());
			}
			else if (letters.isEmpty()) {
				break;
			}
			settle(letters);
			this.request.listener().progressed(this.tally.progress());
			adapt(letters);
		}
		return this.limitReached ? ReplayEnd.LIMIT : ReplayEnd.DONE;
	}

	private boolean isCancelled() {
		this.interrupted |= Thread.interrupted();
		return this.interrupted || this.request.listener().isCancelled();
	}

	/**
	 * How many dead letters to take: no more than are sure to be settled, since those
	 * beyond the limit would have to be put back.
	 */
	private int size() {
		long size = Math.min(this.batch, this.tally.remaining());
		if (!this.tally.isOutOfOrder()) {
			size = Math.min(size, this.request.limit() - this.tally.replayed());
		}
		Double rate = rate();
		if (rate != null && !this.limitReached) {
			size = Math.min(size, Math.max(1, (long) (rate * RATE_TO_BATCH)));
		}
		return (int) Math.max(1, size);
	}

	private void adapt(List<DeadLetter> letters) {
		long bytes = letters.stream().mapToLong((letter) -> letter.body().length).sum();
		this.batch = (bytes > MOST_BYTES) ? Math.max(1, letters.size() / 2) : Math.min(LARGEST_BATCH, this.batch * 2);
	}

	private void settle(List<DeadLetter> letters) throws IOException {
		long limit = this.request.limit();
		List<DeadLetter> meant = new ArrayList<>();
		for (DeadLetter letter : letters) {
			if (this.tally.replayed() + meant.size() < limit && isMeant(letter)) {
				meant.add(letter);
			}
		}
		Set<DeadLetter> settled = Collections.newSetFromMap(new IdentityHashMap<>());
		List<JobTransition> told = new ArrayList<>();
		long replayed = this.tally.replayed();
		try {
			if (this.request.options().dryRun()) {
				meant.forEach(this.tally::replayed);
			}
			else {
				replay(meant, settled, told);
			}
			putBack(letters.stream().filter((letter) -> !settled.contains(letter)).toList(), settled);
		}
		finally {
			try {
				this.queue.ack(letters, settled);
			}
			finally {
				// After the ack: while listeners took their time, a crash would bring the
				// letters back.
				told.forEach(this.events::publish);
			}
		}
		this.limitReached = this.tally.replayed() >= limit;
		Double rate = rate();
		if (rate != null) {
			this.next = Math.max(this.next, System.nanoTime())
					+ (long) ((this.tally.replayed() - replayed) * 1e9 / rate);
		}
	}

	/** Jobs a second; {@code null} for no limit. A dry run has none. */
	private @Nullable Double rate() {
		return this.request.options().dryRun() ? null : this.request.options().rate();
	}

	private boolean isMeant(DeadLetter letter) {
		SkipReason reason = reasonToSkip(letter);
		if (reason != null) {
			this.tally.skipped(reason);
		}
		return reason == null;
	}

	private @Nullable SkipReason reasonToSkip(DeadLetter letter) {
		if (this.messages.isReplayed(letter)) {
			return SkipReason.FAILED_AGAIN;
		}
		if (!letter.matches(this.request.filter())) {
			return SkipReason.NOT_MATCHING;
		}
		OffsetDateTime expiresAt = (letter.job() != null) ? letter.job().expiresAt() : null;
		boolean expired = expiresAt != null && expiresAt.toInstant().isBefore(this.clock.instant());
		return expired ? SkipReason.EXPIRED : null;
	}

	private void replay(List<DeadLetter> letters, Set<DeadLetter> settled, List<JobTransition> told) {
		List<OutgoingMessage> replays = letters.stream().map(this.messages::replay).toList();
		List<CompletableFuture<PublishOutcome>> outcomes = publish(replays);
		PublishOutcome unknown = null;
		for (int i = 0; i < letters.size(); i++) {
			PublishOutcome outcome = await(outcomes.get(i));
			if (outcome instanceof PublishOutcome.Confirmed) {
				settled.add(letters.get(i));
				this.tally.replayed(letters.get(i));
				this.tally.passed();
				transition(letters.get(i), replays.get(i)).ifPresent(told::add);
			}
			else if (outcome instanceof PublishOutcome.Returned) {
				this.tally.skipped(SkipReason.UNROUTABLE);
			}
			else if (outcome instanceof PublishOutcome.Nacked || outcome instanceof PublishOutcome.Unsendable) {
				this.tally.skipped(SkipReason.REFUSED);
			}
			else {
				unknown = outcome;
			}
		}
		if (unknown != null) {
			throw new AmqpException("A job was published and what became of it is not known: " + unknown);
		}
	}

	/** A message that is no job has no event. */
	private Optional<JobTransition> transition(DeadLetter letter, OutgoingMessage message) {
		Job job = (letter.job() != null) ? this.messages.job(message) : null;
		return Optional.ofNullable(job).map((replayed) -> new JobTransition(Transition.REPLAY, replayed, 1, 1));
	}

	private void putBack(List<DeadLetter> letters, Set<DeadLetter> settled) {
		List<CompletableFuture<PublishOutcome>> outcomes = publish(letters.stream().map(this.messages::keep).toList());
		PublishOutcome failed = null;
		for (int i = 0; i < letters.size(); i++) {
			PublishOutcome outcome = await(outcomes.get(i));
			if (outcome instanceof PublishOutcome.Confirmed) {
				settled.add(letters.get(i));
				this.tally.putBack();
				this.tally.passed();
			}
			else {
				failed = outcome;
			}
		}
		if (failed != null) {
			throw new AmqpException(
					"'" + this.queue.name() + "' does not take back a dead letter that stays in it: " + failed);
		}
	}

	private List<CompletableFuture<PublishOutcome>> publish(List<OutgoingMessage> messages) {
		return messages.isEmpty() ? List.of() : this.publisher.publishAll(messages);
	}

	/**
	 * Waits without a limit: a second publish would be a duplicate if the broker is only
	 * slow.
	 */
	private PublishOutcome await(CompletableFuture<PublishOutcome> outcome) {
		while (true) {
			try {
				return outcome.get(this.confirmTimeout.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				if (this.queue.isLost() || isCancelled()) {
					return new PublishOutcome.Unknown();
				}
				logger.warn("The broker has not confirmed for {}; the replay of queue '{}' waits", this.confirmTimeout,
						this.request.queue());
			}
			catch (ExecutionException ex) {
				return new PublishOutcome.Lost(ex.getCause());
			}
			catch (InterruptedException ex) {
				this.interrupted = true;
			}
		}
	}

	/** Waits until the rate allows the next replay, without unacked messages. */
	private void pace() {
		for (long wait = this.next - System.nanoTime(); wait > 0
				&& !isCancelled(); wait = this.next - System.nanoTime()) {
			try {
				TimeUnit.NANOSECONDS.sleep(Math.min(wait, CANCEL_CHECK_NANOS));
			}
			catch (InterruptedException ex) {
				this.interrupted = true;
			}
		}
	}

	private @Nullable Long left() {
		try {
			return this.queue.count();
		}
		catch (IOException | ShutdownSignalException ex) {
			return null;
		}
	}

}
