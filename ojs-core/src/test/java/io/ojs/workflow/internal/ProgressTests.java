package io.ojs.workflow.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.ojs.workflow.Callback;
import io.ojs.workflow.StepState;
import io.ojs.workflow.WorkflowState;
import io.ojs.workflow.WorkflowType;
import io.ojs.workflow.internal.Shape.Branch;
import io.ojs.workflow.internal.Shape.Leaf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a workflow does next, whatever has become of its jobs.
 */
class ProgressTests {

	private static final int WORKFLOWS = 3000;

	@Test
	void chainEnqueuesOneStepAtATime() {
		Progress progress = Progress.begin(branch(WorkflowType.CHAIN, 3));
		assertThat(progress.state()).isEqualTo(WorkflowState.PENDING);
		for (int step = 0; step < 3; step++) {
			assertThat(numbers(progress)).containsExactly(step);
			progress = progress.enqueued(List.of(step));
			assertThat(numbers(progress)).isEmpty();
			assertThat(progress.state()).isEqualTo(WorkflowState.RUNNING);
			progress = progress.advance(Map.of(step, StepState.COMPLETED));
		}
		assertThat(numbers(progress)).isEmpty();
		assertThat(progress.state()).isEqualTo(WorkflowState.COMPLETED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "FAILED", "CANCELLED" })
	void chainEndsWithTheStepThatFails(String how) {
		Progress progress = ended(started(branch(WorkflowType.CHAIN, 3)), 0, StepState.COMPLETED);
		progress = progress.enqueued(List.of(1)).advance(Map.of(1, StepState.valueOf(how)));
		assertThat(numbers(progress)).isEmpty();
		assertThat(progress.state()).isEqualTo(WorkflowState.FAILED);
		assertThat(progress.leaf(2)).isEqualTo(StepState.CANCELLED);
	}

	@Test
	void chainPassesAllResultsOn() {
		Progress progress = ended(started(branch(WorkflowType.CHAIN, 3)), 0, StepState.COMPLETED);
		assertThat(progress.ready().get(0).parents()).containsExactly(new Progress.Result.OfJob(0));
		progress = progress.enqueued(List.of(1)).advance(Map.of(1, StepState.COMPLETED));
		assertThat(progress.ready().get(0).parents()).containsExactly(new Progress.Result.OfJob(0),
				new Progress.Result.OfJob(1));
	}

	@Test
	void groupWaitsForAllAndThenFails() {
		Progress progress = started(branch(WorkflowType.GROUP, 3));
		assertThat(progress.pending()).containsExactly(0, 1, 2);
		progress = ended(progress, 1, StepState.FAILED);
		assertThat(progress.state()).isEqualTo(WorkflowState.RUNNING);
		progress = ended(ended(progress, 0, StepState.COMPLETED), 2, StepState.COMPLETED);
		assertThat(progress.state()).isEqualTo(WorkflowState.FAILED);
		assertThat(progress.toString()).isEqualTo("cfc");
	}

	@Test
	void batchCallsBackForSuccess() {
		Progress progress = started(batch(Callback.values()));
		progress = ended(ended(progress, 0, StepState.COMPLETED), 1, StepState.COMPLETED);
		assertThat(progress.ready()).extracting(Progress.Ready::callback)
			.containsExactly(Callback.ON_COMPLETE, Callback.ON_SUCCESS);
		assertThat(progress.ready().get(0).parents()).containsExactly(new Progress.Result.OfJob(0),
				new Progress.Result.OfJob(1));
		assertThat(progress.leaf(4)).isEqualTo(StepState.CANCELLED);
		progress = progress.enqueued(numbers(progress));
		assertThat(progress.state()).isEqualTo(WorkflowState.RUNNING);
		assertThat(ended(ended(progress, 2, StepState.COMPLETED), 3, StepState.COMPLETED).state())
			.isEqualTo(WorkflowState.COMPLETED);
		assertThat(ended(ended(progress, 2, StepState.FAILED), 3, StepState.COMPLETED).state())
			.isEqualTo(WorkflowState.FAILED);
	}

	@Test
	void batchCallsBackForFailureAndHasThenCompleted() {
		Progress progress = started(batch(Callback.values()));
		progress = ended(ended(progress, 0, StepState.FAILED), 1, StepState.COMPLETED);
		assertThat(progress.ready()).extracting(Progress.Ready::callback)
			.containsExactly(Callback.ON_COMPLETE, Callback.ON_FAILURE);
		progress = progress.enqueued(numbers(progress));
		progress = ended(ended(progress, 2, StepState.COMPLETED), 4, StepState.COMPLETED);
		assertThat(progress.state()).isEqualTo(WorkflowState.COMPLETED);
	}

	@Test
	void batchThatNobodyIsCalledForIsAsItsJobsAre() {
		Progress failed = ended(ended(started(batch(Callback.ON_SUCCESS)), 0, StepState.FAILED), 1,
				StepState.COMPLETED);
		assertThat(failed.ready()).isEmpty();
		assertThat(failed.state()).isEqualTo(WorkflowState.FAILED);
		Progress completed = ended(ended(started(batch(Callback.ON_FAILURE)), 0, StepState.COMPLETED), 1,
				StepState.COMPLETED);
		assertThat(completed.ready()).isEmpty();
		assertThat(completed.state()).isEqualTo(WorkflowState.COMPLETED);
	}

	@Test
	void groupInAChainIsAStep() {
		Branch group = new Branch(WorkflowType.GROUP, null, List.of(new Leaf(1), new Leaf(2)), Map.of());
		Branch chain = new Branch(WorkflowType.CHAIN, null, List.of(new Leaf(0), group, new Leaf(3)), Map.of());
		Progress progress = ended(started(chain), 0, StepState.COMPLETED);
		assertThat(numbers(progress)).containsExactly(1, 2);
		assertThat(progress.ready())
			.allSatisfy((ready) -> assertThat(ready.parents()).containsExactly(new Progress.Result.OfJob(0)));
		progress = progress.enqueued(List.of(1, 2));
		progress = ended(progress, 2, StepState.COMPLETED);
		assertThat(numbers(progress)).isEmpty();
		progress = ended(progress, 1, StepState.COMPLETED);
		assertThat(progress.ready().get(0).parents()).containsExactly(new Progress.Result.OfJob(0),
				new Progress.Result.OfAll(List.of(new Progress.Result.OfJob(1), new Progress.Result.OfJob(2))));
	}

	@Test
	void firstStepOfAChainInAGroupHasTheResultsOfTheGroup() {
		Branch inner = new Branch(WorkflowType.CHAIN, null, List.of(new Leaf(1), new Leaf(2)), Map.of());
		Branch group = new Branch(WorkflowType.GROUP, null, List.of(inner), Map.of());
		Branch chain = new Branch(WorkflowType.CHAIN, null, List.of(new Leaf(0), group, new Leaf(3)), Map.of());
		Progress progress = ended(started(chain), 0, StepState.COMPLETED);
		assertThat(progress.ready().get(0).parents()).containsExactly(new Progress.Result.OfJob(0));
		progress = progress.enqueued(List.of(1)).advance(Map.of(1, StepState.COMPLETED));
		assertThat(progress.ready().get(0).parents()).containsExactly(new Progress.Result.OfJob(1));
		progress = progress.enqueued(List.of(2)).advance(Map.of(2, StepState.COMPLETED));
		assertThat(progress.ready().get(0).parents()).containsExactly(new Progress.Result.OfJob(0),
				new Progress.Result.OfAll(List.of(new Progress.Result.OfJob(2))));
	}

	@Test
	void jobThatCannotBeEnqueuedHasFailed() {
		Progress progress = Progress.begin(branch(WorkflowType.CHAIN, 2)).refused(0);
		assertThat(progress.state()).isEqualTo(WorkflowState.FAILED);
		assertThat(progress.toString()).isEqualTo("fx");
	}

	@Test
	void nothingGoesOnOnceItIsCancelled() {
		Progress progress = ended(started(branch(WorkflowType.CHAIN, 3)), 0, StepState.COMPLETED).cancelled();
		assertThat(progress.toString()).isEqualTo("cxx");
		assertThat(progress.ready()).isEmpty();
	}

	@Test
	void noJobIsEnqueuedTwice() {
		Progress progress = started(branch(WorkflowType.GROUP, 2));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> progress.enqueued(List.of(0)));
	}

	@Test
	void isReadAsItWasWritten() {
		Random random = new Random(1);
		for (int i = 0; i < 200; i++) {
			Branch shape = random(random, 3, new AtomicInteger());
			assertThat(Branch.fromJson(shape.toJson())).isEqualTo(shape);
			Progress progress = started(shape);
			assertThat(Progress.of(shape, progress.toString())).hasToString(progress.toString());
		}
	}

	/** Any workflow, any order of ends, some of them told again and again. */
	@Test
	void whateverHappensEachJobIsEnqueuedOnceAndInItsTurn() {
		for (int seed = 0; seed < WORKFLOWS; seed++) {
			Random random = new Random(seed);
			Branch shape = random(random, 1 + random.nextInt(4), new AtomicInteger());
			try {
				new Run(shape, random).toTheEnd();
			}
			catch (AssertionError ex) {
				throw new AssertionError("seed " + seed + ": " + shape.toJson(), ex);
			}
		}
	}

	private static final class Run {

		private final Branch shape;

		private final Random random;

		private final Map<Integer, StepState> ends = new HashMap<>();

		private final Set<Integer> enqueued = new HashSet<>();

		private final Set<Integer> running = new HashSet<>();

		private Progress progress;

		Run(Branch shape, Random random) {
			this.shape = shape;
			this.random = random;
			this.progress = Progress.begin(shape);
		}

		void toTheEnd() {
			enqueue();
			double luck = this.random.nextDouble();
			while (!this.running.isEmpty()) {
				assertThat(this.progress.state()).isEqualTo(WorkflowState.RUNNING);
				Map<Integer, StepState> told = new HashMap<>();
				List<Integer> candidates = new ArrayList<>(this.running);
				int count = 1 + this.random.nextInt(candidates.size());
				for (int i = 0; i < count; i++) {
					int number = candidates.remove(this.random.nextInt(candidates.size()));
					this.running.remove(number);
					StepState end = (this.random.nextDouble() < luck) ? StepState.COMPLETED
							: this.random.nextBoolean() ? StepState.FAILED : StepState.CANCELLED;
					told.put(number, end);
					this.ends.put(number, end);
				}
				// A duplicate that says something else, as of a replayed dead letter.
				this.ends.keySet().forEach((number) -> {
					if (this.random.nextInt(3) == 0) {
						told.putIfAbsent(number, StepState.COMPLETED);
					}
				});
				this.progress = this.progress.advance(told);
				if (this.random.nextBoolean()) {
					// The end of a job that nobody has enqueued yet.
					int any = this.random.nextInt(this.shape.leaves());
					if (!this.enqueued.contains(any)) {
						assertThat(this.progress.advance(Map.of(any, StepState.COMPLETED)))
							.hasToString(this.progress.toString());
					}
				}
				enqueue();
			}
			checkEnd();
		}

		private void enqueue() {
			List<Progress.Ready> ready = this.progress.ready();
			// Not always all of it at once.
			while (!ready.isEmpty()) {
				int count = 1 + this.random.nextInt(ready.size());
				for (Progress.Ready job : ready.subList(0, count)) {
					assertThat(this.enqueued.add(job.number())).as("job %d is enqueued once", job.number()).isTrue();
					this.running.add(job.number());
				}
				this.progress = this.progress
					.enqueued(ready.subList(0, count).stream().map(Progress.Ready::number).toList());
				ready = this.progress.ready();
			}
			checkOrder(this.shape);
		}

		/** What may have been enqueued by now. */
		private void checkOrder(Branch branch) {
			if (branch.type() == WorkflowType.CHAIN) {
				boolean open = true;
				for (Shape child : branch.children()) {
					if (!open) {
						assertThat(touched(child)).as("nothing behind a step that has not completed").isFalse();
					}
					open &= expected(child) == StepState.COMPLETED;
				}
			}
			if (!branch.callbacks().isEmpty()) {
				boolean over = branch.children().stream().allMatch((child) -> expected(child).isTerminal());
				boolean success = branch.children()
					.stream()
					.allMatch((child) -> expected(child) == StepState.COMPLETED);
				branch.callbacks()
					.forEach((callback, leaf) -> assertThat(this.enqueued.contains(leaf.number())).as("%s", callback)
						.isEqualTo(over
								&& (callback == Callback.ON_COMPLETE || success == (callback == Callback.ON_SUCCESS))));
			}
			branch.children().forEach((child) -> {
				if (child instanceof Branch nested) {
					checkOrder(nested);
				}
				if (branch.type() != WorkflowType.CHAIN && touched(branch)) {
					assertThat(touched(child)).as("all jobs of a group at once").isTrue();
				}
			});
		}

		private boolean touched(Shape shape) {
			if (shape instanceof Leaf leaf) {
				return this.enqueued.contains(leaf.number());
			}
			boolean[] touched = new boolean[1];
			((Branch) shape).eachLeaf((leaf, callback) -> touched[0] |= this.enqueued.contains(leaf.number()));
			return touched[0];
		}

		/** The rules once more, in another way: from the ends alone. */
		private StepState expected(Shape shape) {
			if (shape instanceof Leaf leaf) {
				StepState end = this.ends.getOrDefault(leaf.number(), StepState.PENDING);
				return (end == StepState.CANCELLED) ? StepState.FAILED : end;
			}
			Branch branch = (Branch) shape;
			List<StepState> children = branch.children().stream().map(this::expected).toList();
			if (branch.type() == WorkflowType.CHAIN) {
				int first = 0;
				while (first < children.size() && children.get(first) == StepState.COMPLETED) {
					first++;
				}
				return (first == children.size()) ? StepState.COMPLETED : children.get(first);
			}
			if (children.contains(StepState.PENDING)) {
				return StepState.PENDING;
			}
			StepState jobs = children.contains(StepState.FAILED) ? StepState.FAILED : StepState.COMPLETED;
			List<StepState> called = branch.callbacks()
				.entrySet()
				.stream()
				.filter((callback) -> callback.getKey() == Callback.ON_COMPLETE
						|| (callback.getKey() == Callback.ON_SUCCESS) == (jobs == StepState.COMPLETED))
				.map((callback) -> expected(callback.getValue()))
				.toList();
			if (called.isEmpty()) {
				return jobs;
			}
			if (called.contains(StepState.PENDING)) {
				return StepState.PENDING;
			}
			return called.contains(StepState.FAILED) ? StepState.FAILED : StepState.COMPLETED;
		}

		private void checkEnd() {
			assertThat(this.progress.state().isTerminal()).isTrue();
			assertThat(this.progress.state() == WorkflowState.COMPLETED)
				.isEqualTo(expected(this.shape) == StepState.COMPLETED);
			for (int i = 0; i < this.shape.leaves(); i++) {
				assertThat(this.progress.leaf(i)).isEqualTo(this.ends.getOrDefault(i, StepState.CANCELLED));
			}
			assertThat(this.enqueued).isEqualTo(this.ends.keySet());
		}

	}

	private static Branch random(Random random, int depth, AtomicInteger numbers) {
		WorkflowType type = WorkflowType.values()[random.nextInt(3)];
		List<Shape> children = new ArrayList<>();
		int count = 1 + random.nextInt(4);
		for (int i = 0; i < count; i++) {
			children.add((depth > 1 && random.nextInt(3) == 0) ? random(random, depth - 1, numbers)
					: new Leaf(numbers.getAndIncrement()));
		}
		Map<Callback, Leaf> callbacks = new HashMap<>();
		if (type == WorkflowType.BATCH) {
			for (Callback callback : Callback.values()) {
				if (random.nextBoolean()) {
					callbacks.put(callback, new Leaf(numbers.getAndIncrement()));
				}
			}
		}
		return new Branch(type, random.nextBoolean() ? "name" : null, children, callbacks);
	}

	private static Branch branch(WorkflowType type, int jobs) {
		List<Shape> children = new ArrayList<>();
		for (int i = 0; i < jobs; i++) {
			children.add(new Leaf(i));
		}
		return new Branch(type, null, children, Map.of());
	}

	private static Branch batch(Callback... callbacks) {
		Map<Callback, Leaf> leaves = new HashMap<>();
		for (Callback callback : callbacks) {
			leaves.put(callback, new Leaf(2 + leaves.size()));
		}
		return new Branch(WorkflowType.BATCH, null, List.of(new Leaf(0), new Leaf(1)), leaves);
	}

	private static Progress started(Branch shape) {
		Progress progress = Progress.begin(shape);
		return progress.enqueued(numbers(progress));
	}

	private static Progress ended(Progress progress, int number, StepState state) {
		return progress.advance(Map.of(number, state));
	}

	private static List<Integer> numbers(Progress progress) {
		return progress.ready().stream().map(Progress.Ready::number).toList();
	}

}
