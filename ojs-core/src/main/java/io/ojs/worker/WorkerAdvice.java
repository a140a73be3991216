package io.ojs.worker;

/**
 * Says which state a worker should be in that has just been heard of, for applications
 * that want to drain workers by themselves.
 */
public interface WorkerAdvice {

	/** Lets them run. */
	WorkerAdvice NONE = (heartbeat) -> WorkerState.RUNNING;

	/**
	 * Gives advice.
	 * @param heartbeat what the worker says
	 * @return the state that it should be in; nearer to the end than what it says or an
	 * operator wants, or it is not listened to
	 */
	WorkerState advise(Heartbeat heartbeat);

}
