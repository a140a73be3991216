package io.ojs.store.internal.relay;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.client.internal.JobControl;
import io.ojs.job.Job;

/**
 * Workers that note what they are told.
 */
final class ScriptedWorkers implements JobControl {

	/** Ids of jobs that are to be interrupted. */
	final List<String> cancelled = new CopyOnWriteArrayList<>();

	/** What is done before a job is noted. */
	volatile Runnable before = () -> {
	};

	@Override
	public void cancel(String queue, String jobId) {
		this.before.run();
		this.cancelled.add(jobId);
	}

	@Override
	public Optional<Job> find(String queue, String jobId) {
		return Optional.empty();
	}

}
