package io.ojs.replay;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import io.ojs.deadletter.ReplayListener;
import io.ojs.deadletter.ReplayProgress;

/**
 * Shows the progress of a replay in one line. On a terminal it overwrites the line, five
 * times a second at most; elsewhere it writes a new line every ten seconds at most.
 */
final class ProgressLine implements ReplayListener {

	private static final long FOR_PERSONS_NANOS = 200_000_000L;

	private static final long FOR_LOGS_NANOS = 10_000_000_000L;

	private final PrintWriter err;

	private final String queue;

	private final boolean interactive;

	private final BooleanSupplier cancelled;

	private long next = System.nanoTime();

	ProgressLine(PrintWriter err, String queue, boolean interactive, BooleanSupplier cancelled) {
		this.err = err;
		this.queue = queue;
		this.interactive = interactive;
		this.cancelled = cancelled;
	}

	@Override
	public void progressed(ReplayProgress progress) {
		long total = Objects.requireNonNull(progress.total());
		boolean last = progress.passed() >= total;
		if (!last && System.nanoTime() < this.next) {
			return;
		}
		this.next = System.nanoTime() + (this.interactive ? FOR_PERSONS_NANOS : FOR_LOGS_NANOS);
		String line = "%s: %d of %d dead letters, %d meant, %d skipped".formatted(this.queue, progress.passed(), total,
				progress.replayed(), progress.skipped());
		if (this.interactive) {
			this.err.print("\r" + line + (last ? System.lineSeparator() : ""));
		}
		else {
			this.err.println(line);
		}
		this.err.flush();
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled.getAsBoolean();
	}

}
