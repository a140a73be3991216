package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.engine.JobChanges;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Transitions;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.Admission;
import io.ojs.store.internal.Insertion;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.NewJob;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Keeps jobs in a database.
 */
public final class JdbcJobStore implements JobStore {

	private final StoreDatabase database;

	private final UniqueJobs unique;

	private final Turns turns;

	private final JobChanges changes;

	private final NamedParameterJdbcTemplate named;

	public JdbcJobStore(StoreDatabase database) {
		this.database = database;
		this.unique = new UniqueJobs(database);
		this.turns = new Turns(database);
		this.changes = new JobChanges(new JdbcJobTable(database));
		this.named = new NamedParameterJdbcTemplate(database.jdbc());
	}

	@Override
	public String id() {
		return this.database.id();
	}

	@Override
	public List<Insertion> insert(List<NewJob> jobs, Admission.Decision decision) {
		if (jobs.isEmpty()) {
			return List.of();
		}
		if (decision == Admission.Decision.ALL) {
			Optional<List<Insertion>> inserted = insertAlone(jobs);
			if (inserted.isPresent()) {
				return inserted.get();
			}
		}
		return this.database.write("keep jobs", () -> {
			Map<UUID, Insertion> insertions = new LinkedHashMap<>();
			for (List<UniqueJobs.Candidate> round : rounds(jobs)) {
				Map<UUID, Insertion> met = this.unique.decide(round);
				admit(round, met, decision);
				insertions.putAll(insert(round, met));
			}
			return List.copyOf(insertions.values());
		});
	}

	/**
	 * Inserts jobs that need no other query or change, with one statement that is a
	 * transaction by itself.
	 * @return the result for each job; empty if nothing was inserted, and the jobs need a
	 * transaction
	 */
	private Optional<List<Insertion>> insertAlone(List<NewJob> jobs) {
		if (!this.database.autoCommit().isPossible()) {
			return Optional.empty();
		}
		Transitions transitions = this.database.transitions(this.database.options().clock().instant());
		Map<UUID, JobRow> rows = new LinkedHashMap<>();
		for (NewJob job : jobs) {
			JobRow row = row(job);
			boolean plain = row.uniqueKey == null && row.tenant == null && !row.ordered
					&& !this.database.concerns(row, job.encoded().job());
			if (!plain || rows.put(row.id, row) != null) {
				return Optional.empty();
			}
			transitions.inserted(row);
		}
		return this.database.insertAlone(List.copyOf(rows.values()), transitions)
				? Optional.of(Collections.nCopies(jobs.size(), Insertion.Inserted.NEW)) : Optional.empty();
	}

	/**
	 * Asks about merged and kept jobs; asks nothing if a job is rejected, since no job is
	 * kept then.
	 */
	private static void admit(List<UniqueJobs.Candidate> candidates, Map<UUID, Insertion> met,
			Admission.Decision decision) {
		if (met.values().stream().noneMatch(Insertion.Rejected.class::isInstance)) {
			List<EncodedJob> merged = those(candidates, met, Insertion.Merged.class);
			if (!merged.isEmpty()) {
				decision.merge(merged);
			}
			List<EncodedJob> kept = those(candidates, met, Insertion.Inserted.class);
			if (!kept.isEmpty()) {
				decision.admit(kept);
			}
		}
	}

	private static List<EncodedJob> those(List<UniqueJobs.Candidate> candidates, Map<UUID, Insertion> met,
			Class<? extends Insertion> become) {
		return candidates.stream()
			.filter((candidate) -> become.isInstance(met.getOrDefault(candidate.row().id, Insertion.Inserted.NEW)))
			.map(UniqueJobs.Candidate::encoded)
			.toList();
	}

	/**
	 * Splits jobs into rounds without equal keys: a unique job also meets the jobs before
	 * it in the list.
	 */
	private List<List<UniqueJobs.Candidate>> rounds(List<NewJob> jobs) {
		List<List<UniqueJobs.Candidate>> rounds = new ArrayList<>();
		List<UniqueJobs.Candidate> round = new ArrayList<>();
		Set<UUID> ids = new HashSet<>();
		Set<String> keys = new HashSet<>();
		for (NewJob job : jobs) {
			UniqueJobs.Candidate candidate = new UniqueJobs.Candidate(row(job), job.encoded());
			if (!ids.add(candidate.row().id)) {
				throw new DuplicateIdException(candidate.job().id(), null);
			}
			if (candidate.row().uniqueKey != null && !keys.add(candidate.key())) {
				rounds.add(round);
				round = new ArrayList<>();
				keys = new HashSet<>(Set.of(candidate.key()));
			}
			round.add(candidate);
		}
		rounds.add(round);
		return rounds;
	}

	private Map<UUID, Insertion> insert(List<UniqueJobs.Candidate> candidates, Map<UUID, Insertion> decided) {
		Map<UUID, Insertion> insertions = new LinkedHashMap<>();
		Map<JobRow, Job> rows = new LinkedHashMap<>();
		List<JobRow> ordered = new ArrayList<>();
		for (UniqueJobs.Candidate candidate : candidates) {
			Insertion insertion = decided.getOrDefault(candidate.row().id, Insertion.Inserted.NEW);
			insertions.put(candidate.row().id, insertion);
			if (insertion instanceof Insertion.Inserted) {
				rows.put(candidate.row(), candidate.job());
				if (candidate.row().ordered) {
					ordered.add(candidate.row());
				}
			}
		}
		number(ordered);
		Transitions transitions = this.database.transitions(this.database.options().clock().instant());
		rows.keySet().forEach(transitions::inserted);
		this.database.features().forEach((feature) -> feature.inserting(rows, transitions));
		this.turns.decide(List.copyOf(rows.keySet()));
		rows.keySet()
			.stream()
			.filter((row) -> row.blockedBy != null || Boolean.TRUE.equals(row.awaitsTurn))
			.forEach((row) -> insertions.computeIfPresent(row.id, (id, insertion) -> notPublished(insertion)));
		Set<UUID> inserted = this.database.insert(rows.keySet(), transitions);
		for (JobRow row : rows.keySet()) {
			if (!inserted.contains(row.id)) {
				throw new DuplicateIdException(row.id.toString(), null);
			}
		}
		return insertions;
	}

	private static Insertion notPublished(Insertion insertion) {
		return (insertion instanceof Insertion.Inserted kept) ? new Insertion.Inserted(kept.replaced(), true)
				: insertion;
	}

	/**
	 * Numbers jobs of ordered queues. A transaction that does so after the commit of
	 * another gets higher numbers.
	 */
	private void number(List<JobRow> ordered) {
		if (ordered.isEmpty()) {
			return;
		}
		List<Long> ordinals = this.database.dialect().ordinals(this.database.jdbc(), ordered.size());
		for (int i = 0; i < ordered.size(); i++) {
			ordered.get(i).ordinal = ordinals.get(i);
		}
	}

	private JobRow row(NewJob job) {
		JobRow row = this.database.codec().create(job.encoded(), job.headers());
		if (row.state == JobState.SCHEDULED) {
			row.dueAt = row.scheduledAt;
		}
		row.relayAt = job.relayAt();
		row.ordered = job.ordered();
		row.labels = this.database.labels(job.encoded().job());
		return row;
	}

	@Override
	public Optional<StoredJob> find(String jobId) {
		return this.database.read("find a job", () -> this.database.jobs().find(jobId))
			.map(this.database.codec()::stored);
	}

	@Override
	public List<StoredJob> list(JobQuery query) {
		StringBuilder sql = new StringBuilder("select " + JobColumn.ALL_NAMES + " from ojs_job where 1 = 1");
		MapSqlParameterSource parameters = new MapSqlParameterSource("limit", query.limit());
		if (query.queue() != null) {
			sql.append(" and queue = :queue");
			parameters.addValue("queue", query.queue());
		}
		if (query.type() != null) {
			sql.append(" and type = :type");
			parameters.addValue("type", query.type());
		}
		if (!query.states().isEmpty()) {
			sql.append(JobRows.in(query.states()));
			parameters.addValue("states", query.states().stream().map(JobState::wireName).sorted().toList());
		}
		if (query.before() != null) {
			sql.append(" and id < :before");
			parameters.addValue("before", UUID.fromString(query.before()));
		}
		sql.append(" order by id desc limit :limit");
		return this.database.read("list jobs", () -> this.named.query(sql.toString(), parameters, JobRows.ALL))
			.stream()
			.map(this.database.codec()::stored)
			.toList();
	}

	@Override
	public Optional<StoredJob> cancel(String jobId, Instant now) {
		return this.changes.cancel(jobId, now);
	}

	@Override
	public Optional<StoredJob> activate(String jobId, Instant now, Instant relayAt) {
		return this.changes.activate(jobId, now, relayAt);
	}

}
