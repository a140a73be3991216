package io.ojs.workflow.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.ojs.workflow.Callback;
import io.ojs.workflow.StepState;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.WorkflowType;
import io.ojs.workflow.internal.Shape.Branch;
import io.ojs.workflow.internal.Shape.Leaf;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a workflow: the rules of OJS Workflows §4.3, §5.3, §6.4, §8.3 and
 * §10.4. Immutable. Uses no database and no clock, so that tests can try every order of
 * events.
 */
final class Progress {

	private final Branch root;

	/** The state of each job by its number. */
	private final StepState[] leaves;

	private Progress(Branch root, StepState[] leaves) {
		this.root = root;
		this.leaves = leaves;
	}

	/** Creates the progress of a workflow of which no job is enqueued. */
	static Progress begin(Branch root) {
		return of(root, String.valueOf(code(StepState.WAITING)).repeat(root.leaves()));
	}

	/** Parses the text of {@link #toString}. */
	static Progress of(Branch root, String text) {
		return new Progress(root, text.chars().mapToObj((c) -> read((char) c)).toArray(StepState[]::new));
	}

	/** Returns one character for each job. */
	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(this.leaves.length);
		for (StepState state : this.leaves) {
			text.append(code(state));
		}
		return text.toString();
	}

	Branch root() {
		return this.root;
	}

	StepState leaf(int number) {
		return this.leaves[number];
	}

	/** Returns the jobs that are enqueued and have not ended. */
	List<Integer> pending() {
		List<Integer> numbers = new ArrayList<>();
		for (int i = 0; i < this.leaves.length; i++) {
			if (this.leaves[i] == StepState.PENDING) {
				numbers.add(i);
			}
		}
		return numbers;
	}

	/**
	 * Applies the ends of jobs. Ignores repeated ends, and those of jobs that are not
	 * enqueued.
	 * @param ended the jobs that have ended, and their states
	 */
	Progress advance(Map<Integer, StepState> ended) {
		StepState[] changed = this.leaves.clone();
		ended.forEach((number, state) -> {
			if (number >= 0 && number < changed.length && changed[number] == StepState.PENDING && state.isTerminal()) {
				changed[number] = state;
			}
		});
		return new Progress(this.root, changed).withoutUnreachable();
	}

	Progress enqueued(Collection<Integer> numbers) {
		return set(numbers, StepState.WAITING, StepState.PENDING);
	}

	/** Marks a job that can never be enqueued as failed. */
	Progress refused(int number) {
		return set(List.of(number), StepState.WAITING, StepState.FAILED).withoutUnreachable();
	}

	/** Cancels all jobs that have not ended. */
	Progress cancelled() {
		StepState[] changed = this.leaves.clone();
		for (int i = 0; i < changed.length; i++) {
			changed[i] = changed[i].isTerminal() ? changed[i] : StepState.CANCELLED;
		}
		return new Progress(this.root, changed);
	}

	private Progress set(Collection<Integer> numbers, StepState from, StepState to) {
		StepState[] changed = this.leaves.clone();
		for (int number : numbers) {
			if (changed[number] != from) {
				throw new IllegalStateException(
						"Job %d of the workflow is %s, not %s.".formatted(number, changed[number], from));
			}
			changed[number] = to;
		}
		return new Progress(this.root, changed);
	}

	/** Returns the state of the workflow, which follows from its jobs. */
	WorkflowState state() {
		return switch (state(this.root)) {
			case WAITING -> WorkflowState.PENDING;
			case PENDING, ACTIVE -> WorkflowState.RUNNING;
			case COMPLETED -> WorkflowState.COMPLETED;
			case FAILED, CANCELLED -> WorkflowState.FAILED;
		};
	}

	/** Returns the state of a part of the workflow. */
	StepState state(Shape shape) {
		if (shape instanceof Leaf leaf) {
			return this.leaves[leaf.number()];
		}
		Branch branch = (Branch) shape;
		if (all(branch, StepState.WAITING)) {
			return StepState.WAITING;
		}
		if (all(branch, StepState.CANCELLED)) {
			return StepState.CANCELLED;
		}
		return switch (branch.type()) {
			case CHAIN -> chain(branch);
			case GROUP -> group(branch);
			case BATCH -> batch(branch);
		};
	}

	private boolean all(Branch branch, StepState state) {
		boolean[] all = { true };
		branch.eachLeaf((leaf, callback) -> all[0] &= this.leaves[leaf.number()] == state);
		return all[0];
	}

	private StepState chain(Branch branch) {
		for (Shape child : branch.children()) {
			StepState state = state(child);
			if (isFailure(state)) {
				return StepState.FAILED;
			}
			if (state != StepState.COMPLETED) {
				return StepState.PENDING;
			}
		}
		return StepState.COMPLETED;
	}

	private StepState group(Branch branch) {
		boolean failed = false;
		for (Shape child : branch.children()) {
			StepState state = state(child);
			if (!state.isTerminal()) {
				return StepState.PENDING;
			}
			failed |= isFailure(state);
		}
		return failed ? StepState.FAILED : StepState.COMPLETED;
	}

	private StepState batch(Branch branch) {
		StepState jobs = group(branch);
		if (!jobs.isTerminal()) {
			return StepState.PENDING;
		}
		List<StepState> called = called(branch, jobs).map(this::state).toList();
		if (called.isEmpty()) {
			// No callback runs after this outcome, so it is the outcome of the batch.
			return jobs;
		}
		if (!called.stream().allMatch(StepState::isTerminal)) {
			return StepState.PENDING;
		}
		return called.stream().anyMatch(Progress::isFailure) ? StepState.FAILED : StepState.COMPLETED;
	}

	/** Returns the callbacks that run after this outcome of the jobs. */
	private static Stream<Leaf> called(Branch batch, StepState jobs) {
		return batch.callbacks()
			.entrySet()
			.stream()
			.filter((callback) -> isFor(callback.getKey(), jobs == StepState.COMPLETED))
			.map(Map.Entry::getValue);
	}

	private static boolean isFailure(StepState state) {
		return state == StepState.FAILED || state == StepState.CANCELLED;
	}

	/** Cancels the jobs that will never run. */
	private Progress withoutUnreachable() {
		Progress pruned = new Progress(this.root, this.leaves.clone());
		pruned.cut(pruned.root);
		return pruned;
	}

	private void cut(Branch branch) {
		branch.children().forEach((child) -> {
			if (child instanceof Branch nested) {
				cut(nested);
			}
		});
		if (branch.type() == WorkflowType.CHAIN) {
			boolean failed = false;
			for (Shape child : branch.children()) {
				if (failed) {
					cancelWaiting(child);
				}
				failed |= isFailure(state(child));
			}
		}
		if (branch.type() == WorkflowType.BATCH && group(branch).isTerminal()) {
			List<Leaf> called = called(branch, group(branch)).toList();
			branch.callbacks().values().stream().filter((leaf) -> !called.contains(leaf)).forEach(this::cancelWaiting);
		}
	}

	private void cancelWaiting(Shape shape) {
		if (shape instanceof Branch branch) {
			branch.eachLeaf((leaf, callback) -> cancelWaiting(leaf));
		}
		else if (shape instanceof Leaf leaf && this.leaves[leaf.number()] == StepState.WAITING) {
			this.leaves[leaf.number()] = StepState.CANCELLED;
		}
	}

	/** Returns the jobs that can be enqueued and are not. */
	List<Ready> ready() {
		List<Ready> ready = new ArrayList<>();
		collect(this.root, List.of(), ready);
		return ready;
	}

	private void collect(Shape shape, List<Result> parents, List<Ready> ready) {
		if (shape instanceof Leaf leaf) {
			if (this.leaves[leaf.number()] == StepState.WAITING) {
				ready.add(new Ready(leaf.number(), parents, null));
			}
			return;
		}
		Branch branch = (Branch) shape;
		if (branch.type() == WorkflowType.CHAIN) {
			collectNext(branch, parents, ready);
			return;
		}
		branch.children().forEach((child) -> collect(child, parents, ready));
		StepState jobs = group(branch);
		if (branch.type() == WorkflowType.BATCH && jobs.isTerminal()) {
			List<Result> results = branch.children().stream().map(Result::of).toList();
			branch.callbacks().forEach((callback, leaf) -> {
				if (isFor(callback, jobs == StepState.COMPLETED) && state(leaf) == StepState.WAITING) {
					ready.add(new Ready(leaf.number(), results, callback));
				}
			});
		}
	}

	private void collectNext(Branch chain, List<Result> parents, List<Ready> ready) {
		List<Result> results = new ArrayList<>();
		for (Shape child : chain.children()) {
			StepState state = state(child);
			if (state != StepState.COMPLETED) {
				if (!isFailure(state)) {
					collect(child, results.isEmpty() ? parents : List.copyOf(results), ready);
				}
				return;
			}
			results.add(Result.of(child));
		}
	}

	/**
	 * A job that can be enqueued.
	 *
	 * @param callback the kind of callback, if it is one
	 */
	record Ready(int number, List<Result> parents, @Nullable Callback callback) {
	}

	/**
	 * The source of a result.
	 */
	sealed interface Result {

		/** The result of a job. */
		record OfJob(int number) implements Result {
		}

		/** The list of several results. */
		record OfAll(List<Result> results) implements Result {
		}

		static Result of(Shape shape) {
			if (shape instanceof Leaf leaf) {
				return new OfJob(leaf.number());
			}
			Branch branch = (Branch) shape;
			if (branch.type() == WorkflowType.CHAIN) {
				return of(branch.children().get(branch.children().size() - 1));
			}
			return new OfAll(branch.children().stream().map(Result::of).toList());
		}

	}

	private static boolean isFor(Callback callback, boolean success) {
		return callback == Callback.ON_COMPLETE || (callback == Callback.ON_SUCCESS) == success;
	}

	private static char code(StepState state) {
		return switch (state) {
			case WAITING -> 'w';
			case PENDING -> 'p';
			case ACTIVE -> 'a';
			case COMPLETED -> 'c';
			case FAILED -> 'f';
			case CANCELLED -> 'x';
		};
	}

	static StepState read(char code) {
		for (StepState state : StepState.values()) {
			if (code(state) == code) {
				return state;
			}
		}
		throw new IllegalArgumentException("No state of a step is written as '%s'.".formatted(code));
	}

}
