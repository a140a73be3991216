package io.ojs.jdbc.internal;

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

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Transitions;
import io.ojs.internal.engine.UniqueRule;
import io.ojs.job.Job;
import io.ojs.job.UniquePolicy;
import io.ojs.store.internal.Insertion;
import org.jspecify.annotations.Nullable;

/**
 * Decides about unique jobs that meet others. Transactions with the same key decide one
 * after another: the transaction that has locked the row of the key in
 * {@code ojs_unique_key} sees every job that has this key.
 */
final class UniqueJobs {

	private final StoreDatabase database;

	UniqueJobs(StoreDatabase database) {
		this.database = database;
	}

	/**
	 * A job that is to be inserted.
	 *
	 */
	record Candidate(JobRow row, EncodedJob encoded) {

		Job job() {
			return this.encoded.job();
		}

		/** The policy of the job; {@code null} if it is not unique. */
		@Nullable UniquePolicy policy() {
			return (this.row.uniqueKey != null) ? job().unique() : null;
		}

		String key() {
			return String.valueOf(this.row.uniqueKey);
		}

	}

	/**
	 * Decides about jobs, no two of which have the same key.
	 * @return the results for jobs that meet others, by their ids;
	 * {@link Insertion.Inserted} if the others give way and are cancelled
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
				// Its state may have changed since the query that has found it.
				.filter((row) -> policy(candidate).states().contains(row.state))
				.sorted(Comparator.comparing((JobRow row) -> row.createdAt).reversed())
				.toList();
			if (!existing.isEmpty()) {
				insertions.put(candidate.row().id, meet(candidate, existing));
			}
		}
		return insertions;
	}

	/** Reads existing jobs. Locks those that are to give way. */
	private Map<UUID, JobRow> read(List<Candidate> unique, Map<UUID, List<UUID>> found) {
		List<UUID> told = new ArrayList<>();
		List<UUID> replaced = new ArrayList<>();
		for (Candidate candidate : unique) {
			(UniqueRule.replaces(policy(candidate)) ? replaced : told)
				.addAll(found.getOrDefault(candidate.row().id, List.of()));
		}
		Map<UUID, JobRow> rows = new HashMap<>(this.database.jobs().read(told));
		rows.putAll(this.database.jobs().lock(replaced, true));
		return rows;
	}

	private static UniquePolicy policy(Candidate candidate) {
		UniquePolicy policy = candidate.policy();
		return (policy != null) ? policy : UniquePolicy.DEFAULT;
	}

	private static List<UniqueProbe> probes(Candidate candidate) {
		UniquePolicy policy = policy(candidate);
		Instant since = UniqueRule.since(policy, candidate.row().createdAt);
		return UniqueRule.states(policy)
			.stream()
			.map((state) -> new UniqueProbe(candidate.row().id, candidate.key(), state.wireName(), since))
			.toList();
	}

	private Insertion meet(Candidate candidate, List<JobRow> existing) {
		Transitions transitions = this.database.transitions(candidate.row().createdAt);
		UniqueRule rule = new UniqueRule(this.database.codec(), transitions, (merged, before) -> {
			this.database.jobs().update(JobColumn.CONTENT, List.of(merged));
			this.database.contentChanged(merged, before);
		});
		Insertion insertion = rule.meet(candidate.row(), candidate.job(), policy(candidate), existing);
		this.database.save(transitions);
		return insertion;
	}

}
