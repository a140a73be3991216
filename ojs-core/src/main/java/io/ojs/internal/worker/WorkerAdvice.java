package io.ojs.internal.worker;

/**
 * Advises the state of a worker after its heartbeat, for applications that drain workers
 * by their own rules.
 */
public interface WorkerAdvice {

	/** Lets all workers run. */
	WorkerAdvice NONE = (heartbeat) -> WorkerState.RUNNING;

	/**
	 * Advises a state.
	 * @return the state that the worker should be in; it counts only if it is later than
	 * that of the worker and of the operator
	 */
	WorkerState advise(Heartbeat heartbeat);

}
