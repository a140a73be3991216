package io.ojs.workflow.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.client.OjsOperations;
import io.ojs.client.internal.PreparedJobs;
import io.ojs.handler.internal.JobUpcasters;
import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.trace.TraceScope;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.workflow.internal.Progress.Ready;
import io.ojs.workflow.internal.Progress.Result;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues and cancels jobs of workflows, in the transaction that changes the workflow.
 */
public final class WorkflowJobs {

	/** The extension of a job for the id of its workflow. */
	static final String WORKFLOW_ID = "workflow_id";

	/** The extension of a job for the results of earlier jobs. */
	static final String PARENT_RESULTS = "parent_results";

	/** The extension of a job for the number of omitted results. */
	static final String OMITTED = "parent_results_omitted";

	private final WorkflowStore store;

	private final OjsOperations ojs;

	private final PreparedJobs prepared;

	private final TraceScope traces;

	private final BegunWork begun;

	private final int resultBytes;

	private final JsonObjects json = new JsonObjects();

	public WorkflowJobs(WorkflowStore store, OjsOperations ojs, PreparedJobs prepared, TraceScope traces,
			BegunWork begun, int resultBytes) {
		this.store = store;
		this.ojs = ojs;
		this.prepared = prepared;
		this.traces = traces;
		this.begun = begun;
		this.resultBytes = resultBytes;
	}

	/** Returns the trace context of this thread. */
	Map<String, String> trace() {
		return this.traces.current();
	}

	void cancel(String jobId) {
		try {
			this.ojs.cancel(jobId);
		}
		catch (IllegalStateTransitionException ex) {
			// The job has ended by itself.
			return;
		}
	}

	/**
	 * Enqueues jobs of a workflow that has begun. Limits of its tenant do not apply any
	 * more.
	 */
	List<Job> goOn(StoredWorkflow workflow, List<Ready> ready, Map<Integer, Job> templates) {
		return this.begun.goOn(() -> enqueue(workflow, ready, templates));
	}

	/** Enqueues jobs. */
	List<Job> enqueue(StoredWorkflow workflow, List<Ready> ready, Map<Integer, Job> templates) {
		Map<Integer, StepResult> results = results(workflow.id(), ready);
		// All jobs of a group have the same results.
		Map<List<Result>, Map<String, @Nullable Object>> known = new IdentityHashMap<>();
		List<JobRequest> requests = new ArrayList<>(ready.size());
		Map<Integer, String> jobIds = new LinkedHashMap<>();
		for (Ready job : ready) {
			Job template = templates.get(job.number());
			if (template == null) {
				throw new IllegalStateException(
						"Job %d of workflow %s is not in the job store.".formatted(job.number(), workflow.id()));
			}
			JobRequest request = request(template).extension(WORKFLOW_ID, workflow.id());
			for (Map.Entry<String, @Nullable Object> extension : known
				.computeIfAbsent(job.parents(), (parents) -> passedOn(parents, results))
				.entrySet()) {
				request = request.extension(extension.getKey(), extension.getValue());
			}
			requests.add(request);
			jobIds.put(job.number(), template.id());
		}
		List<Job> enqueued = this.traces.within(workflow.headers(), () -> this.prepared.enqueueAgain(requests));
		this.store.attach(workflow.id(), jobIds);
		return enqueued;
	}

	private static JobRequest request(Job job) {
		JobRequest request = new JobRequest(job.type(), job.args(), job.id(), job.queue(), job.meta(), job.priority(),
				job.timeout(), job.scheduledAt(), job.expiresAt(), job.retry(), job.unique(), job.extensions());
		return (job.state() == JobState.PENDING) ? request.pending() : request;
	}

	private Map<Integer, StepResult> results(String id, List<Ready> ready) {
		Set<Integer> numbers = new LinkedHashSet<>();
		ready.forEach((job) -> job.parents().forEach((parent) -> collect(parent, numbers)));
		return numbers.isEmpty() ? Map.of() : this.store.results(id, numbers);
	}

	private static void collect(Result result, Collection<Integer> numbers) {
		if (result instanceof Result.OfJob job) {
			numbers.add(job.number());
		}
		else if (result instanceof Result.OfAll all) {
			all.results().forEach((part) -> collect(part, numbers));
		}
	}

	private Map<String, @Nullable Object> passedOn(List<Result> parents, Map<Integer, StepResult> results) {
		Map<String, @Nullable Object> extensions = new LinkedHashMap<>();
		if (parents.isEmpty()) {
			return extensions;
		}
		Budget budget = new Budget(results, this.resultBytes);
		extensions.put(PARENT_RESULTS, budget.values(parents));
		if (budget.omitted > 0) {
			extensions.put(OMITTED, budget.omitted);
		}
		if (results.values().stream().anyMatch((result) -> result.version() != null)) {
			extensions.put(JobUpcasters.PARENT_VERSIONS, versions(parents, results));
		}
		return extensions;
	}

	/** Returns the version of each result, in the structure of the results. */
	private static List<@Nullable Object> versions(List<Result> parts, Map<Integer, StepResult> results) {
		List<@Nullable Object> versions = new ArrayList<>(parts.size());
		for (Result part : parts) {
			if (part instanceof Result.OfAll all) {
				versions.add(versions(all.results(), results));
				continue;
			}
			StepResult result = results.get(((Result.OfJob) part).number());
			versions.add((result != null && result.version() != null)
					? Map.of("type", result.type(), JobVersion.FIELD, result.version().toString()) : null);
		}
		return versions;
	}

	/** Takes results, the last first, until the size is used up. */
	private final class Budget {

		private final Map<Integer, StepResult> results;

		private int left;

		private int omitted;

		Budget(Map<Integer, StepResult> results, int bytes) {
			this.results = results;
			this.left = bytes;
		}

		List<@Nullable Object> values(List<Result> parts) {
			@Nullable Object[] values = new Object[parts.size()];
			for (int i = values.length - 1; i >= 0; i--) {
				values[i] = value(parts.get(i));
			}
			return Arrays.asList(values);
		}

		private @Nullable Object value(Result part) {
			if (part instanceof Result.OfAll all) {
				return values(all.results());
			}
			StepResult result = this.results.get(((Result.OfJob) part).number());
			Object value = (result != null) ? result.value() : null;
			if (value == null) {
				return null;
			}
			int size = size(value);
			if (size > this.left) {
				// Omit all earlier results too: a list with gaps would be of no use.
				this.left = 0;
				this.omitted++;
				return null;
			}
			this.left -= size;
			return value;
		}

		private int size(Object value) {
			return (value instanceof String text) ? text.getBytes(StandardCharsets.UTF_8).length
					: WorkflowJobs.this.json.write(Map.of("", value)).length;
		}

	}

}
