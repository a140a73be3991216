package io.ojs.event.internal;

import java.util.List;

import io.ojs.event.JobEvent;
import io.ojs.event.JobEventListener;
import io.ojs.job.Job;
import io.ojs.job.JobState;

/**
 * Publishes events to all listeners. If a listener throws, neither the job nor other
 * listeners are affected.
 */
public final class JobEvents {

	private final Listeners<JobEventListener> listeners;

	public JobEvents(List<JobEventListener> listeners) {
		this.listeners = new Listeners<>(listeners);
	}

	/**
	 * Publishes that a job is safe: that it is scheduled or enqueued. Nothing is
	 * published for a pending job, until it is activated.
	 * @param job the job, in the state in which it was enqueued
	 */
	public void enqueued(Job job) {
		JobState state = (job.state() != null) ? job.state() : JobState.AVAILABLE;
		publish(new JobTransition(Transition.ofNew(state), job, 1, 1));
	}

	/** Publishes the events of a transition. */
	public void publish(JobTransition transition) {
		transition.events().forEach(this::publish);
	}

	/** Publishes an event. */
	public void publish(JobEvent event) {
		this.listeners.notifyOf(() -> event.name() + " of job " + event.job().id(),
				(listener) -> listener.onEvent(event));
	}

}
