package io.ojs.jdbc.internal.queue;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.jspecify.annotations.Nullable;

/**
 * Keeps the configurations and states of queues in the table {@code ojs_queue}. A
 * transaction that changes a queue locks the row of the default policy first, so that
 * versions become visible in their order. Changes are rare.
 */
public final class JdbcQueueStore implements QueueStore {

	private static final String COLUMNS = "name, state, config, created_at, updated_at, version";

	private static final String UPDATE = """
			update ojs_queue set state_since = case when state = ? then state_since else ? end,
			state_by = case when state = ? then state_by else ? end, state = ?, config = ?, created_at = ?, updated_at = ?, version = ? where name = ?""";

	private static final String INSERT = """
			insert into ojs_queue (state_since, state_by, state, config, created_at, updated_at, version, name)
			values (?, ?, ?, ?, ?, ?, ?, ?)""";

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
					made.add(write(found.orElseGet(() -> StoredQueue.created(name, now)), found.isPresent()));
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
			return change.apply(before).map((queue) -> write(queue, before.isPresent()));
		});
	}

	/** Makes other transactions that change a queue wait until this one ends. */
	private void lock() {
		this.database.jdbc()
			.queryForObject("select version from ojs_queue where name = ? for update", Long.class,
					JobQueue.DEFAULT_POLICY);
	}

	private StoredQueue write(StoredQueue queue, boolean exists) {
		Long last = this.database.jdbc().queryForObject("select max(version) from ojs_queue", Long.class);
		StoredQueue written = queue.version((last != null) ? last + 1 : 1);
		String state = written.state().wireName();
		Object changedAt = Times.utc(written.updatedAt());
		String changedBy = this.database.options().actor().get();
		List<@Nullable Object> values = new ArrayList<>(
				exists ? Arrays.asList(state, changedAt, state, changedBy) : Arrays.asList(changedAt, changedBy));
		values.addAll(List.of(state, new String(this.json.write(written.config()), StandardCharsets.UTF_8),
				Times.utc(written.createdAt()), changedAt, written.version(), written.name()));
		this.database.jdbc().update(exists ? UPDATE : INSERT, values.toArray());
		// As readers will get it, with times in microseconds.
		return new StoredQueue(written.name(), written.state(), written.config(), Times.micros(written.createdAt()),
				Times.micros(written.updatedAt()), written.version());
	}

	private List<StoredQueue> select(String where, Object parameter) {
		return this.database.jdbc()
			.query("select %s from ojs_queue where %s".formatted(COLUMNS, where), (row, index) -> read(row), parameter);
	}

	private StoredQueue read(ResultSet row) throws SQLException {
		return new StoredQueue(row.getString("name"), QueueState.fromWire(row.getString("state")),
				this.json.read(row.getString("config").getBytes(StandardCharsets.UTF_8)),
				SqlTimes.instant(row, "created_at"), SqlTimes.instant(row, "updated_at"), row.getLong("version"));
	}

}
