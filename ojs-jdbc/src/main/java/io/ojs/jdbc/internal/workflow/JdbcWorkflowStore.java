package io.ojs.jdbc.internal.workflow;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.engine.FeedEvent;
import io.ojs.internal.engine.JobRow;
import io.ojs.internal.engine.Times;
import io.ojs.internal.inspect.WaitingStep;
import io.ojs.internal.inspect.WaitingSteps;
import io.ojs.jdbc.internal.Column;
import io.ojs.jdbc.internal.Dialect;
import io.ojs.jdbc.internal.JobColumn;
import io.ojs.jdbc.internal.JobRows;
import io.ojs.jdbc.internal.SqlTimes;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.store.internal.Retention;
import io.ojs.tenant.Tenants;
import io.ojs.workflow.StepState;
import io.ojs.workflow.WorkflowEvent;
import io.ojs.workflow.WorkflowQuery;
import io.ojs.workflow.internal.StepEnd;
import io.ojs.workflow.internal.StepJob;
import io.ojs.workflow.internal.StepResult;
import io.ojs.workflow.internal.StoredWorkflow;
import io.ojs.workflow.internal.WorkflowStore;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Keeps workflows in a database.
 */
public final class JdbcWorkflowStore implements WorkflowStore, WaitingSteps {

	private static final List<Column> JOB_COLUMNS = List.of(Column.uuid("workflow_id"), Column.integer("step"),
			Column.uuid("job_id"), Column.text("type"), Column.text("envelope"));

	private static final List<Column> MEMBERSHIP = List.of(Column.uuid("workflow_id"), Column.integer("workflow_step"));

	private final StoreDatabase database;

	private final WorkflowRows rows = new WorkflowRows();

	public JdbcWorkflowStore(StoreDatabase database) {
		this.database = database;
	}

	@Override
	public void insert(StoredWorkflow workflow, List<EncodedJob> jobs) {
		UUID id = UUID.fromString(workflow.id());
		List<Dialect.Row> steps = new ArrayList<>(jobs.size());
		for (EncodedJob job : jobs) {
			int step = steps.size();
			steps.add((column) -> switch (column) {
				case "workflow_id" -> id;
				case "step" -> step;
				case "job_id" -> UUID.fromString(job.job().id());
				case "type" -> job.job().type();
				case "envelope" -> new String(job.body(), StandardCharsets.UTF_8);
				default -> throw new IllegalArgumentException("No column " + column + ".");
			});
		}
		this.database.write("keep a workflow", () -> {
			this.database.jdbc()
				.update("insert into ojs_workflow (id, type, name, state, queue, tenant, shape, progress, headers, "
						+ "created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", id, workflow.type().wireName(),
						workflow.name(), workflow.state().wireName(), workflow.queue(), workflow.tenant(),
						workflow.shape(), workflow.progress(),
						this.database.codec().json().writeHeaders(workflow.headers()), Times.utc(workflow.createdAt()));
			this.database.dialect().insert(this.database.jdbc(), "ojs_workflow_job", JOB_COLUMNS, steps);
			return id;
		});
	}

	@Override
	public Optional<StoredWorkflow> find(String id) {
		return JobRow.id(id)
			.flatMap((uuid) -> this.database.read("find a workflow", () -> select("where id = ?", uuid).findFirst()));
	}

	@Override
	public List<StoredWorkflow> list(WorkflowQuery query) {
		StringBuilder where = new StringBuilder("where 1 = 1");
		List<Object> parameters = new ArrayList<>();
		if (query.state() != null) {
			where.append(" and state = ?");
			parameters.add(query.state().wireName());
		}
		if (query.type() != null) {
			where.append(" and type = ?");
			parameters.add(query.type().wireName());
		}
		if (query.name() != null) {
			where.append(" and name = ?");
			parameters.add(query.name());
		}
		if (query.tenant() != null) {
			where.append(" and tenant = ?");
			parameters.add(query.tenant());
		}
		if (query.before() != null) {
			where.append(" and id < ?");
			parameters.add(UUID.fromString(query.before()));
		}
		where.append(" order by id desc limit ?");
		parameters.add(query.limit());
		return this.database.read("list workflows", () -> select(where.toString(), parameters.toArray()).toList());
	}

	private Stream<StoredWorkflow> select(String where, Object... parameters) {
		return this.database.jdbc()
			.query("select " + WorkflowRows.COLUMNS + " from ojs_workflow " + where, this.rows::workflow, parameters)
			.stream();
	}

	@Override
	public List<StepJob> jobs(String id) {
		return JobRow.id(id)
			.map((uuid) -> this.database.read("find the jobs of a workflow",
					() -> this.database.jdbc()
						.query("select w.step, w.job_id, w.type, j.state, j.result, j.started_at, j.ended_at "
								+ "from ojs_workflow_job w left join ojs_job j on j.id = w.job_id "
								+ "and j.workflow_id = w.workflow_id where w.workflow_id = ? order by w.step",
								(row, index) -> stepJob(row), uuid)))
			.orElse(List.of());
	}

	private StepJob stepJob(ResultSet row) throws SQLException {
		String state = row.getString("state");
		return new StepJob(row.getInt("step"), row.getString("job_id"), row.getString("type"),
				(state != null) ? JobState.fromWire(state) : null,
				this.database.codec().json().read(row.getString("result")), SqlTimes.read(row, "started_at"),
				SqlTimes.read(row, "ended_at"));
	}

	@Override
	public Optional<WaitingStep> waitingStep(String jobId, @Nullable String tenant) {
		return JobRow.id(jobId)
			.flatMap((uuid) -> this.database.read("find a job of a workflow",
					() -> this.database.jdbc()
						.query("select workflow_id, step from ojs_workflow_job where job_id = ?",
								(row, index) -> Map.entry(row.getString("workflow_id"), row.getInt("step")), uuid)
						.stream()
						.findFirst()))
			.flatMap((member) -> find(member.getKey())
				.filter((workflow) -> tenant == null || tenant.equals(workflow.tenant()))
				.map((workflow) -> new WaitingStep(jobId, workflow.id(), workflow.name(), workflow.state(),
						member.getValue() + 1, workflow.jobs(), workflow.ended(), workflow.createdAt(),
						workflow.endedAt())));
	}

	@Override
	public List<String> due(int limit) {
		return this.database.read("look for workflows that have to go on",
				() -> this.database.jdbc()
					.query("select workflow_id from ojs_workflow_end group by workflow_id order by min(seq) limit ?",
							(row, index) -> row.getString(1), limit));
	}

	@Override
	public Optional<StoredWorkflow> lock(String id, boolean patient) {
		return JobRow.id(id).flatMap((uuid) -> this.database.write("lock a workflow", () -> {
			Optional<StoredWorkflow> locked = select("where id = ? for update" + (patient ? "" : " skip locked"), uuid)
				.findFirst();
			if (locked.isEmpty()) {
				// The workflow may have been pruned before one of its dead letters was
				// replayed.
				this.database.jdbc()
					.update("delete from ojs_workflow_end where workflow_id = ? "
							+ "and not exists (select 1 from ojs_workflow where id = ?)", uuid, uuid);
			}
			return locked;
		}));
	}

	@Override
	public List<StepEnd> takeEnds(String id) {
		UUID uuid = UUID.fromString(id);
		return this.database.write("take the ends of jobs of a workflow", () -> {
			List<StepEnd> ends = new ArrayList<>();
			List<Long> taken = new ArrayList<>();
			this.database.jdbc()
				.query("select seq, step, job_id, type, state, started_at, ended_at, error from ojs_workflow_end "
						+ "where workflow_id = ? order by seq", (row) -> {
							ends.add(end(row));
							taken.add(row.getLong("seq"));
						}, uuid);
			// Only the rows that were read: rows with lower numbers may have been
			// committed since.
			this.database.jdbc()
				.update("delete from ojs_workflow_end where seq = any(?)", (statement) -> statement.setArray(1,
						statement.getConnection().createArrayOf("bigint", taken.toArray())));
			return ends;
		});
	}

	private StepEnd end(ResultSet row) throws SQLException {
		List<JobError> errors = this.database.codec().json().readErrors(row.getString("error"));
		return new StepEnd(row.getInt("step"), String.valueOf(row.getString("job_id")), row.getString("type"),
				state(row.getString("state")), SqlTimes.read(row, "started_at"), SqlTimes.instant(row, "ended_at"),
				errors.isEmpty() ? null : errors.get(errors.size() - 1));
	}

	private static StepState state(String jobState) {
		return switch (JobState.fromWire(jobState)) {
			case COMPLETED -> StepState.COMPLETED;
			case CANCELLED -> StepState.CANCELLED;
			default -> StepState.FAILED;
		};
	}

	@Override
	public void goOn(String id, Instant now) {
		this.database
			.write("have a workflow go on",
					() -> this.database.jdbc()
						.update("insert into ojs_workflow_end (workflow_id, step, type, state, ended_at) "
								+ "values (?, ?, '', 'completed', ?)", UUID.fromString(id), StepEnd.GO_ON,
								Times.utc(now)));
	}

	@Override
	public Map<Integer, Job> templates(String id, Collection<Integer> numbers) {
		Map<Integer, Job> templates = new HashMap<>();
		return this.database.read("read jobs of a workflow", () -> {
			this.database.jdbc()
				.query("select step, envelope from ojs_workflow_job where workflow_id = ? and step = any(?)",
						steps(id, numbers), (row) -> {
							templates.put(row.getInt("step"),
									this.database.options()
										.codec()
										.decode(row.getString("envelope").getBytes(StandardCharsets.UTF_8)));
						});
			return templates;
		});
	}

	@Override
	public Map<Integer, StepResult> results(String id, Collection<Integer> numbers) {
		Map<Integer, StepResult> results = new HashMap<>();
		return this.database.read("read results of jobs of a workflow", () -> {
			this.database.jdbc()
				.query("select w.step, j.type, j.version_key, j.result from ojs_workflow_job w join ojs_job j on j.id = w.job_id "
						+ "and j.workflow_id = w.workflow_id where w.workflow_id = ? and w.step = any(?) "
						+ "and j.state = 'completed'", steps(id, numbers), (row) -> {
							results.put(row.getInt("step"),
									new StepResult(this.database.codec().json().read(row.getString("result")),
											row.getString("type"),
											JobRow.version(row.getObject("version_key", Long.class))));
						});
			return results;
		});
	}

	private static PreparedStatementSetter steps(String id, Collection<Integer> numbers) {
		return (statement) -> {
			statement.setObject(1, UUID.fromString(id));
			statement.setArray(2, statement.getConnection().createArrayOf("integer", numbers.toArray()));
		};
	}

	@Override
	public void attach(String id, Map<Integer, String> jobIds) {
		UUID workflowId = UUID.fromString(id);
		List<Dialect.Row> members = new ArrayList<>(jobIds.size());
		jobIds.forEach((step, jobId) -> members.add((column) -> switch (column) {
			case "id" -> UUID.fromString(jobId);
			case "workflow_id" -> workflowId;
			case "workflow_step" -> step;
			default -> throw new IllegalArgumentException("No column " + column + ".");
		}));
		this.database.write("say which workflow jobs belong to", () -> {
			this.database.dialect().update(this.database.jdbc(), JobRows.TABLE, JobColumn.KEY, MEMBERSHIP, members);
			return members;
		});
	}

	@Override
	public void update(StoredWorkflow workflow) {
		Instant pruneAt = (workflow.endedAt() != null) ? Times.after(workflow.endedAt(), kept(workflow)) : null;
		this.database.write("say how far a workflow is", () -> this.database.jdbc()
			.update("update ojs_workflow set state = ?, progress = ?, failures = ?, started_at = ?, "
					+ "ended_at = ?, prune_at = ? where id = ?", workflow.state().wireName(), workflow.progress(),
					this.rows.failures(workflow.failures()), Times.utcOrNull(workflow.startedAt()),
					Times.utcOrNull(workflow.endedAt()), Times.utcOrNull(pruneAt), UUID.fromString(workflow.id())));
	}

	private Duration kept(StoredWorkflow workflow) {
		Retention retention = this.database.options().retention().apply(workflow.queue());
		return switch (workflow.state()) {
			case COMPLETED -> retention.completed();
			case CANCELLED -> retention.cancelled();
			default -> retention.discarded();
		};
	}

	@Override
	public void append(List<WorkflowEvent> events, Instant now) {
		this.database.write("tell what happened to workflows", () -> {
			this.database.events().append(events.stream().map((event) -> {
				Map<String, @Nullable Object> data = new LinkedHashMap<>();
				data.put("workflow_type", event.type().wireName());
				if (event.workflowName() != null) {
					data.put("workflow_name", event.workflowName());
				}
				if (event.tenant() != null) {
					data.put(Tenants.META_KEY, event.tenant());
				}
				data.putAll(event.data());
				return new FeedEvent(event.name(), now, event.workflowId(), event.queue(), event.tenant(), data);
			}).toList());
			return events;
		});
	}

	@Override
	public void whenDue(Runnable listener) {
		this.database.feature(WorkflowEnds.class).whenCommitted(listener);
	}

}
