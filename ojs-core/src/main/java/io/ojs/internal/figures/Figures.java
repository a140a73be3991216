package io.ojs.internal.figures;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ojs.internal.thread.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Figures for operators. All callers of a process share what was read within two seconds.
 */
public final class Figures implements AutoCloseable {

	/** Two are for a database whose connection was lost silently. */
	private static final int MOST_THREADS = 4;

	private final AttentionLimits limits;

	private final ThreadPoolExecutor executor = new ThreadPoolExecutor(0, MOST_THREADS, 10, TimeUnit.SECONDS,
			new SynchronousQueue<>(), (task) -> Threads.daemon(task, "ojs-figures"));

	private final Shared<Depths> depths;

	private final @Nullable Shared<Troubles> troubles;

	/**
	 * Creates figures.
	 * @param store the job store, or {@code null}
	 */
	public Figures(Depths.Reader reader, @Nullable FigureStore store, AttentionLimits limits, Clock clock) {
		this.limits = limits;
		this.depths = new Shared<>(reader::read, this.executor, Shared.PATIENCE);
		this.troubles = (store != null) ? new Shared<>(() -> {
			Instant now = clock.instant();
			return store.troubles(now, now.minus(limits.deadLettersWithin()), now.minus(limits.oldestAvailable()));
		}, this.executor, Shared.PATIENCE) : null;
	}

	/** The depths of all queues. */
	public Depths depths() {
		return this.depths.get();
	}

	/**
	 * What operators should know.
	 * @param known the depths of all queues
	 */
	public List<AttentionItem> attention(Depths known) {
		return Attention.of(this.limits, known, (this.troubles != null) ? this.troubles.get() : Attention.NOTHING);
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
