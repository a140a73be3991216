package io.ojs.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Lets many threads share one call to the database. Whoever comes while nobody is there
 * goes at once, alone; those who come meanwhile go together with the next call, which one
 * of them makes for all. So nobody waits for company, and the more there is to do the
 * larger the calls become.
 *
 * @param <I> what is asked
 * @param <O> what is answered
 */
final class GroupCommit<I, O> {

	/** More would only make the others wait longer. */
	static final int MOST = 200;

	private final Function<List<I>, List<O>> call;

	private final Function<? super I, ?> key;

	private final Deque<Entry<I, O>> waiting = new ArrayDeque<>();

	private final ReentrantLock lock = new ReentrantLock();

	/** Whether somebody is in the database. */
	private boolean busy;

	/**
	 * Creates it.
	 * @param call answers as many as it is asked, in the same order
	 * @param key no two with the same key go together
	 */
	GroupCommit(Function<List<I>, List<O>> call, Function<? super I, ?> key) {
		this.call = call;
		this.key = key;
	}

	/**
	 * Asks, and waits for the answer. An interrupt does not end the wait, since nobody
	 * could tell then what became of the question; it is kept for later.
	 * @param item what is asked
	 * @return the answer
	 * @throws RuntimeException what the call threw; what it threw because of another item
	 * is not told, unless the database is away
	 */
	O submit(I item) {
		List<Entry<I, O>> batch = enter(new Entry<>(item, this.lock.newCondition()));
		Entry<I, O> own = batch.get(0);
		if (!own.done) {
			// Interrupted, a driver may give up the connection, and all would pay for
			// one.
			boolean interrupted = Thread.interrupted();
			try {
				answer(batch);
			}
			finally {
				leave(batch);
				if (interrupted) {
					Thread.currentThread().interrupt();
				}
			}
		}
		return own.get();
	}

	/** Returns what this thread is to ask, its own first; or what has been answered. */
	private List<Entry<I, O>> enter(Entry<I, O> own) {
		this.lock.lock();
		try {
			if (this.busy) {
				this.waiting.add(own);
				while (!own.done && !own.leads) {
					own.turn.awaitUninterruptibly();
				}
			}
			this.busy |= !own.done;
			return own.done ? List.of(own) : batch(own);
		}
		finally {
			this.lock.unlock();
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
	}

	private void together(List<Entry<I, O>> batch) {
		List<O> answers = this.call.apply(batch.stream().map((entry) -> entry.item).toList());
		if (answers.size() != batch.size()) {
			throw new IllegalStateException(
					"The job store was asked for %d and answered %d.".formatted(batch.size(), answers.size()));
		}
		for (int i = 0; i < batch.size(); i++) {
			batch.get(i).answer = answers.get(i);
		}
	}

	/** One of them is at fault, and the others shall not fail for it. */
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
			if (away != null) {
				entry.failure = away;
			}
		}
	}

	/** The next one of those who wait goes for all of them. */
	private void leave(List<Entry<I, O>> batch) {
		this.lock.lock();
		try {
			for (Entry<I, O> entry : batch) {
				entry.done = true;
				entry.turn.signal();
			}
			Entry<I, O> next = this.waiting.poll();
			this.busy = next != null;
			if (next != null) {
				next.leads = true;
				next.turn.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many wait for their turn, at this moment. */
	int waiting() {
		this.lock.lock();
		try {
			return this.waiting.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Somebody's question.
	 *
	 * @param <I> what is asked
	 * @param <O> what is answered
	 */
	private static final class Entry<I, O> {

		private final I item;

		private final Condition turn;

		/** Whether it is to go for the others. */
		private boolean leads;

		private boolean done;

		private @Nullable O answer;

		private @Nullable RuntimeException failure;

		Entry(I item, Condition turn) {
			this.item = item;
			this.turn = turn;
		}

		O get() {
			if (this.failure != null) {
				throw this.failure;
			}
			if (this.answer == null) {
				throw new IllegalStateException("The job store did not answer; the thread that asked died.");
			}
			return this.answer;
		}

	}

}
