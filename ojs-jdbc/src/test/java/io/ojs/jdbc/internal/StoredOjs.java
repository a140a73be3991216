package io.ojs.jdbc.internal;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ojs.client.DuplicateJobException;
import io.ojs.client.OjsOperations;
import io.ojs.client.internal.EncodedJob;
import io.ojs.client.internal.JobFactory;
import io.ojs.client.internal.PreparedJobs;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.middleware.JobDroppedException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.NewJob;

/**
 * Enqueues into the stores of a test, for nobody to publish.
 */
final class StoredOjs implements OjsOperations, PreparedJobs {

	private final TestStores stores;

	private final JobFactory factory;

	private final Clock clock;

	StoredOjs(TestStores stores, JobFactory factory, Clock clock) {
		this.stores = stores;
		this.factory = factory;
		this.clock = clock;
	}

	@Override
	public Job enqueue(JobRequest request) {
		try {
			return enqueueAll(List.of(request)).get(0);
		}
		catch (JobDroppedException ex) {
			return ex.job();
		}
	}

	@Override
	public List<Job> enqueueAll(Collection<JobRequest> requests) {
		return keep(requests.stream().map(this.factory::create).toList());
	}

	@Override
	public List<Job> enqueueAgain(Collection<JobRequest> requests) {
		return keep(requests.stream().map(this.factory::again).toList());
	}

	private List<Job> keep(List<EncodedJob> jobs) {
		Instant relayAt = this.clock.instant().plusSeconds(10);
		// Whoever is refused within a transaction has it rolled back.
		return this.stores.transactions.inTransaction(() -> {
			List<Insertion> insertions = this.stores.jobs
				.insert(jobs.stream().map((job) -> new NewJob(job, Map.of(), relayAt)).toList());
			List<Job> enqueued = new ArrayList<>(jobs.size());
			for (int i = 0; i < jobs.size(); i++) {
				enqueued.add(enqueued(jobs.get(i), insertions.get(i)));
			}
			return enqueued;
		});
	}

	private static Job enqueued(EncodedJob job, Insertion insertion) {
		if (insertion instanceof Insertion.Rejected rejected) {
			Job existing = rejected.existing().job();
			throw new DuplicateJobException(job.job(), existing.id(), Objects.requireNonNull(existing.state()),
					Objects.requireNonNull(job.uniqueKey()));
		}
		return (insertion instanceof Insertion.Ignored ignored) ? ignored.existing().job() : job.job();
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
	public List<Job> list(JobQuery query) {
		return this.stores.jobs.list(query).stream().map(StoredJob::described).toList();
	}

	@Override
	public Optional<Job> activate(String jobId) {
		return this.stores.jobs.activate(jobId, this.clock.instant(), this.clock.instant()).map(StoredJob::job);
	}

}
