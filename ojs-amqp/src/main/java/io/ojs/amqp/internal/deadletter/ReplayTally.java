package io.ojs.amqp.internal.deadletter;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.deadletter.DeadLetterKind;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayProgress;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import org.jspecify.annotations.Nullable;

/**
 * Counts dead letters during a replay.
 */
final class ReplayTally {

	/** Producers choose types, so there may be millions. */
	private static final int MAX_KINDS = 1000;

	private static final int LONGEST = 200;

	private static final DeadLetterKind OTHERS = new DeadLetterKind("(others)", "(others)", "(others)");

	private final Map<SkipReason, Long> skipped = new EnumMap<>(SkipReason.class);

	private final Map<DeadLetterKind, Long> kinds = new HashMap<>();

	private final long total;

	private long passed;

	private long replayed;

	private long putBack;

	ReplayTally(long total) {
		this.total = total;
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

	void skipped(SkipReason reason) {
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

	ReplayResult result(ReplayEnd end) {
		return ReplayResult.of(end, this.replayed).skipped(this.skipped, List.of()).kinds(this.kinds);
	}

}
