package io.ojs.jdbc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.ojs.client.EncodedJob;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.json.RateLimitJson;
import io.ojs.json.UndecodableJobException;
import io.ojs.log.SafeLogger;
import io.ojs.store.RelayedJob;
import io.ojs.store.StoredJob;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.jdbc.core.RowMapper;

/**
 * Reads and writes rows of {@code ojs_job}, and makes jobs out of them.
 */
final class JobRows {

	static final String TABLE = "ojs_job";

	static final RowMapper<JobRow> PROGRESS = (row, index) -> JobRow.read(row);

	static final RowMapper<JobRow> ALL = (row, index) -> JobRow.readAll(row);

	private static final Logger logger = SafeLogger.of(JobRows.class);

	private final StoreDatabase database;

	private final JsonText json = new JsonText();

	JobRows(StoreDatabase database) {
		this.database = database;
	}

	JsonText json() {
		return this.json;
	}

	/** The id as the database knows it; empty if it cannot be the id of a job. */
	static Optional<UUID> id(String jobId) {
		try {
			return Optional.of(UUID.fromString(jobId));
		}
		catch (IllegalArgumentException ex) {
			return Optional.empty();
		}
	}

	static List<UUID> ids(Collection<String> jobIds) {
		return jobIds.stream().map(JobRows::id).flatMap(Optional::stream).toList();
	}

	/**
	 * Locks jobs until the transaction ends.
	 * @param ids which
	 * @param all whether to read {@link JobRow#ALL_COLUMNS}
	 * @return those that there are
	 */
	Map<UUID, JobRow> lock(Collection<UUID> ids, boolean all) {
		// In one order, so that nobody waits for somebody who waits for them.
		String columns = all ? JobRow.ALL_COLUMNS : JobRow.COLUMNS;
		return query(columns, " for update", ids, all ? ALL : PROGRESS);
	}

	/**
	 * Locks jobs until the transaction ends, and waits for none that another transaction
	 * has locked.
	 * @param ids which
	 * @param all whether to read {@link JobRow#ALL_COLUMNS}
	 * @return those that there are and that are free
	 */
	Map<UUID, JobRow> lockFree(Collection<UUID> ids, boolean all) {
		return query(all ? JobRow.ALL_COLUMNS : JobRow.COLUMNS, " for update skip locked", ids, all ? ALL : PROGRESS);
	}

	/** Which of some jobs there are, locked or not. */
	Set<UUID> known(Collection<UUID> ids) {
		if (ids.isEmpty()) {
			return Set.of();
		}
		return new HashSet<>(this.database.jdbc()
			.query(this.database.dialect().byIds("id", ""), Dialect.ids(ids),
					(row, index) -> row.getObject("id", UUID.class)));
	}

	/** Reads jobs with all that they have, as they are just now. */
	Map<UUID, JobRow> read(Collection<UUID> ids) {
		return query(JobRow.ALL_COLUMNS, "", ids, ALL);
	}

	private Map<UUID, JobRow> query(String columns, String lock, Collection<UUID> ids, RowMapper<JobRow> mapper) {
		List<JobRow> found = switch (ids.size()) {
			case 0 -> List.of();
			case 1 -> this.database.jdbc().query(Dialect.byId(columns, lock), mapper, ids.iterator().next());
			default ->
				this.database.jdbc().query(this.database.dialect().byIds(columns, lock), Dialect.ids(ids), mapper);
		};
		Map<UUID, JobRow> rows = new HashMap<>();
		found.forEach((row) -> rows.put(row.id, row));
		return rows;
	}

	/** Writes what transitions have changed. */
	void update(Collection<JobRow> rows) {
		for (List<Column> columns : List.of(JobRow.START, JobRow.SUCCESS, JobRow.PROGRESS, JobRow.ENDS)) {
			update(columns, rows.stream().filter((row) -> row.toWrite() == columns).toList());
		}
		update(JobRow.HOLD, rows.stream().filter((row) -> row.holdChanged).toList());
	}

	private void update(List<Column> columns, List<? extends Dialect.Row> rows) {
		if (!rows.isEmpty()) {
			this.database.dialect().update(this.database.jdbc(), TABLE, JobRow.KEY, columns, List.copyOf(rows));
		}
	}

	/**
	 * Changes one point in time of many jobs.
	 * @param sql takes it and the ids
	 * @return how many were changed
	 */
	int touch(String sql, Instant time, Collection<UUID> ids) {
		if (ids.isEmpty()) {
			return 0;
		}
		return this.database.jdbc().update(sql, (statement) -> {
			statement.setObject(1, Times.utc(time));
			statement.setArray(2, statement.getConnection().createArrayOf("uuid", ids.toArray()));
		});
	}

	/** Inserts the rows whose id is not taken, and tells which. */
	Set<UUID> insert(Collection<JobRow> rows) {
		if (rows.isEmpty()) {
			return Set.of();
		}
		List<Dialect.Row> sorted = List.copyOf(rows.stream().sorted(Comparator.comparing((row) -> row.id)).toList());
		return this.database.dialect().insertNew(this.database.jdbc(), TABLE, JobRow.EVERY, sorted);
	}

	/** A row for a job that is new to the store, in the state that it says. */
	JobRow create(EncodedJob encoded, Map<String, String> headers) {
		Job job = encoded.job();
		JobRow row = new JobRow(UUID.fromString(job.id()));
		Instant now = this.database.options().clock().instant();
		row.type = job.type();
		row.queue = job.queue();
		row.state = (job.state() != null) ? job.state() : JobState.AVAILABLE;
		row.priority = (job.priority() != null) ? job.priority() : 0;
		row.attempt = job.attempt();
		row.maxAttempts = encoded.maxAttempts();
		row.sizeBytes = encoded.body().length;
		row.createdAt = instant(job.createdAt(), now);
		row.enqueuedAt = instant(job.enqueuedAt(), row.createdAt);
		row.scheduledAt = Times.micros(job.scheduledAt());
		row.expiresAt = Times.micros(job.expiresAt());
		row.uniqueKey = encoded.uniqueKey();
		row.tenant = Tenants.of(job).orElse(null);
		row.rateKey = rateKey(job, row.tenant);
		row.versionKey = versionKey(job);
		row.headers = this.json.writeHeaders(headers);
		row.envelope = text(job.id(), encoded.body());
		return row;
	}

	/**
	 * Gives a row another job, as it is to be published.
	 * @param row the row, whose progress stays
	 * @param job the job
	 * @param like has the headers and the number of attempts
	 */
	void replace(JobRow row, Job job, JobRow like) {
		byte[] body = this.database.options().codec().encode(job);
		row.type = job.type();
		row.queue = job.queue();
		row.priority = (job.priority() != null) ? job.priority() : 0;
		row.maxAttempts = like.maxAttempts;
		row.sizeBytes = body.length;
		row.scheduledAt = Times.micros(job.scheduledAt());
		row.expiresAt = Times.micros(job.expiresAt());
		row.tenant = Tenants.of(job).orElse(null);
		row.rateKey = rateKey(job, row.tenant);
		row.versionKey = versionKey(job);
		row.headers = like.headers;
		row.envelope = text(job.id(), body);
		update(JobRow.CONTENT, List.of(row));
	}

	private static @Nullable String rateKey(Job job, @Nullable String tenant) {
		return RateLimitJson.of(job).map((limit) -> limit.partition(tenant)).orElse(null);
	}

	private static @Nullable Long versionKey(Job job) {
		JobVersion version = job.version();
		return (version != null) ? (Long) version.ordinal() : null;
	}

	private static Instant instant(@Nullable OffsetDateTime time, Instant otherwise) {
		return (time != null) ? Times.micros(time.toInstant()) : Times.micros(otherwise);
	}

	private static String text(String jobId, byte[] body) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new UndecodableJobException(
					"The envelope of job '%s' is not UTF-8 (%d bytes); the job store keeps only envelopes that are."
						.formatted(jobId, body.length),
					ex);
		}
	}

	/** The job that a row holds. */
	StoredJob stored(JobRow row) {
		return stored(row, envelope(row));
	}

	/**
	 * The job that a row holds, if it holds what somebody has at hand; spares reading its
	 * envelope.
	 */
	StoredJob stored(JobRow row, EncodedJob atHand) {
		boolean same = row.envelope.equals(new String(atHand.body(), StandardCharsets.UTF_8));
		return stored(row, same ? atHand.job() : envelope(row));
	}

	private StoredJob stored(JobRow row, Job job) {
		boolean waits = row.state == JobState.SCHEDULED || row.state == JobState.RETRYABLE;
		return new StoredJob(overlay(row, job), row.maxAttempts, this.json.readHeaders(row.headers),
				waits ? row.dueAt : null, row.deadLetteredAt, row.deadLetterQueue, row.replays);
	}

	/** What the relay is to publish. */
	RelayedJob relayed(JobRow row) {
		byte[] body = row.envelope.getBytes(StandardCharsets.UTF_8);
		Job job = overlay(row, this.database.options().codec().decode(body));
		return new RelayedJob(new EncodedJob(job, body, row.maxAttempts, row.uniqueKey), row.attempt + 1,
				this.json.readHeaders(row.headers), row.replays);
	}

	/** The job as it was sent, whatever has become of it. */
	Job envelope(JobRow row) {
		try {
			return this.database.options().codec().decode(row.envelope.getBytes(StandardCharsets.UTF_8));
		}
		catch (UndecodableJobException | InvalidJobException ex) {
			// Whoever lists jobs should see the others, and this one as far as it goes.
			logger.warn("The envelope of job '{}' cannot be read; its arguments are left out.", row.id, ex);
			return Job.builder(row.id.toString(), row.type, row.queue)
				.meta((row.tenant != null) ? Map.of(Tenants.META_KEY, row.tenant) : Map.of())
				.build();
		}
	}

	private Job overlay(JobRow row, Job job) {
		return new Job(job.specVersion(), job.id(), job.type(), row.queue, job.args(), job.meta(), job.priority(),
				job.timeout(), job.scheduledAt(), job.expiresAt(), job.retry(), job.unique(), row.state, row.attempt,
				Times.utc(row.createdAt), Times.utc(row.enqueuedAt), Times.utcOrNull(row.startedAt),
				Times.utcOrNull(row.endedAt), this.json.read(row.result), this.json.readErrors(row.errors),
				job.extensions());
	}

}
