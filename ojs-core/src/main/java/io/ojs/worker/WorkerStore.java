package io.ojs.worker;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Knows workers that fetch jobs, for all instances.
 */
public interface WorkerStore {

	/**
	 * Looks a worker up.
	 * @param id what it calls itself
	 * @return the worker; empty if nobody has heard of it lately
	 */
	Optional<KnownWorker> find(String id);

	/**
	 * Notes what a worker says. What an operator wants of it, and since when it is known,
	 * stays as it was.
	 * @param worker the worker
	 */
	void seen(KnownWorker worker);

	/**
	 * Notes what an operator wants of a worker.
	 * @param id what it calls itself
	 * @param directive the state that it should be in
	 * @return whether it is known
	 */
	boolean direct(String id, WorkerState directive);

	/**
	 * Lists workers.
	 * @return all that are known, by their ids
	 */
	List<KnownWorker> list();

	/**
	 * Forgets workers.
	 * @param before those that were not heard of since
	 * @return how many
	 */
	int forget(Instant before);

}
