package io.ojs.jdbc;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.EncodedJob;
import io.ojs.client.JobFactory;
import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.store.Insertion;
import io.ojs.store.NewJob;
import io.ojs.store.StoredJob;

/**
 * Enqueues into the stores of a test, for nobody to publish.
 */
final class StoredOjs implements OjsOperations {

	private final TestStores stores;

	private final JobFactory factory;

	StoredOjs(TestStores stores, JobFactory factory) {
		this.stores = stores;
		this.factory = factory;
	}

	@Override
	public Job enqueue(JobRequest request) {
		return enqueueAll(List.of(request)).get(0);
	}

	@Override
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		List<EncodedJob> jobs = requests.stream().map(this.factory::create).toList();
		this.stores.transactions.inTransaction(() -> {
			List<Insertion> insertions = this.stores.jobs
				.insert(jobs.stream().map((job) -> new NewJob(job, Map.of(), TestStores.LATER)).toList());
			for (int i = 0; i < jobs.size(); i++) {
				if (insertions.get(i) instanceof Insertion.Rejected rejected) {
					throw new DuplicateJobException(jobs.get(i).job(), rejected.existing().job().id(),
							JobState.AVAILABLE, "");
				}
			}
			return insertions;
		});
		return jobs.stream().map(EncodedJob::job).toList();
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
		return this.stores.jobs.cancel(jobId, TestStores.NOW).map(StoredJob::job);
	}

	@Override
	public Optional<Job> activate(String jobId) {
		return this.stores.jobs.activate(jobId, TestStores.NOW, TestStores.NOW).map(StoredJob::job);
	}

}
