package io.ojs.internal.bulk;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

import io.ojs.internal.log.SafeLogger;
import io.ojs.job.internal.ForeignText;
import io.ojs.retry.internal.Backoff;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.Poller;
import io.ojs.store.internal.StoreTransactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Works operations on many jobs, one at a time. The transaction of each batch also writes
 * how far the operation is. So another process goes on after the last batch that was
 * committed, when the lease of a killed process is over: no job is changed twice or left
 * out.
 *
 * <p>
 * An operation that pauses belongs to no process, and other operations go on meanwhile.
 */
public final class BulkRunner implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(BulkRunner.class);

	/** How often a process looks for operations of processes that are gone. */
	private static final Duration POLL = Duration.ofSeconds(5);

	private static final int LONGEST_PROBLEM = 1000;

	private final BulkOperationStore store;

	private final StoreTransactions transactions;

	private final BulkWork work;

	private final String process;

	private final Duration lease;

	private final Clock clock;

	/** The operation that this process has worked last. */
	private @Nullable String current;

	/** When the next operation that this process has left goes on. */
	private @Nullable Instant goesOnAt;

	private final Poller poller = new Poller("ojs-operations", "Operations on many jobs cannot go on", this::round);

	/**
	 * Creates a runner that is not started.
	 * @param process the unique name of this process; at most 128 characters
	 * @param lease how long other processes wait for the next batch
	 */
	public BulkRunner(BulkOperationStore store, StoreTransactions transactions, BulkWork work, String process,
			Duration lease, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.work = work;
		this.process = process;
		this.lease = lease;
		this.clock = clock;
	}

	/** Starts the thread. */
	public void start() {
		this.poller.start();
	}

	/** Starts an operation that waits, at once. Does not wait. */
	public void wake() {
		this.poller.wake();
	}

	private Duration round() {
		while (!this.poller.isStopped() && runNext()) {
			logger.debug("There may be another operation");
		}
		Duration pause = Backoff.jittered((this.lease.compareTo(POLL) < 0) ? this.lease : POLL);
		Duration left = (this.goesOnAt != null) ? Duration.between(this.clock.instant(), this.goesOnAt) : pause;
		return left.isNegative() ? Duration.ZERO : (left.compareTo(pause) < 0) ? left : pause;
	}

	/**
	 * Takes an operation and works it to its end or its next pause, as the thread does.
	 * To be called by one thread at a time.
	 * @return whether there was one
	 * @throws StoreException if the database fails; the operation goes on later
	 */
	public boolean runNext() {
		Instant now = this.clock.instant();
		if (this.goesOnAt != null && !this.goesOnAt.isAfter(now)) {
			this.goesOnAt = null;
		}
		Optional<BulkOperation> taken = this.store.take(this.process, now, now.plus(this.lease));
		taken.ifPresent((operation) -> {
			if (!operation.id().equals(this.current)) {
				this.current = operation.id();
				logger.info("Operation {} ({}) goes on here, {} jobs are done", operation.id(),
						operation.action().wireName(), operation.progress().done());
			}
			while (!this.poller.isStopped() && batch(operation.id())) {
				logger.debug("Operation {} has done a batch", operation.id());
			}
		});
		return taken.isPresent();
	}

	/**
	 * Works one batch.
	 * @return whether there may be more to do now
	 */
	private boolean batch(String id) {
		try {
			return this.transactions.inTransaction(() -> own(id).map(this::advance).orElse(false));
		}
		catch (StoreUnavailableException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			logger.error("Operation {} failed", id, ex);
			String problem = ForeignText.beginning(String.valueOf(ex.getMessage()), LONGEST_PROBLEM);
			this.transactions.inTransaction(() -> {
				own(id).ifPresent((operation) -> this.store
					.save(operation.ended(BulkState.FAILED, problem, this.clock.instant())));
				return true;
			});
			return false;
		}
	}

	/** Locks the operation, if this process still has it. */
	private Optional<BulkOperation> own(String id) {
		return this.store.lock(id)
			.filter((operation) -> this.process.equals(operation.process()) && !operation.state().isEnd());
	}

	private boolean advance(BulkOperation operation) {
		Instant now = this.clock.instant();
		BulkOperation after = (operation.state() == BulkState.STOPPING) ? operation.ended(BulkState.STOPPED, null, now)
				: this.work.next(operation, now)
					.map((step) -> after(operation, step, now))
					.orElseGet(() -> operation.ended(BulkState.COMPLETED, null, now));
		this.store.save(after);
		if (after.state().isEnd()) {
			logger.info("Operation {} ({}) is {}: {} jobs are done, {} failed", after.id(), after.action().wireName(),
					after.state().wireName(), after.progress().done(), after.progress().failed());
		}
		return !after.state().isEnd() && after.process() != null;
	}

	private BulkOperation after(BulkOperation operation, BulkWork.Step step, Instant now) {
		if (step.pause().isZero()) {
			return operation.at(step.progress(), now, now.plus(this.lease));
		}
		// As the database keeps it: otherwise it could be due a little later there.
		Instant next = now.plus(step.pause()).truncatedTo(ChronoUnit.MICROS);
		this.goesOnAt = (this.goesOnAt == null || next.isBefore(this.goesOnAt)) ? next : this.goesOnAt;
		return operation.pausing(step.progress(), now, next);
	}

	/**
	 * Stops an operation after the batch in progress, or at once if it pauses.
	 * @return the operation; empty if it does not exist
	 */
	public Optional<BulkOperation> stop(String id) {
		return this.transactions.inTransaction(() -> this.store.lock(id).map((operation) -> {
			BulkOperation stopping = operation.stopping(this.clock.instant());
			if (stopping != operation) {
				this.store.save(stopping);
			}
			return stopping;
		}));
	}

	/**
	 * Stops the thread after the batch in progress, and lets other processes go on.
	 */
	@Override
	public void close() {
		this.poller.close();
		try {
			this.store.release(this.process, this.clock.instant());
		}
		catch (StoreException ex) {
			logger.debug("Other processes go on when the lease is over", ex);
		}
	}

}
