package io.ojs.amqp.internal.deadletter;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

import io.ojs.amqp.deadletter.BrokerReplayEnd;
import io.ojs.amqp.deadletter.BrokerReplayResult;
import io.ojs.amqp.deadletter.BrokerSkipReason;
import io.ojs.amqp.deadletter.DeadLetterKind;
import io.ojs.amqp.deadletter.ReplayProgress;
import io.ojs.amqp.deadletter.ReplayRequest;
import org.jspecify.annotations.Nullable;

/**
 * Counts dead letters during a replay.
 */
final class ReplayTally {

	/** Producers choose types, so there may be millions. */
	private static final int MAX_KINDS = 1000;

	private static final int LONGEST = 200;

	private static final DeadLetterKind OTHERS = new DeadLetterKind("(others)", "(others)", "(others)");

	private final Map<BrokerSkipReason, Long> skipped = new EnumMap<>(BrokerSkipReason.class);

	private final Map<DeadLetterKind, Long> kinds = new HashMap<>();

	private final long total;

	private long lookedAt;

	private long passed;

	private long replayed;

	private long putBack;

	ReplayTally(long total) {
		this.total = total;
	}

	void looked() {
		this.lookedAt++;
	}

	void replayed(DeadLetter letter) {
		this.replayed++;
		DeadLetterKind kind = new DeadLetterKind(text(letter.type()), text(letter.errorType()),
				text(letter.errorCode()));
		this.kinds.merge((this.kinds.size() < MAX_KINDS || this.kinds.containsKey(kind)) ? kind : OTHERS, 1L,
				Long::sum);
	}

	private static String text(@Nullable String value) {
		if (value == null) {
			return "?";
		}
		return (value.length() <= LONGEST) ? value : value.substring(0, LONGEST) + "…";
	}

	void skipped(BrokerSkipReason reason) {
		this.skipped.merge(reason, 1L, Long::sum);
	}

	void passed() {
		this.passed++;
	}

	void putBack() {
		this.putBack++;
	}

	/**
	 * Whether a dead letter has been put back, so that it is behind others that it
	 * preceded.
	 */
	boolean isOutOfOrder() {
		return this.putBack > 0;
	}

	long remaining() {
		return this.total - this.passed;
	}

	long replayed() {
		return this.replayed;
	}

	ReplayProgress progress() {
		return new ReplayProgress(this.total, this.passed, this.replayed,
				this.skipped.values().stream().mapToLong(Long::longValue).sum());
	}

	BrokerReplayResult result(ReplayRequest request, long left, BrokerReplayEnd end, @Nullable String problem) {
		return new BrokerReplayResult(request.queue(), request.dryRun(), this.lookedAt, this.replayed, this.skipped,
				this.kinds, left, end, problem);
	}

}
