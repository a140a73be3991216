package io.ojs.internal.bulk;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import io.ojs.internal.log.SafeLogger;
import io.ojs.job.internal.ForeignText;
import io.ojs.retry.internal.Backoff;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.Poller;
import io.ojs.store.internal.StoreTransactions;
import org.slf4j.Logger;

/**
 * Works operations on many jobs, a batch of each in turn. The transaction of each batch
 * also writes how far the operation is. So another process goes on after the last batch
 * that was committed, when the lease of a killed process is over: no job is changed twice
 * or left out.
 *
 * <p>
 * An operation that pauses belongs to no process, and any goes on with it when it is due.
 */
public final class BulkRunner implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(BulkRunner.class);

	/** How often a process looks for operations of processes that are gone. */
	private static final Duration POLL = Duration.ofSeconds(5);

	/** Another process may have locked what is due. */
	private static final Duration SHORTEST = Duration.ofMillis(50);

	private static final int LONGEST_PROBLEM = 1000;

	private final BulkOperationStore store;

	private final StoreTransactions transactions;

	private final BulkWork work;

	private final String process;

	private final Duration lease;

	private final Clock clock;

	/** The operations of which this process has told that they go on here. */
	private final Set<String> told = new HashSet<>();

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
		runDue();
		Duration pause = Backoff.jittered((this.lease.compareTo(POLL) < 0) ? this.lease : POLL);
		return this.store.nextDue()
			.map((due) -> Duration.between(this.clock.instant(), due))
			.map((left) -> (left.compareTo(SHORTEST) < 0) ? SHORTEST : left)
			.filter((left) -> left.compareTo(pause) < 0)
			.orElse(pause);
	}

	/**
	 * Works the operations that are due, a batch of each in turn, until each has ended or
	 * pauses, as the thread does. To be called by one thread at a time.
	 * @return whether there was one
	 * @throws StoreException if the database fails; the operations go on later
	 */
	public boolean runDue() {
		boolean any = false;
		while (!this.poller.isStopped()) {
			Instant now = this.clock.instant();
			Optional<BulkOperation> taken = this.store.take(this.process, now, now.plus(this.lease));
			if (taken.isEmpty()) {
				break;
			}
			any = true;
			BulkOperation operation = taken.get();
			if (this.told.add(operation.id())) {
				logger.info("Operation {} ({}) goes on here, {} jobs are done", operation.id(),
						operation.action().wireName(), operation.progress().done());
			}
			batch(operation.id());
		}
		return any;
	}

	private void batch(String id) {
		try {
			this.transactions.inTransaction(() -> {
				own(id).ifPresent(this::advance);
				return true;
			});
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
		}
	}

	/** Locks the operation, if this process still has it. */
	private Optional<BulkOperation> own(String id) {
		return this.store.lock(id)
			.filter((operation) -> this.process.equals(operation.process()) && !operation.state().isEnd());
	}

	private void advance(BulkOperation operation) {
		Instant now = this.clock.instant();
		BulkOperation after = (operation.state() == BulkState.STOPPING) ? operation.ended(BulkState.STOPPED, null, now)
				: this.work.next(operation, now)
					.map((step) -> after(operation, step, now))
					.orElseGet(() -> operation.ended(BulkState.COMPLETED, null, now));
		this.store.save(after);
		if (after.state().isEnd()) {
			this.told.remove(after.id());
			logger.info("Operation {} ({}) is {}: {} jobs are done, {} failed", after.id(), after.action().wireName(),
					after.state().wireName(), after.progress().done(), after.progress().failed());
		}
	}

	private BulkOperation after(BulkOperation operation, BulkWork.Step step, Instant now) {
		if (step.last()) {
			return operation.at(step.progress(), now, now).ended(BulkState.COMPLETED, null, now);
		}
		if (step.pause().isZero()) {
			return operation.at(step.progress(), now, now.plus(this.lease));
		}
		// As the database keeps it: otherwise it could be due a little later there.
		Instant next = now.plus(step.pause()).truncatedTo(ChronoUnit.MICROS);
		return operation.pausing(step.progress(), now, next);
	}

	/**
	 * Stops an operation at once if it waits or pauses, otherwise after the batch in
	 * progress.
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
