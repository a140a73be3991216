package io.ojs.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A store that is told what becomes of jobs that are to be kept.
 */
final class ScriptedInserts implements JobStore {

	/** What became of each; nothing else means that they are new. */
	final List<Insertion> answers = new ArrayList<>();

	@Nullable RuntimeException failure;

	final List<NewJob> inserted = new ArrayList<>();

	@Override
	public List<Insertion> insert(List<NewJob> jobs) {
		if (this.failure != null) {
			throw this.failure;
		}
		this.inserted.addAll(jobs);
		return this.answers.isEmpty() ? jobs.stream().map((job) -> (Insertion) Insertion.Inserted.NEW).toList()
				: List.copyOf(this.answers);
	}

	@Override
	public Optional<StoredJob> find(String jobId) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<StoredJob> list(JobQuery query) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<StoredJob> cancel(String jobId, Instant now) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<StoredJob> activate(String jobId, Instant now, Instant relayAt) {
		throw new UnsupportedOperationException();
	}

}
