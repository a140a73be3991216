package io.ojs.web.internal.workflow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.client.internal.JobFactory;
import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.job.JobRequest;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.HttpCall;
import io.ojs.web.internal.HttpQuery;
import io.ojs.web.internal.HttpResult;
import io.ojs.web.internal.Routes;
import io.ojs.workflow.Workflow;
import io.ojs.workflow.WorkflowQuery;
import io.ojs.workflow.WorkflowRun;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.WorkflowType;
import io.ojs.workflow.Workflows;
import io.ojs.workflow.internal.StoredWorkflow;
import io.ojs.workflow.internal.WorkflowJson;
import io.ojs.workflow.internal.WorkflowStore;
import org.jspecify.annotations.Nullable;

/**
 * Workflows (OJS Workflows §11).
 */
public final class WorkflowEndpoints implements Endpoints {

	private static final String PATH = "/v1/workflows";

	private static final String WORKFLOW = "workflow";

	private static final String SUMMARY = "summary";

	private final Workflows workflows;

	private final WorkflowStore store;

	private final JobFactory factory;

	private final EnqueueRules rules;

	public WorkflowEndpoints(Workflows workflows, WorkflowStore store, JobFactory factory, EnqueueRules rules) {
		this.workflows = workflows;
		this.store = store;
		this.factory = factory;
		this.rules = rules;
	}

	@Override
	public void addTo(Routes routes) {
		routes.forTenants()
			.post(PATH, Access.WRITE, this::start)
			.get(PATH, Access.READ, this::list)
			.get(PATH + "/{id}", Access.READ, this::get)
			.delete(PATH + "/{id}", Access.WRITE, this::cancel);
	}

	private HttpResult start(HttpCall call) {
		List<JobRequest> requests = new ArrayList<>();
		Workflow workflow = WorkflowJson.read(call.body(), call.now(), (request) -> {
			requests.add(request);
			return this.factory.arrived(request);
		});
		this.rules.check(requests, call.may(Access.ADMIN));
		WorkflowRun run = this.workflows.start(workflow);
		this.rules.started(requests);
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put(WORKFLOW, WorkflowJsonView.of(run));
		return HttpResult.created(body).header("Location", Routes.BASE + PATH + "/" + run.id());
	}

	private HttpResult get(HttpCall call) {
		return HttpResult.ok(WORKFLOW, WorkflowJsonView.of(find(call, call.path("id"))));
	}

	private WorkflowRun find(HttpCall call, String id) {
		return this.workflows.find(id)
			.filter((run) -> call.tenant() == null || call.tenant().equals(run.tenant()))
			.orElseThrow(() -> HttpFailure.notFound(WORKFLOW, id));
	}

	private HttpResult cancel(HttpCall call) {
		String id = find(call, call.path("id")).id();
		return HttpResult.ok(WORKFLOW,
				WorkflowJsonView.of(this.workflows.cancel(id).orElseThrow(() -> HttpFailure.notFound(WORKFLOW, id))));
	}

	private HttpResult list(HttpCall call) {
		HttpQuery query = call.query();
		String state = query.string("state");
		String type = query.string("type");
		String view = query.string("view");
		if (view != null && !view.equals(SUMMARY)) {
			throw HttpFailure.invalid("view", view, "must be summary, or be left out");
		}
		int limit = query.limit();
		// One more than the page has tells whether there are more.
		WorkflowQuery wanted = new WorkflowQuery(
				(state != null) ? WorkflowState.fromWire(state)
					.orElseThrow(() -> HttpFailure.invalid("state", state,
							"must be pending, running, completed, failed or cancelled"))
						: null,
				(type != null)
						? WorkflowType.fromWire(type)
							.orElseThrow(() -> HttpFailure.invalid("type", type, "must be chain, group or batch"))
						: null,
				query.string("name"), cursor(query.string("cursor")), limit + 1, call.tenant());
		List<WorkflowRun> found = (view != null)
				? this.store.list(wanted).stream().map(StoredWorkflow::summary).toList() : this.workflows.list(wanted);
		boolean more = found.size() > limit;
		List<WorkflowRun> runs = more ? found.subList(0, limit) : found;
		Map<String, @Nullable Object> pagination = new LinkedHashMap<>();
		pagination.put("limit", limit);
		pagination.put("has_more", more);
		if (more) {
			pagination.put("next_cursor", runs.get(limit - 1).id());
		}
		Map<String, @Nullable Object> body = new LinkedHashMap<>();
		body.put("workflows",
				runs.stream().map((view != null) ? WorkflowJsonView::summary : WorkflowJsonView::of).toList());
		body.put("pagination", pagination);
		return HttpResult.ok(body);
	}

	private static @Nullable String cursor(@Nullable String cursor) {
		try {
			return (cursor != null) ? JobRules.id(cursor) : null;
		}
		catch (InvalidJobException ex) {
			throw HttpFailure.invalid("cursor", cursor, "must be the next_cursor of the page before");
		}
	}

}
