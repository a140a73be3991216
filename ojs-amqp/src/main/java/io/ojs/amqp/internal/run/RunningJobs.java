package io.ojs.amqp.internal.run;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The attempts that run in this process. A job that the broker delivered twice may have
 * two.
 */
public final class RunningJobs {

	private final ConcurrentMap<String, List<JobRun>> byId = new ConcurrentHashMap<>();

	/** Fetched runs, whether or not their handlers have begun. */
	private final ConcurrentMap<String, JobRun> fetched = new ConcurrentHashMap<>();

	/** Adds a run that has a lease and waits for a thread. */
	public void fetched(JobRun run) {
		this.fetched.put(run.job().id(), run);
	}

	/** Removes a run that has ended or was given back. */
	public void ended(JobRun run) {
		this.fetched.remove(run.job().id(), run);
	}

	public void add(JobRun run) {
		this.byId.computeIfAbsent(run.job().id(), (id) -> new CopyOnWriteArrayList<>()).add(run);
	}

	public void remove(JobRun run) {
		this.byId.computeIfPresent(run.job().id(), (id, runs) -> {
			runs.remove(run);
			return runs.isEmpty() ? null : runs;
		});
	}

	/**
	 * The attempts of a job.
	 * @return its attempts; empty if this process runs none
	 */
	public Collection<? extends RunningJob> find(String jobId) {
		return List.copyOf(this.byId.getOrDefault(jobId, List.of()));
	}

	/**
	 * The attempts of jobs of a queue.
	 * @return attempts that run, the longest running first
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
	 * Cancels a job if this process runs it or has fetched it. A handler that has not
	 * begun is not called.
	 * @return whether this process has the job
	 */
	public boolean cancel(String jobId) {
		// A run may be in both maps.
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
	 * Notes a heartbeat of a job if this process runs it.
	 * @return whether this process runs it
	 */
	public boolean beat(String jobId) {
		List<JobRun> runs = this.byId.getOrDefault(jobId, List.of());
		runs.forEach(JobRun::beat);
		return !runs.isEmpty();
	}

	/** Interrupts all attempts, since the shutdown grace has passed. */
	public void stop() {
		this.byId.values().forEach((runs) -> runs.forEach((run) -> run.interrupt(Interruption.STOPPED)));
	}

	/** Counts the attempts. */
	public int size() {
		return this.byId.values().stream().mapToInt(List::size).sum();
	}

}
