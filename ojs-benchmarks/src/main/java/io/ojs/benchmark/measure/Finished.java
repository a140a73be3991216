package io.ojs.benchmark.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.benchmark.contender.Contender;

/**
 * What finished rows cost those who work: rates without them, with many, and without them
 * again, in one process and one database. The rows are copies of those of jobs that have
 * run.
 */
final class Finished implements Scenario.Steps {

	private static final String SETTING = "finished";

	/** As many jobs have run in the last day. */
	private static final String COPY = """
			insert into ojs_job (%1$s)
			select %2$s
			from (select i, (now() - (i * 86400.0 / %3$d) * interval '1 second') as at,
				    (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - i * 86400000 / %3$d), 12, '0')
				    || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(i::text), 4, 15))::uuid as new_id
				  from generate_series(1::bigint, %3$d) as i) as new,
				(select * from ojs_job where state = 'completed' limit 1) as done""";

	@Override
	public void run(Task task, Contender contender, Results results) throws Exception {
		Counter counter = new Counter();
		contender.work(counter);
		List<Map<String, Double>> none = new ArrayList<>();
		none.add(rates(task, contender, counter));
		try (Connection connection = DriverManager.getConnection(task.site().databaseUrl(), task.site().username(),
				task.site().password()); Statement database = connection.createStatement()) {
			fill(database, task.backlog());
			Map<String, Double> many = rates(task, contender, counter);
			database.execute("delete from ojs_job where state = 'completed'");
			rest(database);
			none.add(rates(task, contender, counter));
			results.add(task.measurement("finished", Map.of(SETTING, "0"), mean(none)));
			results.add(task.measurement("finished", Map.of(SETTING, String.valueOf(task.backlog())), many));
		}
	}

	/** Bulk is {@code rate}, as everywhere. */
	private static Map<String, Double> rates(Task task, Contender contender, Counter counter) throws Exception {
		Map<String, Double> figures = new HashMap<>();
		figures.put("rate",
				Throughput.figures(task, contender, counter, (jobs) -> Throughput.bulk(contender, jobs)).get("rate"));
		figures.put("rate.single",
				Throughput.figures(task, contender, counter, (jobs) -> Throughput.single(contender, jobs)).get("rate"));
		return figures;
	}

	private static Map<String, Double> mean(List<Map<String, Double>> all) {
		Map<String, Double> mean = new HashMap<>();
		all.forEach((each) -> each.forEach((name, figure) -> mean.merge(name, figure / all.size(), Double::sum)));
		return mean;
	}

	private static void fill(Statement database, int rows) throws SQLException {
		List<String> columns = new ArrayList<>();
		List<String> values = new ArrayList<>();
		try (ResultSet all = database.executeQuery("select column_name, data_type from information_schema.columns"
				+ " where table_name = 'ojs_job' and table_schema = current_schema() order by ordinal_position")) {
			while (all.next()) {
				columns.add(all.getString(1));
				values.add(value(all.getString(1), all.getString(2)));
			}
		}
		int copied = database
			.executeUpdate(COPY.formatted(String.join(", ", columns), String.join(", ", values), rows));
		if (copied != rows) {
			throw new IllegalStateException("%d rows are finished, not %d".formatted(copied, rows));
		}
		rest(database);
	}

	private static String value(String column, String type) {
		if (column.equals("id")) {
			return "new.new_id";
		}
		if (column.equals("envelope")) {
			return "replace(done.envelope, done.id::text, new.new_id::text)";
		}
		return type.startsWith("timestamp") ? "done.%1$s - done.ended_at + new.at".formatted(column) : "done." + column;
	}

	/** What a database does by itself sooner or later, so that it does not do it now. */
	private static void rest(Statement database) throws SQLException {
		database.execute("vacuum (analyze) ojs_job");
		database.execute("checkpoint");
	}

}
