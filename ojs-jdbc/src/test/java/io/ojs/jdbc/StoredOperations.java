package io.ojs.jdbc;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.EncodedJob;
import io.ojs.client.JobFactory;
import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.store.Insertion;
import io.ojs.store.NewJob;
import io.ojs.store.StoredJob;

/**
 * Enqueues into the store, as part of the caller's transaction, and publishes nothing.
 */
final class StoredOperations implements OjsOperations {

	private final TestStores stores;

	private final JobFactory jobs;

	private final Clock clock;

	StoredOperations(TestStores stores, JobFactory jobs, Clock clock) {
		this.stores = stores;
		this.jobs = jobs;
		this.clock = clock;
	}

	@Override
	public Job enqueue(JobRequest request) {
		EncodedJob job = this.jobs.create(request);
		// Whoever is refused within a transaction has it rolled back.
		return Objects.requireNonNull(this.stores.users().execute((status) -> {
			Insertion insertion = this.stores.jobs
				.insert(List.of(new NewJob(job, Map.of(), this.clock.instant().plusSeconds(10))))
				.get(0);
			if (insertion instanceof Insertion.Rejected rejected) {
				Job existing = rejected.existing().job();
				throw new DuplicateJobException(job.job(), existing.id(), Objects.requireNonNull(existing.state()),
						Objects.requireNonNull(job.uniqueKey()));
			}
			return (insertion instanceof Insertion.Ignored ignored) ? ignored.existing().job() : job.job();
		}));
	}

	@Override
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		return requests.stream().map(this::enqueue).toList();
	}

	@Override
	public CompletableFuture<Job> enqueueAsync(JobRequest request) {
		return CompletableFuture.completedFuture(enqueue(request));
	}

	@Override
	public void cancel(String queue, String jobId) {
		cancel(jobId);
	}

	@Override
	public Optional<Job> find(String queue, String jobId) {
		return find(jobId);
	}

	@Override
	public Optional<Job> find(String jobId) {
		return this.stores.jobs.find(jobId).map(StoredJob::job);
	}

	@Override
	public Optional<Job> cancel(String jobId) {
		return this.stores.jobs.cancel(jobId, this.clock.instant()).map(StoredJob::job);
	}

	@Override
	public Optional<Job> activate(String jobId) {
		return this.stores.jobs.activate(jobId, this.clock.instant(), this.clock.instant()).map(StoredJob::job);
	}

}
