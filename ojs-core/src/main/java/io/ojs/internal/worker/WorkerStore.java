package io.ojs.internal.worker;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Knows the workers that fetch jobs over HTTP from any instance.
 */
public interface WorkerStore {

	/**
	 * Finds a worker.
	 * @return the worker; empty if it is not known, or was forgotten
	 */
	Optional<KnownWorker> find(String id);

	/**
	 * Records what a worker reports. Does not change the directive of an operator, nor
	 * the time at which the worker was first seen.
	 */
	void seen(KnownWorker worker);

	/**
	 * Records the state that an operator wants a worker to be in.
	 * @return whether the worker is known
	 */
	boolean direct(String id, WorkerState directive);

	/** Lists workers. */
	List<KnownWorker> list();

	/**
	 * Removes workers.
	 * @param before removes workers last seen before this time
	 */
	int forget(Instant before);

}
