package io.ojs.store.attempt;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.ojs.log.SafeLogger;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.slf4j.Logger;

/**
 * Keeps how far handlers of this application are, the latest of each now and then: a
 * handler may say so a thousand times a second. Somebody has to call {@link #flush} all
 * the time.
 */
public final class HandlerProgress implements ProgressSink {

	private static final Logger logger = SafeLogger.of(HandlerProgress.class);

	private final ProgressStore store;

	private final Clock clock;

	private final Map<Lease, Progress> latest = new ConcurrentHashMap<>();

	/**
	 * Creates it.
	 * @param store keeps progress
	 * @param clock tells the time
	 */
	public HandlerProgress(ProgressStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	@Override
	public void report(Lease lease, double value, String message) {
		this.latest.put(lease, new Progress(value, message, null, this.clock.instant()));
	}

	/**
	 * Keeps what has been said since the last time. Of a run that is over by then, it is
	 * forgotten.
	 * @throws StoreUnavailableException if the database cannot be reached; what was said
	 * last is kept for the next time
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
				logger.warn("How far job {} is cannot be kept", lease.jobId(), ex);
			}
			this.latest.remove(lease, progress);
		});
	}

}
