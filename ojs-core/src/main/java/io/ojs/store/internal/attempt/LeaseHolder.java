package io.ojs.store.internal.attempt;

/**
 * The run that a lease belongs to.
 */
@FunctionalInterface
public interface LeaseHolder {

	/**
	 * Called when the lease is no longer valid: the store will ignore the outcome of the
	 * run. Must be quick.
	 * @param cancelled whether the job was cancelled; otherwise another worker has taken
	 * it over, or it has ended
	 */
	void lost(boolean cancelled);

}
