package io.ojs.jdbc.internal.queue;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.QueueConfigJson;
import io.ojs.queue.internal.lifecycle.QueueStore;
import io.ojs.queue.internal.lifecycle.StoredQueue;

/**
 * Keeps the configurations and states of queues in the table {@code ojs_queue}. A
 * transaction that changes a queue locks the row of the default policy first, so that
 * versions become visible in their order. Changes are rare.
 */
public final class JdbcQueueStore implements QueueStore {

	/**
	 * Since when a queue is in its state. A process that does not know of it yet writes
	 * only the version, and when something was changed.
	 */
	public static final String STATE_SINCE = "case when state_version = version then state_since else updated_at end as state_since";

	/** Who has changed the state. */
	public static final String STATE_BY = "case when state_version = version then state_by end as state_by";

	private static final String COLUMNS = "name, state, " + STATE_SINCE + ", " + STATE_BY
			+ ", config, created_at, updated_at, version";

	private static final String UPDATE = """
			update ojs_queue set state = ?, state_since = ?, state_by = ?, config = ?, created_at = ?, updated_at = ?,
			version = ?, state_version = ? where name = ?""";

	private static final String INSERT = """
			insert into ojs_queue (state, state_since, state_by, config, created_at, updated_at, version, state_version, name)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

	private final StoreDatabase database;

	private final QueueConfigJson json = new QueueConfigJson();

	public JdbcQueueStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public Optional<StoredQueue> find(String name) {
		return this.database.read("find a queue", () -> select("name = ?", name).stream().findFirst());
	}

	@Override
	public List<StoredQueue> changedSince(long version) {
		return this.database.read("look for changed queues", () -> select("version > ? order by version", version));
	}

	@Override
	public List<StoredQueue> ensure(Collection<String> names, Instant now) {
		Collection<String> missing = new TreeSet<>(names);
		changedSince(0).forEach((queue) -> missing.remove(queue.name()));
		if (missing.isEmpty()) {
			return List.of();
		}
		return this.database.writeAlone("make queues", () -> {
			lock();
			List<StoredQueue> made = new ArrayList<>();
			for (String name : missing) {
				Optional<StoredQueue> found = select("name = ? for update", name).stream().findFirst();
				// A row without a version was inserted to be locked, and no process knows
				// it yet.
				if (found.isEmpty() || found.get().version() == 0) {
					made.add(write(StoredQueue.created(name, now), found));
				}
			}
			return made;
		});
	}

	@Override
	public Optional<StoredQueue> change(String name, Function<Optional<StoredQueue>, Optional<StoredQueue>> change) {
		return this.database.writeAlone("change queue '%s'".formatted(name), () -> {
			lock();
			Optional<StoredQueue> before = select("name = ? for update", name).stream().findFirst();
			return change.apply(before).map((queue) -> write(queue, before));
		});
	}

	/** Makes other transactions that change a queue wait until this one ends. */
	private void lock() {
		this.database.jdbc()
			.queryForObject("select version from ojs_queue where name = ? for update", Long.class,
					JobQueue.DEFAULT_POLICY);
	}

	private StoredQueue write(StoredQueue queue, Optional<StoredQueue> before) {
		Long last = this.database.jdbc().queryForObject("select max(version) from ojs_queue", Long.class);
		boolean isSameState = before.filter((old) -> old.version() > 0 && old.state() == queue.state()).isPresent();
		// As readers will get it, with times in microseconds.
		StoredQueue written = new StoredQueue(queue.name(), queue.state(), Times.micros(queue.stateSince()),
				isSameState ? queue.stateBy() : this.database.options().actor().get(), queue.config(),
				Times.micros(queue.createdAt()), Times.micros(queue.updatedAt()), (last != null) ? last + 1 : 1);
		this.database.jdbc()
			.update(before.isPresent() ? UPDATE : INSERT, written.state().wireName(), Times.utc(written.stateSince()),
					written.stateBy(), new String(this.json.write(written.config()), StandardCharsets.UTF_8),
					Times.utc(written.createdAt()), Times.utc(written.updatedAt()), written.version(),
					written.version(), written.name());
		return written;
	}

	private List<StoredQueue> select(String where, Object parameter) {
		return this.database.jdbc()
			.query("select %s from ojs_queue where %s".formatted(COLUMNS, where), (row, index) -> read(row), parameter);
	}

	private StoredQueue read(ResultSet row) throws SQLException {
		return new StoredQueue(row.getString("name"), QueueState.fromWire(row.getString("state")),
				SqlTimes.instant(row, "state_since"), row.getString("state_by"),
				this.json.read(row.getString("config").getBytes(StandardCharsets.UTF_8)),
				SqlTimes.instant(row, "created_at"), SqlTimes.instant(row, "updated_at"), row.getLong("version"));
	}

}
