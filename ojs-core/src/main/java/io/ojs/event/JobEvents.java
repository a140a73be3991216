package io.ojs.event;

import java.util.List;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.log.SafeLogger;
import org.slf4j.Logger;

/**
 * Tells every listener of an event. A listener that throws harms neither the job nor the
 * other listeners.
 */
public final class JobEvents {

	private static final Logger logger = SafeLogger.of(JobEvents.class);

	private final List<JobEventListener> listeners;

	/**
	 * Creates a multicaster.
	 * @param listeners whom to tell, in this order
	 */
	public JobEvents(List<JobEventListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/**
	 * Tells everybody of a job that is safe from now on: that it is scheduled, or that it
	 * is enqueued. Of a pending one there is nothing to tell before it is activated.
	 * @param job the job, in the state that it was enqueued in
	 */
	public void enqueued(Job job) {
		JobState state = (job.state() != null) ? job.state() : JobState.AVAILABLE;
		publish(new JobTransition(Transition.ofNew(state), job, 1, 1));
	}

	/**
	 * Tells everybody what has become of a job.
	 * @param transition what
	 */
	public void publish(JobTransition transition) {
		transition.events().forEach(this::publish);
	}

	/**
	 * Tells everybody.
	 * @param event what happened
	 */
	public void publish(JobEvent event) {
		for (JobEventListener listener : this.listeners) {
			try {
				listener.onEvent(event);
			}
			catch (Throwable ex) {
				// Errors too: the job has happened, whatever a listener's class path
				// lacks.
				logger.warn("A listener failed on {} of job {}: {}", event.name(), event.job().id(), listener, ex);
			}
		}
	}

}
