package io.ojs.store.internal.attempt;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.ojs.internal.log.SafeLogger;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.slf4j.Logger;

/**
 * Keeps the progress that handlers of this application report. A handler may report a
 * thousand times a second, so only the latest value of each is kept, whenever
 * {@link #flush} is called; it has to be called at short intervals.
 */
public final class HandlerProgress implements ProgressSink {

	private static final Logger logger = SafeLogger.of(HandlerProgress.class);

	private final ProgressStore store;

	private final Clock clock;

	private final Map<Lease, Progress> latest = new ConcurrentHashMap<>();

	public HandlerProgress(ProgressStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	@Override
	public void report(Lease lease, double value, String message) {
		this.latest.put(lease, new Progress(value, message, null, this.clock.instant()));
	}

	/**
	 * Keeps what handlers have reported since the last call. The progress of a run that
	 * is over by then is dropped.
	 * @throws StoreUnavailableException if the database cannot be reached; the latest
	 * values are kept for the next call
	 */
	public void flush() {
		this.latest.forEach((lease, progress) -> {
			try {
				this.store.report(lease, progress);
			}
			catch (StoreUnavailableException ex) {
				throw ex;
			}
			catch (StoreException ex) {
				logger.warn("The progress of job {} cannot be recorded", lease.jobId(), ex);
			}
			this.latest.remove(lease, progress);
		});
	}

}
