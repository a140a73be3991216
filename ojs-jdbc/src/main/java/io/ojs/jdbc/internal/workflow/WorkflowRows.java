package io.ojs.jdbc.internal.workflow;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.engine.JsonText;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.workflow.Callback;
import io.ojs.workflow.WorkflowFailure;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.WorkflowType;
import io.ojs.workflow.internal.StoredWorkflow;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of {@code ojs_workflow}.
 */
final class WorkflowRows {

	static final String COLUMNS = "id, type, name, state, queue, tenant, shape, progress, failures, headers, "
			+ "created_at, started_at, ended_at";

	private final JsonText json = new JsonText();

	StoredWorkflow workflow(ResultSet row, int index) throws SQLException {
		return new StoredWorkflow(row.getString("id"), WorkflowType.fromWire(row.getString("type")).orElseThrow(),
				row.getString("name"), WorkflowState.fromWire(row.getString("state")).orElseThrow(),
				row.getString("queue"), row.getString("tenant"), row.getString("shape"), row.getString("progress"),
				readFailures(row.getString("failures")), this.json.readHeaders(row.getString("headers")),
				SqlTimes.instant(row, "created_at"), SqlTimes.read(row, "started_at"), SqlTimes.read(row, "ended_at"));
	}

	@Nullable String failures(List<WorkflowFailure> failures) {
		return failures.isEmpty() ? null : this.json.write(failures.stream().map(WorkflowRows::failure).toList());
	}

	private static Map<String, @Nullable Object> failure(WorkflowFailure failure) {
		Map<String, @Nullable Object> object = new LinkedHashMap<>();
		object.put("job_id", failure.jobId());
		object.put("job_type", failure.jobType());
		if (failure.callback() != null) {
			object.put("callback", failure.callback().name());
		}
		object.put("code", failure.code());
		object.put("message", failure.message());
		object.put("attempt", failure.attempt());
		return object;
	}

	private List<WorkflowFailure> readFailures(@Nullable String text) {
		List<WorkflowFailure> failures = new ArrayList<>();
		if (this.json.read(text) instanceof List<?> list) {
			for (Object element : list) {
				Map<?, ?> object = (Map<?, ?>) element;
				failures.add(new WorkflowFailure((String) object.get("job_id"), (String) object.get("job_type"),
						(object.get("callback") instanceof String callback) ? Callback.valueOf(callback) : null,
						(String) object.get("code"), (String) object.get("message"),
						((Number) object.get("attempt")).intValue()));
			}
		}
		return failures;
	}

}
