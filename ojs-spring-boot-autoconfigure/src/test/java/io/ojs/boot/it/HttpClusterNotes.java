package io.ojs.boot.it;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What clients of HTTP instances have done, and what they were told.
 */
final class HttpClusterNotes {

	private final Queue<Fetched> fetched = new ConcurrentLinkedQueue<>();

	private final Queue<Unanswered> unanswered = new ConcurrentLinkedQueue<>();

	private final Queue<Settled> settled = new ConcurrentLinkedQueue<>();

	private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();

	private final Queue<Kill> kills = new ConcurrentLinkedQueue<>();

	private final AtomicInteger acknowledged = new AtomicInteger();

	private final AtomicInteger enqueued = new AtomicInteger();

	private final AtomicInteger duplicates = new AtomicInteger();

	private final AtomicInteger heartbeats = new AtomicInteger();

	void fetched(String id, int attempt, String worker, long at) {
		this.fetched.add(new Fetched(id, attempt, worker, at));
	}

	void unanswered(String worker, Call call, long began) {
		this.unanswered.add(new Unanswered(worker, call, began, System.currentTimeMillis()));
	}

	void settled(Settled what) {
		this.settled.add(what);
		if (what.call() == Call.ACK && what.status() == 200) {
			this.acknowledged.incrementAndGet();
		}
	}

	/** An answer that a client that does as it should never gets. */
	void unexpected(String what) {
		this.unexpected.add(what);
	}

	void enqueued(int jobs, boolean duplicate) {
		this.enqueued.addAndGet(jobs);
		if (duplicate) {
			this.duplicates.incrementAndGet();
		}
	}

	void heartbeat() {
		this.heartbeats.incrementAndGet();
	}

	void killed(String what, long before) {
		this.kills.add(new Kill(what, before, System.currentTimeMillis()));
	}

	Collection<Fetched> fetched() {
		return this.fetched;
	}

	Collection<Unanswered> unanswered() {
		return this.unanswered;
	}

	Collection<Settled> settled() {
		return this.settled;
	}

	Collection<String> unexpected() {
		return this.unexpected;
	}

	Collection<Kill> kills() {
		return this.kills;
	}

	int acknowledged() {
		return this.acknowledged.get();
	}

	int enqueued() {
		return this.enqueued.get();
	}

	/** Batches that were told to be there already. */
	int duplicates() {
		return this.duplicates.get();
	}

	int heartbeats() {
		return this.heartbeats.get();
	}

	/** What a client asks for. */
	enum Call {

		ENQUEUE, FETCH, ACK, NACK, HEARTBEAT

	}

	/** A run that a worker got. Times are milliseconds of the clock of all. */
	record Fetched(String id, int attempt, String worker, long at) {
	}

	/** A call whose answer did not come. */
	record Unanswered(String worker, Call call, long began, long ended) {
	}

	/**
	 * What came of a run, as its worker was told.
	 *
	 * @param asked how often it had asked before, without an answer
	 * @param silence how long before that the worker had last asked for the lease that it
	 * was given, in milliseconds
	 */
	record Settled(String id, int attempt, String worker, Call call, int status, String state, int asked,
			long silence) {
	}

	/** The time within which a process was killed. */
	record Kill(String what, long before, long after) {
	}

}
