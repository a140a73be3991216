package io.ojs.amqp.internal.control;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Tombstones: jobs that were cancelled and that workers must drop when they receive them.
 *
 * <p>
 * Every worker remembers all of them. The worker that received the request also holds its
 * message unacked, so that the broker delivers it to another worker if this process dies.
 * The number of held messages is limited, so that requests for jobs that never come do
 * not block later requests. Beyond the limit, the worker acks the oldest message but
 * still remembers its job.
 */
final class Tombstones {

	static final int MOST_HELD = 500;

	static final int MOST = 100_000;

	private final Map<String, Tombstone> byJob = new LinkedHashMap<>();

	private final long lifeNanos;

	private final ReentrantLock lock = new ReentrantLock();

	private int held;

	Tombstones(Duration life) {
		this.lifeNanos = life.toNanos();
	}

	/**
	 * Remembers a job.
	 * @param release acks the message of the request; {@code null} if another worker
	 * holds it
	 * @param again whether the broker delivers the request again, so that it is not a new
	 * one
	 */
	void add(String jobId, @Nullable Runnable release, boolean again) {
		this.lock.lock();
		try {
			Tombstone known = this.byJob.get(jobId);
			if (release == null && known != null && !isOver(known)) {
				return;
			}
			if (known != null && again) {
				// Keeps its place, since the oldest come first.
				release(known);
				this.byJob.put(jobId, new Tombstone(known.since(), release));
			}
			else {
				remove(jobId);
				this.byJob.put(jobId, new Tombstone(System.nanoTime(), release));
			}
			this.held += (release != null) ? 1 : 0;
			bury();
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean contains(String jobId) {
		this.lock.lock();
		try {
			Tombstone found = this.byJob.get(jobId);
			return found != null && !isOver(found);
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isOver(Tombstone tombstone) {
		return System.nanoTime() - tombstone.since() >= this.lifeNanos;
	}

	/** The jobs whose requests this worker holds. */
	List<String> held() {
		this.lock.lock();
		try {
			return this.byJob.entrySet()
				.stream()
				.filter((entry) -> entry.getValue().release() != null && !isOver(entry.getValue()))
				.map(Map.Entry::getKey)
				.toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Forgets a job, which is gone. */
	void remove(String jobId) {
		this.lock.lock();
		try {
			Tombstone removed = this.byJob.remove(jobId);
			if (removed != null) {
				release(removed);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void release(Tombstone tombstone) {
		if (tombstone.release() != null) {
			this.held--;
			tombstone.release().run();
		}
	}

	/** Removes old and surplus tombstones, the oldest first. */
	private void bury() {
		Iterator<Map.Entry<String, Tombstone>> oldest = this.byJob.entrySet().iterator();
		while (oldest.hasNext()) {
			Map.Entry<String, Tombstone> entry = oldest.next();
			Tombstone tombstone = entry.getValue();
			if (isOver(tombstone) || this.byJob.size() > MOST) {
				oldest.remove();
				release(tombstone);
			}
			else if (this.held > MOST_HELD) {
				if (tombstone.release() != null) {
					entry.setValue(new Tombstone(tombstone.since(), null));
					release(tombstone);
				}
			}
			else {
				return;
			}
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.byJob.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A cancelled job.
	 *
	 * @param since when it was cancelled, by the JVM's clock
	 */
	private record Tombstone(long since, @Nullable Runnable release) {
	}

}
