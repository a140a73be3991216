package io.ojs.amqp.listen;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The attempts that this process is busy with. A job that the broker handed out twice may
 * be there twice.
 */
public final class RunningJobs {

	private final ConcurrentMap<String, List<JobRun>> byId = new ConcurrentHashMap<>();

	/** Those that were fetched, whether or not their handlers have been called. */
	private final ConcurrentMap<String, JobRun> fetched = new ConcurrentHashMap<>();

	/** The run has a lease, and waits for a thread. */
	void fetched(JobRun run) {
		this.fetched.put(run.job().id(), run);
	}

	/** The run has ended, or was given back. */
	void ended(JobRun run) {
		this.fetched.remove(run.job().id(), run);
	}

	void add(JobRun run) {
		this.byId.computeIfAbsent(run.job().id(), (id) -> new CopyOnWriteArrayList<>()).add(run);
	}

	void remove(JobRun run) {
		this.byId.computeIfPresent(run.job().id(), (id, runs) -> {
			runs.remove(run);
			return runs.isEmpty() ? null : runs;
		});
	}

	/**
	 * The attempts of a job.
	 * @param jobId the job
	 * @return its attempts; empty if this process runs none
	 */
	public Collection<? extends RunningJob> find(String jobId) {
		return List.copyOf(this.byId.getOrDefault(jobId, List.of()));
	}

	/**
	 * The attempts at jobs of one queue.
	 * @param queue the OJS queue that they were enqueued to
	 * @return those that run, the longest running first
	 */
	public List<RunningJob> of(String queue) {
		return this.byId.values()
			.stream()
			.flatMap(List::stream)
			.filter((run) -> run.job().queue().equals(queue))
			.<RunningJob>map((run) -> run)
			.sorted(Comparator.comparing(RunningJob::startedAt))
			.toList();
	}

	/**
	 * Cancels a job, if this process runs it or has fetched it. A handler that was not
	 * called yet is not called then.
	 * @param jobId the job
	 * @return whether this process has it
	 */
	public boolean cancel(String jobId) {
		// A run may be in both.
		Set<JobRun> runs = new LinkedHashSet<>(this.byId.getOrDefault(jobId, List.of()));
		JobRun waiting = this.fetched.get(jobId);
		if (waiting != null) {
			runs.add(waiting);
		}
		boolean found = waiting != null;
		for (JobRun run : runs) {
			found |= run.interrupt(Interruption.CANCELLED);
		}
		return found;
	}

	/**
	 * Notes that a job is alive, if this process runs it.
	 * @param jobId the job
	 * @return whether it does
	 */
	public boolean beat(String jobId) {
		List<JobRun> runs = this.byId.getOrDefault(jobId, List.of());
		runs.forEach(JobRun::beat);
		return !runs.isEmpty();
	}

	/** Tells all attempts to end, since nobody waits for them any longer. */
	void stop() {
		this.byId.values().forEach((runs) -> runs.forEach((run) -> run.interrupt(Interruption.STOPPED)));
	}

	/**
	 * How many attempts there are.
	 * @return their number, at this moment
	 */
	public int size() {
		return this.byId.values().stream().mapToInt(List::size).sum();
	}

}
