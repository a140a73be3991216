package io.ojs.jdbc.internal.version;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.process.KnownProcess;
import io.ojs.internal.process.ProcessList;
import io.ojs.internal.process.ThisProcess;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import org.jspecify.annotations.Nullable;

/**
 * The processes in the table {@code ojs_handler}. Processes with an earlier version of
 * this library do not fill the columns that describe them.
 */
public final class JdbcProcessList implements ProcessList {

	private static final int LONGEST = 255;

	private final StoreDatabase database;

	public JdbcProcessList(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void describe(ThisProcess process, int running) {
		this.database.writeAlone("say what this process is",
				() -> this.database.jdbc()
					.update("update ojs_handler set host = ?, pid = ?, application = ?, application_version = ?, "
							+ "started_at = ?, running = ? where process = ?", cut(process.host()), process.pid(),
							cut(process.application()), cut(process.version()), Times.utc(process.startedAt()), running,
							process.id()));
	}

	private static @Nullable String cut(@Nullable String text) {
		return (text != null && text.length() > LONGEST) ? text.substring(0, LONGEST) : text;
	}

	@Override
	public List<KnownProcess> list() {
		return this.database
			.read("list processes",
					() -> this.database.jdbc()
						.query("select process, seen_at, queues, handled, host, pid, application, application_version, "
								+ "started_at, running from ojs_handler order by process",
								(row, index) -> process(row)));
	}

	private KnownProcess process(ResultSet row) throws SQLException {
		JsonText json = this.database.codec().json();
		Map<String, Integer> queues = new TreeMap<>();
		json.readObject(row.getString("queues"))
			.forEach((queue, consumers) -> queues.put(queue, (consumers instanceof Number n) ? n.intValue() : 0));
		String id = row.getString("process");
		return new KnownProcess(id, SqlTimes.instant(row, "seen_at"), queues,
				HandledJobsText.read(json, row.getString("handled")), described(id, row),
				row.getObject("running", Integer.class));
	}

	private static @Nullable ThisProcess described(String id, ResultSet row) throws SQLException {
		Instant startedAt = SqlTimes.read(row, "started_at");
		return (startedAt != null) ? new ThisProcess(id, Objects.requireNonNullElse(row.getString("host"), ""),
				row.getLong("pid"), row.getString("application"), row.getString("application_version"), startedAt)
				: null;
	}

}
