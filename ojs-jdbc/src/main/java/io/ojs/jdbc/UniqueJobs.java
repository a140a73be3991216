package io.ojs.jdbc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

import io.ojs.client.EncodedJob;
import io.ojs.engine.JobRow;
import io.ojs.engine.Transitions;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.OnConflict;
import io.ojs.job.UniquePolicy;
import io.ojs.store.Insertion;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;

/**
 * Decides upon jobs that must not meet others. Of those with one key, one after another
 * is decided upon: whoever has locked the row of the key in {@code ojs_unique_key} sees
 * every job with this key that there is.
 */
final class UniqueJobs {

	private final StoreDatabase database;

	UniqueJobs(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * A job that is to be kept.
	 *
	 * @param row its row
	 * @param encoded the job
	 */
	record Candidate(JobRow row, EncodedJob encoded) {

		Job job() {
			return this.encoded.job();
		}

		/** What the job must not meet, if anything. */
		@Nullable UniquePolicy policy() {
			return (this.row.uniqueKey != null) ? job().unique() : null;
		}

		String key() {
			return String.valueOf(this.row.uniqueKey);
		}

	}

	/**
	 * Decides upon jobs, no two of which have the same key.
	 * @param candidates the jobs
	 * @return what becomes of those that meet others, by their ids;
	 * {@link Insertion.Inserted} if others give way and are cancelled
	 */
	Map<UUID, Insertion> decide(List<Candidate> candidates) {
		List<Candidate> unique = candidates.stream().filter((candidate) -> candidate.policy() != null).toList();
		if (unique.isEmpty()) {
			return Map.of();
		}
		Dialect dialect = this.database.dialect();
		dialect.lockKeys(this.database.jdbc(), "ojs_unique_key", "unique_key",
				new TreeSet<>(unique.stream().map(Candidate::key).toList()));
		List<UniqueProbe> probes = unique.stream().flatMap((candidate) -> probes(candidate).stream()).toList();
		Map<UUID, List<UUID>> found = new HashMap<>();
		dialect.find(this.database.jdbc(), probes)
			.forEach((match) -> found.computeIfAbsent(match.candidate(), (id) -> new ArrayList<>())
				.add(match.existing()));
		Map<UUID, JobRow> rows = read(unique, found);
		Map<UUID, Insertion> insertions = new LinkedHashMap<>();
		for (Candidate candidate : unique) {
			List<JobRow> existing = found.getOrDefault(candidate.row().id, List.of())
				.stream()
				.flatMap((id) -> Optional.ofNullable(rows.get(id)).stream())
				// It may have gone on meanwhile.
				.filter((row) -> policy(candidate).states().contains(row.state))
				.sorted(Comparator.comparing((JobRow row) -> row.createdAt).reversed())
				.toList();
			if (!existing.isEmpty()) {
				insertions.put(candidate.row().id, meet(candidate, existing));
			}
		}
		return insertions;
	}

	/** Locks what is to give way, and leaves alone what is only told of. */
	private Map<UUID, JobRow> read(List<Candidate> unique, Map<UUID, List<UUID>> found) {
		List<UUID> told = new ArrayList<>();
		List<UUID> replaced = new ArrayList<>();
		for (Candidate candidate : unique) {
			(replaces(candidate) ? replaced : told).addAll(found.getOrDefault(candidate.row().id, List.of()));
		}
		Map<UUID, JobRow> rows = new HashMap<>(this.database.jobs().read(told));
		rows.putAll(this.database.jobs().lock(replaced, true));
		return rows;
	}

	private static boolean replaces(Candidate candidate) {
		OnConflict onConflict = policy(candidate).onConflict();
		return onConflict == OnConflict.REPLACE || onConflict == OnConflict.REPLACE_EXCEPT_SCHEDULE;
	}

	private static UniquePolicy policy(Candidate candidate) {
		UniquePolicy policy = candidate.policy();
		return (policy != null) ? policy : UniquePolicy.DEFAULT;
	}

	private static List<UniqueProbe> probes(Candidate candidate) {
		UniquePolicy policy = policy(candidate);
		Instant since = (policy.period() != null) ? candidate.row().createdAt.minus(policy.period()) : Instant.EPOCH;
		boolean replaces = replaces(candidate);
		return policy.states()
			.stream()
			// What has ended cannot give way, and need not.
			.filter((state) -> !replaces || !state.isTerminal())
			.map((state) -> new UniqueProbe(candidate.row().id, candidate.key(), state.wireName(), since))
			.toList();
	}

	private Insertion meet(Candidate candidate, List<JobRow> existing) {
		JobRow newest = existing.get(0);
		return switch (policy(candidate).onConflict()) {
			case REJECT -> new Insertion.Rejected(this.database.codec().stored(newest));
			case IGNORE -> new Insertion.Ignored(this.database.codec().stored(newest));
			case REPLACE -> replace(candidate, existing);
			case REPLACE_EXCEPT_SCHEDULE -> existing.stream()
				.filter((row) -> row.state == JobState.SCHEDULED)
				.findFirst()
				.map((scheduled) -> merge(candidate, scheduled))
				.orElseGet(() -> replace(candidate, existing));
		};
	}

	private Insertion replace(Candidate candidate, List<JobRow> existing) {
		Transitions transitions = this.database.transitions(candidate.row().createdAt);
		List<StoredJob> replaced = existing.stream().map(this.database.codec()::stored).toList();
		existing.forEach((row) -> transitions.cancel(row, "replaced by job " + candidate.row().id));
		this.database.save(transitions);
		return new Insertion.Inserted(replaced);
	}

	/** The existing job becomes what the new one is, and keeps its name and its time. */
	private Insertion merge(Candidate candidate, JobRow existing) {
		JobRows jobs = this.database.jobs();
		Job old = this.database.codec().stored(existing).job();
		Job with = candidate.job();
		Job merged = new Job(with.specVersion(), old.id(), with.type(), with.queue(), with.args(), with.meta(),
				with.priority(), with.timeout(), old.scheduledAt(), with.expiresAt(), with.retry(), with.unique(),
				JobState.SCHEDULED, old.attempt(), old.createdAt(), old.enqueuedAt(), null, null, null, old.errors(),
				with.extensions());
		jobs.replace(existing, merged, candidate.row());
		return new Insertion.Merged(this.database.codec().stored(existing));
	}

}
