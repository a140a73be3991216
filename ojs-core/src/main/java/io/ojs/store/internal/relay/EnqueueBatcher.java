package io.ojs.store.internal.relay;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.json.RateLimitJson;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.Job;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.GroupCommit;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Keeps single jobs of callers without a transaction. Jobs that arrive at the same time
 * share one statement, which commits by itself where the store supports that. A caller
 * that is alone does not wait for others, and a job does not fail because of another one.
 * If the answer of the store is lost, the batcher asks once more, as long as no worker
 * can have the jobs.
 */
final class EnqueueBatcher {

	private static final Logger logger = SafeLogger.of(EnqueueBatcher.class);

	private final JobStore store;

	private final StoreTransactions transactions;

	private final Admission admission;

	private final CommittedJobs committed;

	private final Clock clock;

	private final GroupCommit<Single, Insertion> commits;

	EnqueueBatcher(JobStore store, StoreTransactions transactions, Admission admission, CommittedJobs committed,
			Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.admission = admission;
		this.committed = committed;
		this.clock = clock;
		this.commits = new GroupCommit<>(this::keep, (single) -> single.encoded.job().id());
	}

	/**
	 * Whether a job may share a transaction with jobs of other callers: its caller has no
	 * transaction, and the job needs no lock that the others would make last longer.
	 * @return whether it may
	 */
	boolean take(EncodedJob encoded) {
		Job job = encoded.job();
		return this.transactions.isAlone() && encoded.uniqueKey() == null && Tenants.of(job).isEmpty()
				&& RateLimitJson.of(job).isEmpty();
	}

	/** Keeps a job. */
	Single keep(EncodedJob encoded, Map<String, String> headers) {
		Single single = new Single(encoded, headers);
		try {
			single.insertion = this.admission.patiently(false, () -> this.commits.submit(single));
		}
		catch (StoreException ex) {
			throw new JobNotStoredException(encoded.job(), ex);
		}
		return single;
	}

	/** The number of jobs that wait for a statement now. */
	int waiting() {
		return this.commits.waiting();
	}

	private List<Insertion> keep(List<Single> jobs) {
		List<EncodedJob> encoded = jobs.stream().map((single) -> single.encoded).toList();
		if (!this.admission.locks(encoded)) {
			Admission.Decision decision = this.admission.lock(encoded);
			// A queue may have got a limit since the first check.
			if (!this.admission.locks(encoded)) {
				decision.admit(encoded);
				return keepAlone(prepare(jobs));
			}
		}
		return this.transactions.inTransaction(() -> {
			Admission.Decision decision = this.admission.lock(encoded);
			return this.store.insert(prepare(jobs), decision);
		});
	}

	private List<Insertion> keepAlone(List<NewJob> jobs) {
		try {
			return this.store.insert(jobs);
		}
		catch (StoreUnavailableException ex) {
			if (!ex.isOutcomeUnknown() || !jobs.stream().allMatch(this::isUntouched)) {
				throw ex;
			}
			logger.debug("The job store did not answer, and is asked once more to keep {} jobs", jobs.size(), ex);
			return again(jobs, ex);
		}
	}

	private List<NewJob> prepare(List<Single> jobs) {
		Instant now = this.clock.instant();
		jobs.forEach((single) -> single.created = this.committed.prepare(single.encoded, single.headers, now));
		return jobs.stream().map((single) -> single.created).toList();
	}

	private boolean isUntouched(NewJob job) {
		return this.committed.isUntouched(job, this.clock.instant());
	}

	/**
	 * Keeps jobs again after a lost answer. Either all of them have been kept or none,
	 * because the store inserts them together.
	 */
	private List<Insertion> again(List<NewJob> jobs, StoreUnavailableException unanswered) {
		DuplicateIdException taken;
		Optional<StoredJob> found;
		try {
			return this.store.insert(jobs);
		}
		catch (DuplicateIdException ex) {
			taken = ex;
			found = find(ex.jobId(), unanswered);
		}
		catch (StoreException ex) {
			throw stillUnknown(unanswered, ex);
		}
		Job kept = found.map(StoredJob::job).orElseThrow(() -> stillUnknown(unanswered, taken));
		if (jobs.stream().map((job) -> job.encoded().job()).noneMatch((sent) -> isSame(kept, sent))) {
			throw taken;
		}
		return jobs.stream().<Insertion>map((job) -> Insertion.Inserted.NEW).toList();
	}

	/** In a transaction, so that the read does not go to a replica that lags behind. */
	private Optional<StoredJob> find(String jobId, StoreUnavailableException unanswered) {
		try {
			return this.transactions.inTransaction(() -> this.store.find(jobId));
		}
		catch (StoreException ex) {
			throw stillUnknown(unanswered, ex);
		}
	}

	/** The second failure does not say what happened at the first try. */
	private static StoreUnavailableException stillUnknown(StoreUnavailableException unanswered, StoreException now) {
		unanswered.addSuppressed(now);
		return unanswered;
	}

	/** Whether a kept job is the one that was sent, and not another one with its id. */
	private static boolean isSame(Job kept, Job sent) {
		return kept.id().equals(sent.id()) && kept.type().equals(sent.type())
				&& isSame(kept.createdAt(), sent.createdAt());
	}

	/** Compares microseconds: databases keep no more. */
	private static boolean isSame(@Nullable OffsetDateTime kept, @Nullable OffsetDateTime sent) {
		return kept != null && sent != null
				&& kept.truncatedTo(ChronoUnit.MICROS).isEqual(sent.truncatedTo(ChronoUnit.MICROS));
	}

	/** A job whose caller waits for the commit. */
	static final class Single {

		private final EncodedJob encoded;

		private final Map<String, String> headers;

		private NewJob created;

		private Insertion insertion = Insertion.Inserted.NEW;

		private Single(EncodedJob encoded, Map<String, String> headers) {
			this.encoded = encoded;
			this.headers = headers;
			this.created = new NewJob(encoded, headers, null);
		}

		NewJob created() {
			return this.created;
		}

		Insertion insertion() {
			return this.insertion;
		}

	}

}
