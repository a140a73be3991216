package io.ojs.store.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.ojs.internal.log.SafeLogger;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Lets many threads share one call to the database. A thread that finds no call in
 * progress makes one at once, for its own item. Items that arrive during a call wait for
 * the next call, which one of the waiting threads makes for all of them. So a single
 * thread never waits, and calls grow with the load.
 *
 * <p>
 * Threads of one batch tend to return together, but one of them is first. It waits up to
 * 0.3 ms for the others: a call for one item costs nearly as much as a call for all of
 * them, and the others would have to wait for it.
 *
 * @param <I> the item that a thread asks about
 * @param <O> the answer
 */
public final class GroupCommit<I, O> {

	private static final Logger logger = SafeLogger.of(GroupCommit.class);

	/** The largest batch. A larger one would only make the other threads wait longer. */
	static final int MOST = 200;

	/**
	 * The longest wait for other threads: enough for a thread to wake up and ask again.
	 */
	private static final long GATHERING_NANOS = 300_000;

	private final Function<List<I>, List<@Nullable O>> call;

	private final Function<? super I, ?> key;

	private final long gatheringNanos;

	private final Deque<Entry<I, O>> waiting = new ArrayDeque<>();

	private final ReentrantLock lock = new ReentrantLock();

	/** Whether a thread is in the database, or is gathering a batch. */
	private boolean busy;

	/**
	 * Whether the next thread that leaves its item to others has to make the next call.
	 */
	private boolean relieve;

	private int lastSize;

	/** Whether the thread that makes the next call waits for others to join. */
	private boolean gathering;

	private final Condition gathered = this.lock.newCondition();

	/**
	 * Creates a group commit.
	 * @param call answers a list of items, with one answer for each, in the same order;
	 * {@code null} for an item whose row another transaction has locked, which is to be
	 * submitted again
	 * @param key the key of an item; a batch has no two items with the same key
	 */
	public GroupCommit(Function<List<I>, List<@Nullable O>> call, Function<? super I, ?> key) {
		this(call, key, GATHERING_NANOS);
	}

	GroupCommit(Function<List<I>, List<@Nullable O>> call, Function<? super I, ?> key, long gatheringNanos) {
		this.call = call;
		this.key = key;
		this.gatheringNanos = gatheringNanos;
	}

	/**
	 * Submits an item and waits for its answer. An interrupt does not end the wait,
	 * because the caller could not know then whether the call happened; the thread's
	 * interrupt flag is set again afterwards.
	 * @throws RuntimeException if the call failed for this item, or because the database
	 * is away
	 */
	public O submit(I item) {
		List<Entry<I, O>> batch = enter(new Entry<>(item, this.lock.newCondition()));
		Entry<I, O> own = batch.get(0);
		if (!own.done) {
			// A driver may close its connection if its thread is interrupted, which would
			// fail the whole batch.
			boolean interrupted = Thread.interrupted();
			Error error = lead(batch);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			if (error != null) {
				throw error;
			}
		}
		return own.get();
	}

	/**
	 * Submits an item and leaves the call to the thread that is in the database. If no
	 * thread is there, this thread makes the call, and further calls for items that other
	 * threads have left to it meanwhile. If more items wait than one call takes, this
	 * thread waits like all others.
	 * @param answered receives the answer, or what the call threw, after the call; on
	 * this thread or another one that submits items
	 */
	public void submitLater(I item, BiConsumer<@Nullable O, @Nullable RuntimeException> answered) {
		Entry<I, O> own = new Entry<>(item, this.lock.newCondition());
		own.answered = answered;
		boolean interrupted = Thread.interrupted();
		try {
			lead(enter(own));
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Makes the call for a batch, and for the items that other threads have left to this
	 * one meanwhile.
	 * @return the last {@link Error} of a call; {@code null} if there was none
	 */
	private @Nullable Error lead(List<Entry<I, O>> first) {
		List<Entry<I, O>> told = new ArrayList<>();
		List<Entry<I, O>> batch = first;
		Error error = null;
		while (!batch.isEmpty()) {
			told.addAll(batch);
			try {
				answer(batch);
			}
			catch (Error ex) {
				// No other thread would make the call for the items left to this one.
				error = ex;
			}
			batch = leave(batch);
		}
		// After leave(): a callback may submit an item, and must not wait for this
		// thread. Callbacks of failures come last: they may retry for long.
		told.stream().filter((entry) -> entry.failure == null).forEach(Entry::tell);
		told.stream().filter((entry) -> entry.failure != null).forEach(Entry::tell);
		return error;
	}

	/**
	 * Returns the batch that this thread has to call for, its own item first; otherwise
	 * its own item if it has been answered, or nothing.
	 */
	private List<Entry<I, O>> enter(Entry<I, O> own) {
		this.lock.lock();
		try {
			if (this.busy) {
				this.waiting.add(own);
				if (this.gathering && this.waiting.size() + 1 >= this.lastSize) {
					this.gathered.signal();
				}
				// A thread that calls for others neglects its own queue, so another one
				// relieves it.
				own.awaited = this.waiting.size() > MOST || (this.relieve && !own.isAwaited());
				this.relieve &= !own.awaited;
				if (!own.isAwaited()) {
					return List.of();
				}
				while (!own.done && !own.leads) {
					own.turn.awaitUninterruptibly();
				}
			}
			if (own.done) {
				return (own.answered != null) ? List.of() : List.of(own);
			}
			this.busy = true;
			gather();
			return batch(own);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void gather() {
		boolean interrupted = false;
		this.gathering = true;
		for (long left = this.gatheringNanos; left > 0 && this.waiting.size() + 1 < this.lastSize;) {
			try {
				left = this.gathered.awaitNanos(left);
			}
			catch (InterruptedException ex) {
				interrupted = true;
				break;
			}
		}
		this.gathering = false;
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private List<Entry<I, O>> batch(Entry<I, O> own) {
		List<Entry<I, O>> batch = new ArrayList<>();
		Set<Object> keys = new HashSet<>();
		batch.add(own);
		keys.add(this.key.apply(own.item));
		Iterator<Entry<I, O>> others = this.waiting.iterator();
		while (others.hasNext() && batch.size() < MOST) {
			Entry<I, O> other = others.next();
			if (keys.add(this.key.apply(other.item))) {
				others.remove();
				batch.add(other);
			}
		}
		this.lastSize = batch.size();
		return batch;
	}

	private void answer(List<Entry<I, O>> batch) {
		try {
			together(batch);
		}
		catch (StoreUnavailableException ex) {
			batch.forEach((entry) -> entry.failure = ex);
		}
		catch (RuntimeException ex) {
			if (batch.size() == 1) {
				batch.get(0).failure = ex;
			}
			else {
				oneByOne(batch);
			}
		}
		catch (Error ex) {
			// Threads that wait for this batch need an answer too.
			batch.forEach((entry) -> entry.failure = broken(ex));
			throw ex;
		}
	}

	private static RuntimeException broken(Error error) {
		return new IllegalStateException(
				"The job store did not answer: the thread that called it for this batch failed.", error);
	}

	private void together(List<Entry<I, O>> batch) {
		List<@Nullable O> answers = this.call.apply(batch.stream().map((entry) -> entry.item).toList());
		if (answers.size() != batch.size()) {
			throw new IllegalStateException(
					"The job store was asked for %d and answered %d.".formatted(batch.size(), answers.size()));
		}
		for (int i = 0; i < batch.size(); i++) {
			batch.get(i).answer = answers.get(i);
			if (answers.get(i) == null) {
				// If this thread waited for the row here, the whole batch would wait.
				batch.get(i).failure = new StoreUnavailableException("Another transaction has locked its row.", null);
			}
		}
	}

	/** Calls for each item by itself, so that a bad item fails alone. */
	private void oneByOne(List<Entry<I, O>> batch) {
		RuntimeException away = null;
		for (Entry<I, O> entry : batch) {
			try {
				if (away == null) {
					together(List.of(entry));
				}
			}
			catch (StoreUnavailableException ex) {
				away = ex;
			}
			catch (RuntimeException ex) {
				entry.failure = ex;
				continue;
			}
			catch (Error ex) {
				entry.failure = broken(ex);
				continue;
			}
			if (away != null) {
				entry.failure = away;
			}
		}
	}

	/**
	 * Ends a batch and hands over to a waiting thread, which makes the next call. If no
	 * thread waits, because all items were left to others, this thread makes it.
	 * @return the batch that this thread has to call for now; empty if there is none
	 */
	private List<Entry<I, O>> leave(List<Entry<I, O>> batch) {
		List<Entry<I, O>> next = List.of();
		this.lock.lock();
		try {
			for (Entry<I, O> entry : batch) {
				entry.done = true;
				entry.turn.signal();
			}
			Entry<I, O> leader = leader();
			this.relieve = false;
			this.busy = leader != null;
			if (leader != null) {
				this.waiting.remove(leader);
				if (leader.isAwaited()) {
					leader.leads = true;
					leader.turn.signal();
				}
				else {
					this.relieve = true;
					next = batch(leader);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
		return next;
	}

	private @Nullable Entry<I, O> leader() {
		return this.waiting.stream().filter(Entry::isAwaited).findFirst().orElseGet(this.waiting::peek);
	}

	/**
	 * The number of items that wait for a call now.
	 * @return 0 or more
	 */
	public int waiting() {
		this.lock.lock();
		try {
			return this.waiting.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * An item that a thread has submitted.
	 *
	 * @param <I> the item
	 * @param <O> the answer
	 */
	private static final class Entry<I, O> {

		private final I item;

		private final Condition turn;

		/** Whether its thread has to make the next call. */
		private boolean leads;

		private boolean done;

		private @Nullable O answer;

		private @Nullable RuntimeException failure;

		/** The callback, if no thread waits for the answer. */
		private @Nullable BiConsumer<@Nullable O, @Nullable RuntimeException> answered;

		/** Whether a thread waits although there is a callback. */
		private boolean awaited;

		Entry(I item, Condition turn) {
			this.item = item;
			this.turn = turn;
		}

		boolean isAwaited() {
			return this.answered == null || this.awaited;
		}

		void tell() {
			if (this.answered == null) {
				return;
			}
			// Clears an interrupt that the callback before this one left behind.
			Thread.interrupted();
			try {
				this.answered.accept(this.answer, this.failure);
			}
			catch (Throwable ex) {
				// The other callbacks have to run too, and their threads must go on.
				logger.error("The callback for the answer to {} failed", this.item, ex);
			}
		}

		O get() {
			if (this.failure != null) {
				throw this.failure;
			}
			if (this.answer == null) {
				throw new IllegalStateException(
						"The job store did not answer: the thread that called it for this batch died.");
			}
			return this.answer;
		}

	}

}
