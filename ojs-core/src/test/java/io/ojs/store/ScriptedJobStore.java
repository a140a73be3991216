package io.ojs.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job store with one job.
 */
final class ScriptedJobStore implements JobStore {

	static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	JobState state = JobState.AVAILABLE;

	/** What an insert throws. */
	@Nullable StoreException refusal;

	private Optional<StoredJob> stored() {
		Job job = Job.builder(ID, "test.it", "default").state(this.state).build();
		return Optional.of(new StoredJob(job, 3, Map.of(), null, null, null, 0));
	}

	@Override
	public List<Insertion> insert(List<NewJob> jobs) {
		if (this.refusal != null) {
			throw this.refusal;
		}
		return jobs.stream().<Insertion>map((job) -> Insertion.Inserted.NEW).toList();
	}

	@Override
	public Optional<StoredJob> find(String jobId) {
		return stored();
	}

	@Override
	public List<StoredJob> list(JobQuery query) {
		return stored().stream().toList();
	}

	@Override
	public Optional<StoredJob> cancel(String jobId, Instant now) {
		return stored();
	}

	@Override
	public Optional<StoredJob> activate(String jobId, Instant now, Instant relayAt) {
		return stored();
	}

}
