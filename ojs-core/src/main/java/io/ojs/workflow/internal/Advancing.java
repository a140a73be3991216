package io.ojs.workflow.internal;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.ojs.OjsException;
import io.ojs.client.EnqueueException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.DuplicateIdException;
import io.ojs.store.StoreException;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.workflow.StepState;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.internal.Progress.Ready;
import org.jspecify.annotations.Nullable;

/**
 * Advances one workflow in one transaction: takes the ends of its jobs, decides, enqueues
 * the next jobs and writes the progress.
 */
final class Advancing {

	private final WorkflowStore store;

	private final StoreTransactions transactions;

	private final WorkflowJobs jobs;

	private final WorkflowEvents events;

	private final Clock clock;

	Advancing(WorkflowStore store, StoreTransactions transactions, WorkflowJobs jobs, WorkflowEvents events,
			Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.jobs = jobs;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Advances a workflow as far as possible.
	 * @return whether it did; if not, another transaction has locked the workflow
	 * @throws OjsException if a job cannot be enqueued now; then nothing has changed
	 */
	boolean advance(String id) {
		Map<Integer, Refused> refused = new LinkedHashMap<>();
		int limit = Integer.MAX_VALUE;
		while (true) {
			Attempt attempt = new Attempt(id, limit, refused);
			try {
				Outcome outcome = this.transactions.inTransaction(attempt::run);
				if (outcome != Outcome.MORE) {
					return outcome == Outcome.DONE;
				}
				refused.clear();
			}
			catch (OjsException ex) {
				if (!isRefusal(ex) || attempt.tried.isEmpty()) {
					throw ex;
				}
				Optional<Ready> culprit = attempt.culprit(ex);
				if (culprit.isEmpty()) {
					// Try one job at a time, to find the one that is refused.
					limit = 1;
				}
				culprit.ifPresent((job) -> refused.put(job.number(), attempt.refused(job, ex)));
			}
		}
	}

	/** Whether the failure means that the job can never be enqueued. */
	private static boolean isRefusal(OjsException ex) {
		boolean database = ex.getCause() instanceof StoreException && !(ex.getCause() instanceof DuplicateIdException);
		return ex instanceof InvalidJobException || (ex instanceof EnqueueException && !ex.isRetryable() && !database);
	}

	private enum Outcome {

		/** Nothing can be enqueued before another job ends. */
		DONE,

		/** There are more jobs to enqueue. */
		MORE,

		/** Another transaction has locked the workflow, or it does not exist. */
		HELD

	}

	/**
	 * A job that can never be enqueued.
	 */
	private record Refused(String jobId, String type, OjsException reason) {

		StepEnd end(int number, Instant now) {
			String message = Objects.requireNonNullElse(this.reason.getMessage(), this.reason.toString());
			return new StepEnd(number, this.jobId, this.type, StepState.FAILED, null, now,
					new JobError(this.reason.getClass().getName(), this.reason.code(), message, 0, Rfc3339.utc(now),
							List.of(), Map.of()));
		}

	}

	/** One transaction. */
	private final class Attempt {

		private final String id;

		private final int limit;

		private final Map<Integer, Refused> refused;

		/** The jobs that the transaction tried to enqueue. */
		private List<Ready> tried = List.of();

		private Map<Integer, Job> templates = Map.of();

		Attempt(String id, int limit, Map<Integer, Refused> refused) {
			this.id = id;
			this.limit = limit;
			this.refused = refused;
		}

		Optional<Ready> culprit(OjsException refusal) {
			if (this.tried.size() == 1) {
				return Optional.of(this.tried.get(0));
			}
			String jobId = (refusal instanceof EnqueueException enqueue) ? enqueue.job().id() : "";
			return this.tried.stream().filter((job) -> template(job).id().equals(jobId)).findFirst();
		}

		Refused refused(Ready job, OjsException refusal) {
			return new Refused(template(job).id(), template(job).type(), refusal);
		}

		private Job template(Ready job) {
			return Objects.requireNonNull(this.templates.get(job.number()));
		}

		Outcome run() {
			WorkflowStore store = Advancing.this.store;
			Optional<StoredWorkflow> locked = store.lock(this.id, false);
			if (locked.isEmpty()) {
				return Outcome.HELD;
			}
			List<StepEnd> ends = store.takeEnds(this.id);
			if (locked.get().state().isTerminal()) {
				// For example the end of a replayed dead letter.
				return Outcome.DONE;
			}
			return advance(locked.get(), ends);
		}

		private Outcome advance(StoredWorkflow workflow, List<StepEnd> ends) {
			Instant now = Advancing.this.clock.instant();
			Progress before = workflow.howFar();
			Map<Integer, StepEnd> ended = new LinkedHashMap<>();
			ends.stream()
				.filter((end) -> end.number() != StepEnd.GO_ON && before.leaf(end.number()) == StepState.PENDING)
				.forEach((end) -> ended.putIfAbsent(end.number(), end));
			Progress progress = before.advance(states(ended));
			for (Map.Entry<Integer, Refused> refusal : this.refused.entrySet()) {
				if (progress.leaf(refusal.getKey()) == StepState.WAITING) {
					ended.put(refusal.getKey(), refusal.getValue().end(refusal.getKey(), now));
					progress = progress.refused(refusal.getKey());
				}
			}
			Changes changes = new Changes(workflow, before, progress, ended);
			List<Ready> ready = progress.ready();
			progress = enqueue(workflow, progress, ready.subList(0, Math.min(ready.size(), this.limit)), changes);
			write(workflow, progress, changes, ended, now);
			if (this.tried.size() == ready.size()) {
				return Outcome.DONE;
			}
			// After a crash, another process has to know that there are more jobs to
			// enqueue.
			Advancing.this.store.goOn(this.id, now);
			return Outcome.MORE;
		}

		private static Map<Integer, StepState> states(Map<Integer, StepEnd> ended) {
			Map<Integer, StepState> states = new HashMap<>();
			ended.forEach((number, end) -> states.put(number, end.state()));
			return states;
		}

		private Progress enqueue(StoredWorkflow workflow, Progress progress, List<Ready> ready, Changes changes) {
			this.tried = ready;
			if (ready.isEmpty()) {
				return progress;
			}
			List<Integer> numbers = ready.stream().map(Ready::number).toList();
			this.templates = Advancing.this.store.templates(this.id, numbers);
			changes.enqueued(ready, Advancing.this.jobs.goOn(workflow, ready, this.templates));
			return progress.enqueued(numbers);
		}

		private void write(StoredWorkflow workflow, Progress progress, Changes changes, Map<Integer, StepEnd> ended,
				Instant now) {
			WorkflowState state = progress.state();
			@Nullable Instant startedAt = Stream
				.concat(Stream.ofNullable(workflow.startedAt()),
						ended.values().stream().map(StepEnd::startedAt).flatMap(Stream::ofNullable))
				.min(Instant::compareTo)
				.orElse(null);
			Advancing.this.store
				.update(workflow.with(state, progress, changes.failures(), startedAt, state.isTerminal() ? now : null));
			Advancing.this.store.append(changes.events(), now);
			Advancing.this.transactions.afterCommit(() -> changes.events().forEach(Advancing.this.events::publish));
		}

	}

}
