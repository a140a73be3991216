package io.ojs.client;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues, cancels and finds jobs: the interface for applications (OJS Core §7.1).
 * Thread-safe. A job is safe when its row is in the job store or, without a job store,
 * when the broker has confirmed it.
 */
public interface OjsOperations {

	/**
	 * Enqueues a job and waits until it is safe.
	 * @param type the name that selects the handler, such as {@code email.send}
	 * @param args positional arguments for the handler
	 * @return the job as it was enqueued
	 * @throws InvalidJobException if the job breaks a rule; nothing was sent
	 * @throws EnqueueException if the job is not known to be safe
	 */
	default Job enqueue(String type, @Nullable Object... args) {
		return enqueue(JobRequest.of(type, args));
	}

	/**
	 * Enqueues a job and waits until it is safe.
	 * @param request the job
	 * @return the job as it was enqueued
	 * @throws InvalidJobException if the job breaks a rule; nothing was sent
	 * @throws EnqueueException if the job is not known to be safe
	 */
	Job enqueue(JobRequest request);

	/**
	 * Enqueues many jobs, without waiting between them, and waits until all are safe.
	 * @param requests the jobs
	 * @return the jobs as they were enqueued, in the same order
	 * @throws InvalidJobException if one of them breaks a rule; none was sent
	 * @throws BatchEnqueueException if some of them are not known to be safe; the
	 * exception has them
	 * @throws EnqueueException with a job store, which enqueues all of them or none, if
	 * one of them is not known to be safe
	 */
	List<Job> enqueueAll(Collection<JobRequest> requests);

	/**
	 * Enqueues a job without waiting for the broker, as {@link #enqueueAsync(JobRequest)}
	 * does.
	 * @param type the name that selects the handler, such as {@code email.send}
	 * @param args positional arguments for the handler
	 * @return the job as it was enqueued, once it is safe; or an {@link EnqueueException}
	 * @throws InvalidJobException at once, if the job breaks a rule; nothing was sent
	 */
	default CompletableFuture<Job> enqueueAsync(String type, @Nullable Object... args) {
		return enqueueAsync(JobRequest.of(type, args));
	}

	/**
	 * Enqueues a job without waiting for the broker.
	 *
	 * <p>
	 * Without a job store, the call returns at once. Dependent stages of the returned
	 * future run on one of a few threads, which all jobs share. A stage that blocks or
	 * takes long needs an executor of its own, as in
	 * {@link CompletableFuture#thenApplyAsync(java.util.function.Function, java.util.concurrent.Executor)
	 * thenApplyAsync}.
	 *
	 * <p>
	 * With a job store, the call waits for the database as {@link #enqueue(JobRequest)}
	 * does, and the returned future is complete: only the calling thread can insert the
	 * job in its transaction. The job is safe when that transaction is committed.
	 * @param request the job
	 * @return the job as it was enqueued, once it is safe; or an {@link EnqueueException}
	 * @throws InvalidJobException at once, if the job breaks a rule; nothing was sent
	 */
	CompletableFuture<Job> enqueueAsync(JobRequest request);

	/**
	 * Requests that a job is cancelled (OJS Core §7.6). With a job store, the job is
	 * cancelled when this method returns, or when the transaction of the caller is
	 * committed. Without one, a running job is interrupted, and a waiting job is dropped
	 * when a worker receives it; whether there is such a job is unknown. Cancelling a job
	 * that has ended or never existed does nothing.
	 * @param job the job, as it was enqueued
	 * @throws ControlException if the request is not known to be safe
	 */
	default void cancel(Job job) {
		cancel(job.queue(), job.id());
	}

	/**
	 * Requests that a job is cancelled (OJS Core §7.6), like {@link #cancel(Job)}.
	 * @param queue the queue of the job
	 * @param jobId the id of the job
	 * @throws InvalidJobException if the queue or the id breaks a rule
	 * @throws ControlException if the request is not known to be safe
	 */
	void cancel(String queue, String jobId);

	/**
	 * Finds a job of a queue (OJS Core §7.7). A job store knows a job until it is pruned.
	 * Without a job store, this method asks the workers of the queue, which know the jobs
	 * that they run and the cancelled jobs that they will drop.
	 * @param queue the queue of the job
	 * @param jobId the id of the job
	 * @return the job with its state; empty if neither the job store nor a worker knows
	 * it
	 * @throws InvalidJobException if the queue or the id breaks a rule
	 * @throws ControlException if the request failed
	 */
	Optional<Job> find(String queue, String jobId);

	/**
	 * Finds a job with its state, its result and its failed attempts (OJS Core §7.7). Its
	 * extensions include {@code max_attempts}; {@code next_retry_at} while it waits for
	 * its next attempt; {@code dead_lettered_at} and {@code dead_letter_queue} if it is a
	 * dead letter. Needs a job store.
	 * @param jobId the id of the job
	 * @return the job as it is now; empty if there is none, or it was pruned
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws JobStoreRequiredException if there is no job store
	 */
	Optional<Job> find(String jobId);

	/**
	 * Cancels a job (OJS Core §7.6) that waits or runs; a running job is interrupted.
	 * Takes part in the transaction of the caller. Needs a job store.
	 * @param jobId the id of the job
	 * @return the job, cancelled; empty if there is none
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws IllegalStateTransitionException if the job has ended
	 * @throws JobStoreRequiredException if there is no job store
	 */
	Optional<Job> cancel(String jobId);

	/**
	 * Lists jobs with their states, the newest first. Takes part in the transaction of
	 * the caller. Needs a job store.
	 * @param query which jobs, of all tenants
	 * @return a page of jobs; if it is full, the next one is that of
	 * {@link JobQuery#before} with the last id
	 * @throws JobStoreRequiredException if there is no job store
	 */
	List<Job> list(JobQuery query);

	/**
	 * Makes a {@linkplain JobRequest#pending pending} job available. Takes part in the
	 * transaction of the caller. Needs a job store.
	 * @param jobId the id of the job
	 * @return the job, available; empty if there is none
	 * @throws InvalidJobException if the id breaks a rule
	 * @throws IllegalStateTransitionException if the job is not pending
	 * @throws JobStoreRequiredException if there is no job store
	 */
	Optional<Job> activate(String jobId);

}
