package io.ojs.amqp.control;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Jobs that are to be dropped when their turn comes.
 *
 * <p>
 * Every worker remembers all of them. The one that heard the request from the broker also
 * holds its message, unacknowledged: when that process dies, the broker gives it to
 * another one. Only so many are held, so that a request for a job that never comes does
 * not keep later requests away; the oldest is then remembered, but no longer held.
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
	 * @param jobId the job
	 * @param release lets go of the message that asked for it; {@code null} if another
	 * worker holds it
	 * @param again whether the broker hands that message out again, which is no new
	 * request
	 */
	void add(String jobId, @Nullable Runnable release, boolean again) {
		this.lock.lock();
		try {
			Tombstone known = this.byJob.get(jobId);
			if (release == null && known != null && !isOver(known)) {
				return;
			}
			if (known != null && again) {
				// In its place, since the oldest come first.
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

	/** The job is gone. */
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

	/** Lets go of what is too old, or too much; the oldest come first. */
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

	/** How many jobs are remembered, at this moment. */
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
	 * A job to be dropped.
	 *
	 * @param since when it was asked for, by the JVM's clock
	 * @param release lets go of the message that asked for it
	 */
	private record Tombstone(long since, @Nullable Runnable release) {
	}

}
