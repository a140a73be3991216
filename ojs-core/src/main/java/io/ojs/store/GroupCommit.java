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
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.ojs.log.SafeLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Lets many threads share one call to the database. A thread that asks while no call is
 * under way calls at once, for itself. What other threads ask meanwhile goes with the
 * next call, which one of them makes for all. So a single thread never waits for others,
 * and the more there is to do the larger the calls become.
 *
 * <p>
 * Those who went together tend to come back together, but one is always the first. It
 * waits a moment for the others: a call for one costs nearly as much as a call for all of
 * them, and they would have to wait for it.
 *
 * @param <I> what is asked
 * @param <O> what is answered
 */
public final class GroupCommit<I, O> {

	private static final Logger logger = SafeLogger.of(GroupCommit.class);

	/** More would only make the others wait longer. */
	static final int MOST = 200;

	/** What it takes a thread to wake up, and to do next to nothing. */
	private static final long GATHERING_NANOS = 300_000;

	private final Function<List<I>, List<@Nullable O>> call;

	private final Function<? super I, ?> key;

	private final long gatheringNanos;

	private final Deque<Entry<I, O>> waiting = new ArrayDeque<>();

	private final ReentrantLock lock = new ReentrantLock();

	/** Whether somebody is in the database. */
	private boolean busy;

	/** Whether the next one who leaves something to others is to go after them. */
	private boolean relieve;

	/** How many went together last. */
	private int lastSize;

	/** Whether somebody is about to go, and waits for others. */
	private boolean gathering;

	private final Condition gathered = this.lock.newCondition();

	/**
	 * Creates it.
	 * @param call answers as many as it is asked, in the same order; {@code null} to what
	 * has to wait for others, and is to be asked again
	 * @param key no two with the same key go together
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
	 * Asks, and waits for the answer. An interrupt does not end the wait, since nobody
	 * could tell then what became of the question; it is kept for later.
	 * @param item what is asked
	 * @return the answer
	 * @throws RuntimeException what the call threw; what it threw because of another item
	 * is not told, unless the database is away
	 */
	public O submit(I item) {
		List<Entry<I, O>> batch = enter(new Entry<>(item, this.lock.newCondition()));
		Entry<I, O> own = batch.get(0);
		if (!own.done) {
			// Interrupted, a driver may give up the connection, and all would pay for
			// one.
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
	 * Asks, and leaves the answer to whoever is in the database, if there is anybody;
	 * otherwise this thread goes, and stays for as long as others leave theirs to it.
	 * Asks and waits like all others if far too many wait already.
	 * @param item what is asked
	 * @param answered is told the answer, or what the call threw; by this thread or
	 * another one that asks something, outside of the call
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
	 * Goes for a batch, and for what was left to this thread meanwhile.
	 * @return what the thread failed with at last, when all have been told
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
				// What others have left to this thread is nobody else's.
				error = ex;
			}
			batch = leave(batch);
		}
		// Not before: who is told may ask again, and must not wait for this thread. Those
		// whose call has failed may take their time; the others must not wait for that.
		told.stream().filter((entry) -> entry.failure == null).forEach(Entry::tell);
		told.stream().filter((entry) -> entry.failure != null).forEach(Entry::tell);
		return error;
	}

	/** Returns what this thread is to ask, its own first; or what has been answered. */
	private List<Entry<I, O>> enter(Entry<I, O> own) {
		this.lock.lock();
		try {
			if (this.busy) {
				this.waiting.add(own);
				if (this.gathering && this.waiting.size() + 1 >= this.lastSize) {
					this.gathered.signal();
				}
				// One who has gone for others has a queue of its own to work.
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
			// Whoever comes next must find somebody who goes.
			batch.forEach((entry) -> entry.failure = broken(ex));
			throw ex;
		}
	}

	private static RuntimeException broken(Error error) {
		return new IllegalStateException("The job store did not answer; the thread that asked failed.", error);
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
				// Waiting for it here, all would wait.
				batch.get(i).failure = new StoreUnavailableException("Another transaction has locked its row.", null);
			}
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
	 * The next one of those who wait goes for all of them. If none of them waits, since
	 * all have left it to this thread, it goes again.
	 * @return what this thread is to ask now
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
	 * How many wait for their turn, at this moment.
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

		/** Who is told, if nobody waits. */
		private @Nullable BiConsumer<@Nullable O, @Nullable RuntimeException> answered;

		/** Whether somebody waits for it although there is somebody to be told. */
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
			// Meant for whoever was told before, if for anybody.
			Thread.interrupted();
			try {
				this.answered.accept(this.answer, this.failure);
			}
			catch (Throwable ex) {
				// The others have to be told, and their threads are not to end for it.
				logger.error("What was to be done after {} has failed", this.item, ex);
			}
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
