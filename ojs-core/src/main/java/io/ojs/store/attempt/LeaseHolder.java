package io.ojs.store.attempt;

/**
 * Whoever runs a job by a lease.
 */
@FunctionalInterface
public interface LeaseHolder {

	/**
	 * The lease is no longer valid, whatever the run comes back with. Must be quick.
	 * @param cancelled whether the job was cancelled; otherwise another worker has taken
	 * it over, or it has ended
	 */
	void lost(boolean cancelled);

}
