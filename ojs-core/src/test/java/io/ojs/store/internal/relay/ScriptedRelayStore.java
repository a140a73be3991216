package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;

/**
 * A store that has what it is told to have, and notes what it is asked.
 */
public final class ScriptedRelayStore implements RelayStore {

	/** What is to be published, once; each time somebody asks, as much as fits. */
	final Deque<RelayedJob> waiting = new ConcurrentLinkedDeque<>();

	/** The same, of ordered queues. */
	final Deque<RelayedJob> ordered = new ConcurrentLinkedDeque<>();

	/** What becomes of others when jobs are taken, once. */
	volatile Taken others = Taken.NOTHING;

	/** When something is due, past or not. */
	final List<Instant> due = new CopyOnWriteArrayList<>();

	/** What is thrown instead of an answer, by method, until it is taken out. */
	final Map<String, Throwable> failures = new ConcurrentHashMap<>();

	/** What is done before an answer. */
	volatile Consumer<String> before = (method) -> {
	};

	/** Names of methods, in order. */
	final List<String> calls = new CopyOnWriteArrayList<>();

	final List<List<String>> published = new CopyOnWriteArrayList<>();

	/** When the relay was to take what was published, by the ids. */
	final Map<String, Instant> untils = new ConcurrentHashMap<>();

	/** What was published, by queue. */
	final Map<String, List<String>> queues = new ConcurrentHashMap<>();

	final List<GivenBack> givenBack = new CopyOnWriteArrayList<>();

	/** Why jobs are dead letters, by their ids. */
	final Map<String, String> buried = new ConcurrentHashMap<>();

	final List<Instant> heldUntil = new CopyOnWriteArrayList<>();

	/** What the broker should have; the last count is the answer to all that follow. */
	final Deque<List<AtBroker>> counts = new ConcurrentLinkedDeque<>();

	final List<Again> again = new CopyOnWriteArrayList<>();

	final List<Again> givenUp = new CopyOnWriteArrayList<>();

	private static List<String> both(List<String> one, List<String> other) {
		List<String> all = new ArrayList<>(one);
		all.addAll(other);
		return all;
	}

	private void call(String method) {
		this.calls.add(method);
		this.before.accept(method);
		Throwable failure = this.failures.get(method);
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure != null) {
			throw (RuntimeException) failure;
		}
	}

	void away(String method) {
		this.failures.put(method, new StoreUnavailableException("The database is away.", null));
	}

	public long count(String method) {
		return this.calls.stream().filter(method::equals).count();
	}

	private List<RelayedJob> poll(Deque<RelayedJob> from, Instant until, int limit) {
		List<RelayedJob> taken = new ArrayList<>();
		while (taken.size() < limit && !from.isEmpty()) {
			taken.add(from.remove());
		}
		if (!taken.isEmpty()) {
			this.heldUntil.add(until);
		}
		return taken;
	}

	@Override
	public Taken take(Instant now, Instant until, int limit) {
		call("take");
		Taken others = this.others;
		this.others = Taken.NOTHING;
		return new Taken(poll(this.waiting, until, limit), others.others());
	}

	@Override
	public Taken takeOrdered(Instant now, Instant until, int limit) {
		call("takeOrdered");
		return new Taken(poll(this.ordered, until, limit), 0);
	}

	@Override
	public void published(String queue, Map<String, Instant> jobs, Instant now) {
		call("published");
		List<String> ids = jobs.keySet().stream().sorted().toList();
		this.published.add(ids);
		this.queues.merge(queue, ids, ScriptedRelayStore::both);
		this.untils.putAll(jobs);
	}

	@Override
	public void giveBack(Collection<String> jobIds, Instant relayAt) {
		call("giveBack");
		this.givenBack.add(new GivenBack(List.copyOf(jobIds), relayAt));
	}

	@Override
	public List<StoredJob> bury(Map<String, String> reasons, Instant now) {
		call("bury");
		this.buried.putAll(reasons);
		return reasons.entrySet().stream().map((each) -> {
			JobError error = new JobError("unpublishable", JobError.INVALID_PAYLOAD, each.getValue(), 0,
					Rfc3339.utc(now), List.of(), Map.of());
			Job job = Job.builder(each.getKey(), "test.it", "default")
				.state(JobState.DISCARDED)
				.errors(List.of(error))
				.build();
			return new StoredJob(job, 3, Map.of(), null, now, "default", 0);
		}).toList();
	}

	@Override
	public Optional<Instant> nextAt() {
		call("nextAt");
		return this.due.stream().min(Instant::compareTo);
	}

	@Override
	public Optional<Instant> nextAfter(Instant now) {
		call("nextAfter");
		return this.due.stream().filter((at) -> at.isAfter(now)).min(Instant::compareTo);
	}

	@Override
	public List<AtBroker> atBroker(Instant before) {
		call("atBroker");
		return (this.counts.size() > 1) ? this.counts.remove() : this.counts.element();
	}

	@Override
	public int publishAgain(String queue, Instant before, Instant relayAt, int limit) {
		call("publishAgain");
		this.again.add(new Again(queue, before, limit));
		return limit;
	}

	@Override
	public int giveUp(String queue, Instant before, int limit) {
		call("giveUp");
		this.givenUp.add(new Again(queue, before, limit));
		return limit;
	}

	/**
	 * Jobs that are to be published again.
	 *
	 * @param queue the queue
	 * @param before only those that were published before
	 * @param limit how many at most
	 */
	record Again(String queue, Instant before, int limit) {
	}

	/**
	 * Jobs that could not be published.
	 *
	 * @param ids the jobs
	 * @param at when to try again
	 */
	record GivenBack(List<String> ids, Instant at) {
	}

}
