package io.ojs.jdbc.internal.workflow;

import java.util.List;

import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Transitions;
import io.ojs.jdbc.internal.Column;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.StoreFeature;
import org.jspecify.annotations.Nullable;

/**
 * Records the ends of jobs of workflows, in the transaction that ends the jobs. After the
 * commit it tells the code that advances workflows in this process.
 */
public final class WorkflowEnds implements StoreFeature {

	private static final List<Column> COLUMNS = List.of(Column.uuid("workflow_id"), Column.integer("step"),
			Column.uuid("job_id"), Column.text("type"), Column.text("state"), Column.time("started_at"),
			Column.time("ended_at"), Column.text("error"));

	private final StoreDatabase database;

	private volatile @Nullable Runnable listener;

	public WorkflowEnds(StoreDatabase database) {
		this.database = database;
	}

	void whenCommitted(Runnable listener) {
		this.listener = listener;
	}

	@Override
	public void within(Transitions transitions) {
		List<JobRow> ends = transitions.workflowEnds();
		if (ends.isEmpty()) {
			return;
		}
		this.database.dialect()
			.insert(this.database.jdbc(), "ojs_workflow_end", COLUMNS,
					ends.stream().<Dialect.Row>map(WorkflowEnd::new).toList());
		Runnable told = this.listener;
		if (told != null) {
			this.database.whenCommitted(told);
		}
	}

}
