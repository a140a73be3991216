package io.ojs.jdbc.internal.version;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.StartGate;
import io.ojs.internal.engine.Times;
import io.ojs.internal.version.HandlerProcess;
import io.ojs.internal.version.HandlerStore;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.StoreFeature;
import io.ojs.job.JobVersion;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * Keeps which processes run which versions in the table {@code ojs_handler}.
 */
public final class JdbcHandlerStore implements HandlerStore, StoreFeature {

	/** A process that is silent for this time is gone, however slow it is. */
	private static final Duration FORGOTTEN = Duration.ofMinutes(5);

	/** How many jobs one transaction releases. */
	private static final int BATCH = 500;

	private final StoreDatabase database;

	public JdbcHandlerStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public Optional<StartGate> gate(Instant now) {
		return Optional.of(new VersionWaits(this.database, now));
	}

	@Override
	public void announce(String process, Map<String, Integer> queues, HandledJobs handled, Instant now) {
		JsonText json = this.database.codec().json();
		String names = json.write(queues);
		String versions = HandledJobsText.write(json, handled);
		this.database.writeAlone("say what this process works", () -> {
			int known = this.database.jdbc()
				.update("update ojs_handler set seen_at = ?, queues = ?, handled = ? where process = ?", Times.utc(now),
						names, versions, process);
			if (known == 0) {
				this.database.dialect()
					.insertUnlessThere(this.database.jdbc(),
							"insert into ojs_handler (seen_at, queues, handled, process) values (?, ?, ?, ?)",
							Times.utc(now), names, versions, process);
			}
			return this.database.jdbc()
				.update("delete from ojs_handler where seen_at < ?", Times.utc(now.minus(FORGOTTEN)));
		});
	}

	@Override
	public List<HandlerProcess> trusted(Instant now) {
		return this.database.read("list processes with handlers",
				() -> new HandlerProcesses(this.database).trusted(now));
	}

	@Override
	public void withdraw(String process) {
		this.database.writeAlone("say that this process works nothing any longer",
				() -> this.database.jdbc().update("delete from ojs_handler where process = ?", process));
	}

	@Override
	public int consumers(String queue) {
		JsonText json = this.database.codec().json();
		return this.database
			.read("count consumers",
					() -> this.database.jdbc().queryForList("select queues from ojs_handler", String.class))
			.stream()
			.mapToInt((queues) -> (json.read(queues) instanceof Map<?, ?> counts
					&& counts.get(queue) instanceof Number number) ? number.intValue() : 0)
			.sum();
	}

	@Override
	public int release(Set<String> queues, HandledJobs handled, Instant now) {
		Instant late = Times.micros(now.plus(TRUSTED));
		List<Waiting> all = this.database.read("look for jobs that wait for a worker of their version",
				() -> this.database.jdbc()
					.query("select distinct queue, type, version_key from ojs_job where worker_wait_until > ? "
							+ "and state = 'available'",
							(row, index) -> new Waiting(row.getString("queue"), row.getString("type"),
									row.getObject("version_key", Long.class)),
							Times.utc(late)));
		int released = 0;
		for (Waiting waiting : all) {
			JobVersion version = JobRow.version(waiting.versionKey());
			// A process that takes any other type has no handler for it.
			if (version != null && queues.contains(waiting.queue()) && handled.versions().containsKey(waiting.type())
					&& handled.contain(waiting.type(), version)) {
				released += release(waiting, now, late);
			}
		}
		if (released > 0) {
			this.database.relayable();
		}
		return released;
	}

	private int release(Waiting waiting, Instant now, Instant late) {
		int released = 0;
		int more;
		do {
			more = this.database.write("release jobs that wait for a worker of their version", () -> {
				List<UUID> ids = this.database.jdbc()
					.query("select id from ojs_job where worker_wait_until > ? and state = 'available' "
							+ "and blocked_by is null and queue = ? and type = ? and version_key = ? "
							+ "order by id limit ? for update skip locked",
							(row, index) -> row.getObject("id", UUID.class), Times.utc(late), waiting.queue(),
							waiting.type(), waiting.versionKey(), BATCH);
				if (!ids.isEmpty()) {
					again(ids, now);
				}
				return ids.size();
			});
			released += more;
		}
		while (more == BATCH);
		return released;
	}

	/**
	 * Makes jobs due now. If they have to wait again, the first pause is short, and later
	 * ones are longer.
	 */
	private void again(List<UUID> ids, Instant now) {
		this.database.jdbc()
			.update("update ojs_job set relay_at = ?, worker_wait_since = ?, worker_wait_until = ? where id = any(?)",
					(statement) -> {
						for (int i = 1; i <= 3; i++) {
							statement.setObject(i, Times.utc(Times.micros(now)));
						}
						statement.setArray(4, statement.getConnection().createArrayOf("uuid", ids.toArray()));
					});
	}

	/**
	 * A kind of jobs that wait.
	 *
	 * @param versionKey their version, as {@link JobVersion#ordinal} has it
	 */
	private record Waiting(String queue, String type, @Nullable Long versionKey) {
	}

}
