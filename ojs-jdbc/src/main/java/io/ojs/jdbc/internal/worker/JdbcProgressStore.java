package io.ojs.jdbc.internal.worker;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Progress;
import io.ojs.store.internal.attempt.ProgressStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps progress in the row of the job, in a column that no other code writes.
 */
public final class JdbcProgressStore implements ProgressStore {

	private final StoreDatabase database;

	private final JsonText json = new JsonText();

	public JdbcProgressStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public boolean report(Lease lease, Progress progress) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("value", progress.value());
		values.put("message", progress.message());
		values.put("data", progress.data());
		values.put("at", Times.micros(progress.at()).toString());
		String text = this.json.write(values);
		return JobRow.id(lease.jobId())
			.map((id) -> this.database.write("keep the progress of a job",
					() -> this.database.jdbc()
						.update("update ojs_job set progress = ? where id = ? and run = ? and state = 'active'", text,
								id, lease.run())))
			.filter((updated) -> updated > 0)
			.isPresent();
	}

	@Override
	public Optional<Progress> find(String jobId) {
		return JobRow.id(jobId)
			.flatMap((id) -> this.database.read("find the progress of a job",
					() -> this.database.jdbc()
						.query("select progress from ojs_job where id = ? and progress is not null",
								(row, index) -> progress(row.getString("progress")), id)
						.stream()
						.findFirst()));
	}

	private Progress progress(String text) {
		Map<String, @Nullable Object> values = this.json.readObject(text);
		double value = (values.get("value") instanceof Number number) ? number.doubleValue() : 0;
		String message = (values.get("message") instanceof String said) ? said : null;
		return new Progress(value, message, values.get("data"), Instant.parse(String.valueOf(values.get("at"))));
	}

}
