package io.ojs.store;

import java.time.Clock;
import java.util.List;
import java.util.Map;

import io.ojs.client.EncodedJob;
import io.ojs.job.Job;
import io.ojs.json.RateLimitJson;
import io.ojs.tenant.Tenants;

/**
 * Keeps single jobs of callers without a transaction: those who come at the same time
 * share one. Nobody waits for company, and nobody is told of the failure of another.
 */
final class LoneJobs {

	private final JobStore store;

	private final StoreTransactions transactions;

	private final Admission admission;

	private final CommittedJobs committed;

	private final Clock clock;

	private final GroupCommit<Lone, Insertion> commits;

	LoneJobs(JobStore store, StoreTransactions transactions, Admission admission, CommittedJobs committed,
			Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.admission = admission;
		this.committed = committed;
		this.clock = clock;
		this.commits = new GroupCommit<>(this::keep, (lone) -> lone.encoded.job().id());
	}

	/**
	 * Whether a job may be kept together with those of others: its caller has no
	 * transaction, and nothing that it might have to wait for would be locked for longer
	 * because of others.
	 * @param encoded the job
	 * @return whether it may
	 */
	boolean take(EncodedJob encoded) {
		Job job = encoded.job();
		return this.transactions.isAlone() && encoded.uniqueKey() == null && Tenants.of(job).isEmpty()
				&& RateLimitJson.of(job).isEmpty();
	}

	/**
	 * Keeps a job.
	 * @param encoded the job
	 * @param headers what travels beside it
	 * @return the job, once it is committed
	 */
	Lone keep(EncodedJob encoded, Map<String, String> headers) {
		Lone lone = new Lone(encoded, headers);
		try {
			lone.insertion = this.admission.patiently(false, () -> this.commits.submit(lone));
		}
		catch (StoreException ex) {
			throw new JobNotStoredException(encoded.job(), lone.done, ex);
		}
		return lone;
	}

	/** How many wait for their turn, at this moment. */
	int waiting() {
		return this.commits.waiting();
	}

	private List<Insertion> keep(List<Lone> jobs) {
		jobs.forEach((lone) -> lone.done = false);
		return this.transactions.inTransaction(() -> {
			Admission.Decision decision = this.admission.lock(jobs.stream().map((lone) -> lone.encoded).toList());
			jobs.forEach(
					(lone) -> lone.created = this.committed.prepare(lone.encoded, lone.headers, this.clock.instant()));
			List<Insertion> insertions = this.store.insert(jobs.stream().map((lone) -> lone.created).toList(),
					decision);
			// Nothing is left to fail but the commit.
			jobs.forEach((lone) -> lone.done = true);
			return insertions;
		});
	}

	/** A job that somebody waits for. */
	static final class Lone {

		private final EncodedJob encoded;

		private final Map<String, String> headers;

		private NewJob created;

		private Insertion insertion = Insertion.Inserted.NEW;

		private boolean done;

		private Lone(EncodedJob encoded, Map<String, String> headers) {
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
