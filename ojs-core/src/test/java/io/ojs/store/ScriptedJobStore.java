package io.ojs.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A job store with one job, that is told what becomes of those that are to be kept.
 */
final class ScriptedJobStore implements JobStore {

	static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	JobState state = JobState.AVAILABLE;

	/** What an insert throws. */
	@Nullable RuntimeException refusal;

	/** What becomes of jobs that are inserted; nothing means that they are new. */
	final List<Insertion> answers = new ArrayList<>();

	final List<NewJob> inserted = new ArrayList<>();

	private Optional<StoredJob> stored() {
		Job job = Job.builder(ID, "test.it", "default").state(this.state).build();
		return Optional.of(new StoredJob(job, 3, Map.of(), null, null, null, 0));
	}

	@Override
	public String id() {
		return "019539a4-b68c-7def-8000-000000000000";
	}

	@Override
	public List<Insertion> insert(List<NewJob> jobs, Admission.Decision decision) {
		if (this.refusal != null) {
			throw this.refusal;
		}
		this.inserted.addAll(jobs);
		return this.answers.isEmpty() ? jobs.stream().<Insertion>map((job) -> Insertion.Inserted.NEW).toList()
				: List.copyOf(this.answers);
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
