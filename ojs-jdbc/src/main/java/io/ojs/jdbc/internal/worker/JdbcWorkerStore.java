package io.ojs.jdbc.internal.worker;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.worker.KnownWorker;
import io.ojs.internal.worker.WorkerState;
import io.ojs.internal.worker.WorkerStore;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;

import org.springframework.jdbc.core.RowMapper;

/**
 * Keeps what workers report of themselves in the table {@code ojs_worker}.
 */
public final class JdbcWorkerStore implements WorkerStore {

	private static final String SELECT = "select id, state, directive, first_seen, last_seen, active_jobs, queues, "
			+ "details from ojs_worker";

	private final StoreDatabase database;

	private final RowMapper<KnownWorker> worker = (row, index) -> read(row);

	private final JsonText json = new JsonText();

	public JdbcWorkerStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public Optional<KnownWorker> find(String id) {
		return this.database.read("find a worker",
				() -> this.database.jdbc().query(SELECT + " where id = ?", this.worker, id).stream().findFirst());
	}

	private KnownWorker read(ResultSet row) throws SQLException {
		List<String> queues = new ArrayList<>();
		Map<String, Object> details = this.json.readObject(row.getString("details"));
		if (this.json.read(row.getString("queues")) instanceof List<?> names) {
			names.forEach((name) -> queues.add(String.valueOf(name)));
		}
		return new KnownWorker(row.getString("id"), state(row.getString("state")), state(row.getString("directive")),
				SqlTimes.instant(row, "first_seen"), SqlTimes.instant(row, "last_seen"), row.getInt("active_jobs"),
				queues, details);
	}

	private static WorkerState state(String name) {
		return WorkerState.fromWire(name).orElse(WorkerState.RUNNING);
	}

	@Override
	public void seen(KnownWorker worker) {
		this.database.write("note a worker", () -> {
			if (!update(worker)) {
				this.database.dialect()
					.insertUnlessThere(this.database.jdbc(),
							"insert into ojs_worker (state, last_seen, active_jobs, queues, details, directive, "
									+ "first_seen, id) values (?, ?, ?, ?, ?, ?, ?, ?)",
							worker.state().wireName(), Times.utc(worker.lastSeen()), worker.activeJobs(),
							this.json.write(worker.queues()), this.json.write(worker.details()),
							worker.directive().wireName(), Times.utc(worker.firstSeen()), worker.id());
			}
			return worker;
		});
	}

	private boolean update(KnownWorker worker) {
		return this.database.jdbc()
			.update("update ojs_worker set state = ?, last_seen = ?, active_jobs = ?, queues = ?, details = ? "
					+ "where id = ?", worker.state().wireName(), Times.utc(worker.lastSeen()), worker.activeJobs(),
					this.json.write(worker.queues()), this.json.write(worker.details()), worker.id()) > 0;
	}

	@Override
	public boolean direct(String id, WorkerState directive) {
		return this.database.write("direct a worker", () -> this.database.jdbc()
			.update("update ojs_worker set directive = ? where id = ?", directive.wireName(), id)) > 0;
	}

	@Override
	public List<KnownWorker> list() {
		return this.database.read("list workers",
				() -> this.database.jdbc().query(SELECT + " order by id", this.worker));
	}

	@Override
	public int forget(Instant before) {
		return this.database.write("forget workers",
				() -> this.database.jdbc().update("delete from ojs_worker where last_seen < ?", Times.utc(before)));
	}

}
