package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * A job store with one job, that is told what becomes of those that are to be kept.
 */
final class ScriptedJobStore implements JobStore {

	static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	JobState state = JobState.AVAILABLE;

	/** What an insert throws. */
	@Nullable RuntimeException refusal;

	/** What inserts throw, one after another, before they do as they are told above. */
	final Deque<Supplier<RuntimeException>> failures = new ArrayDeque<>();

	/** How often jobs were to be kept. */
	int asked;

	/** The one job, if it is another one. */
	@Nullable Job found;

	/** What looking for a job throws, if anything. */
	@Nullable RuntimeException lost;

	/** Whether there is no job. */
	boolean empty;

	/** What becomes of jobs that are inserted; nothing means that they are new. */
	final List<Insertion> answers = new ArrayList<>();

	final List<NewJob> inserted = new ArrayList<>();

	private Optional<StoredJob> stored() {
		Job job = (this.found != null) ? this.found : Job.builder(ID, "test.it", "default").state(this.state).build();
		return Optional.of(new StoredJob(job, 3, Map.of(), null, null, null, 0));
	}

	@Override
	public String id() {
		return "019539a4-b68c-7def-8000-000000000000";
	}

	@Override
	public List<Insertion> insert(List<NewJob> jobs, Admission.Decision decision) {
		this.asked++;
		if (!this.failures.isEmpty()) {
			throw this.failures.remove().get();
		}
		if (this.refusal != null) {
			throw this.refusal;
		}
		this.inserted.addAll(jobs);
		return this.answers.isEmpty() ? jobs.stream().<Insertion>map((job) -> Insertion.Inserted.NEW).toList()
				: List.copyOf(this.answers);
	}

	@Override
	public Optional<StoredJob> find(String jobId) {
		if (this.lost != null) {
			throw this.lost;
		}
		return this.empty ? Optional.empty() : stored();
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
