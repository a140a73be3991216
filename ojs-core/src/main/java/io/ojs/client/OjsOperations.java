package io.ojs.client;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * What an application calls to enqueue jobs (OJS Core §7.1). Safe for use by many
 * threads.
 */
public interface OjsOperations {

	/**
	 * Enqueues a job and waits until it is safe.
	 * @param type what to do, such as {@code email.send}
	 * @param args positional arguments for the handler
	 * @return the job as it was enqueued
	 * @throws InvalidJobException if it breaks a rule; nothing was sent
	 * @throws EnqueueException if it is not known to be safe
	 */
	default Job enqueue(String type, @Nullable Object... args) {
		return enqueue(JobRequest.of(type, args));
	}

	/**
	 * Enqueues a job and waits until it is safe.
	 * @param request the job
	 * @return the job as it was enqueued
	 * @throws InvalidJobException if it breaks a rule; nothing was sent
	 * @throws EnqueueException if it is not known to be safe
	 */
	Job enqueue(JobRequest request);

	/**
	 * Enqueues many jobs, one behind the other without waiting in between, and waits
	 * until all are safe.
	 * @param requests the jobs
	 * @return the jobs as they were enqueued, in the same order
	 * @throws InvalidJobException if one of them breaks a rule; none was sent
	 * @throws BatchEnqueueException if some of them are not known to be safe; it tells
	 * which
	 * @throws EnqueueException with a job store, where all of them are enqueued or none,
	 * if one of them is not known to be safe
	 */
	List<Job> enqueueAll(Collection<JobRequest> requests);

	/**
	 * Enqueues a job without waiting.
	 * @param type what to do, such as {@code email.send}
	 * @param args positional arguments for the handler
	 * @return the job as it was enqueued, once it is safe; or an {@link EnqueueException}
	 * @throws InvalidJobException at once, if it breaks a rule; nothing was sent
	 */
	default CompletableFuture<Job> enqueueAsync(String type, @Nullable Object... args) {
		return enqueueAsync(JobRequest.of(type, args));
	}

	/**
	 * Enqueues a job without waiting. Stages that hang on what it returns run on one of a
	 * few threads, which all jobs share: what takes long, or waits, needs an executor of
	 * its own, as
	 * {@link CompletableFuture#thenApplyAsync(java.util.function.Function, java.util.concurrent.Executor)
	 * thenApplyAsync} takes one.
	 * @param request the job
	 * @return the job as it was enqueued, once it is safe; or an {@link EnqueueException}
	 * @throws InvalidJobException at once, if it breaks a rule; nothing was sent
	 */
	CompletableFuture<Job> enqueueAsync(JobRequest request);

	/**
	 * Asks for a job to be cancelled (OJS Core §7.6). One that runs is interrupted; one
	 * that waits, for whatever reason, is dropped when its turn comes. Whether there is
	 * such a job, nobody can say without a job store; cancelling a job that has ended, or
	 * never was, does nothing. With a job store, it is cancelled when this method
	 * returns, or when the transaction that it is called in is committed.
	 * @param job the job, as it was enqueued
	 * @throws ControlException if the request is not known to be safe
	 */
	default void cancel(Job job) {
		cancel(job.queue(), job.id());
	}

	/**
	 * Asks for a job to be cancelled (OJS Core §7.6), as {@link #cancel(Job)}.
	 * @param queue the queue of the job
	 * @param jobId the id of the job
	 * @throws InvalidJobException if the queue or the id breaks a rule
	 * @throws ControlException if the request is not known to be safe
	 */
	void cancel(String queue, String jobId);

	/**
	 * Asks about a job (OJS Core §7.7). A job store knows it until it is pruned. Without
	 * one, the workers of its queue are asked: they know the jobs that they run at this
	 * moment, and those that wait to be dropped.
	 * @param queue the queue of the job
	 * @param jobId the id of the job
	 * @return the job with its state; empty if no worker knows it
	 * @throws InvalidJobException if the queue or the id breaks a rule
	 * @throws ControlException if nobody could be asked
	 */
	Optional<Job> find(String queue, String jobId);

	/**
	 * Looks a job up (OJS Core §7.7): its state, its result, its failed attempts. Among
	 * its extensions are {@code max_attempts}, {@code next_retry_at} while it waits for
	 * that, and of a dead letter {@code dead_lettered_at} and {@code dead_letter_queue}.
	 * Needs a job store.
	 * @param jobId the id of the job
	 * @return the job as it is now; empty if there is none, or no longer
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws JobStoreRequiredException if there is no job store
	 */
	Optional<Job> find(String jobId);

	/**
	 * Cancels a job (OJS Core §7.6), whatever it waits for; one that runs is interrupted.
	 * Needs a job store. In a transaction, it is part of that.
	 * @param jobId the id of the job
	 * @return the job, cancelled; empty if there is none
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws IllegalStateTransitionException if it has ended
	 * @throws JobStoreRequiredException if there is no job store
	 */
	Optional<Job> cancel(String jobId);

	/**
	 * Makes a job available that was enqueued as {@link JobRequest#pending pending}.
	 * Needs a job store. In a transaction, it is part of that.
	 * @param jobId the id of the job
	 * @return the job, available; empty if there is none
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws IllegalStateTransitionException if it is not pending
	 * @throws JobStoreRequiredException if there is no job store
	 */
	Optional<Job> activate(String jobId);

}
