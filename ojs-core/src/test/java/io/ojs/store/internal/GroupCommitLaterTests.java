package io.ojs.store.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Those who leave their questions to others. Whoever should not have to wait asks on the
 * thread of the test, which nobody would wake up.
 */
@Timeout(30)
class GroupCommitLaterTests {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<Call> calls = new CopyOnWriteArrayList<>();

	/** Calls for one of these stay in the database until the test lets them go on. */
	private final Map<String, Gate> gates = new ConcurrentHashMap<>();

	/** Calls for one of these throw. */
	private final Map<String, Throwable> bad = new ConcurrentHashMap<>();

	private final List<Told> told = new CopyOnWriteArrayList<>();

	private final GroupCommit<String, String> commit = new GroupCommit<>(this::call, Function.identity());

	@AfterEach
	void end() {
		this.gates.values().forEach(Gate::open);
		this.threads.shutdownNow();
	}

	@Test
	void whoIsAloneGoesAndIsToldByItself() {
		later("a");
		later("b");
		assertThat(this.told).containsExactly(new Told("A", null, Thread.currentThread()),
				new Told("B", null, Thread.currentThread()));
		assertThat(this.calls).containsExactly(called("a"), called("b"));
	}

	@Test
	void whoComesMeanwhileGoesOnAndIsToldOnceByTheOneWhoIsThere() throws Exception {
		Gate gate = hold("first");
		Future<Thread> first = submit("first");
		gate.awaitEntry();
		later("a");
		later("b");
		assertThat(this.told).isEmpty();
		gate.open();
		Thread leader = first.get();
		assertThat(this.told).containsExactly(new Told("A", null, leader), new Told("B", null, leader));
		assertThat(this.calls).containsExactly(new Call(List.of("first"), leader), new Call(List.of("a", "b"), leader));
	}

	@Test
	void whoWaitsGoesForThoseWhoDoNot() throws Exception {
		Gate gate = hold("first");
		Gate second = hold("waits");
		Future<Thread> first = submit("first");
		gate.awaitEntry();
		later("a");
		Future<Thread> waits = submit("waits");
		awaitWaiting(2);
		later("b");
		gate.open();
		second.awaitEntry();
		// It has nothing to do with the others.
		Thread leader = first.get();
		assertThat(this.told).isEmpty();
		second.open();
		Thread next = waits.get();
		assertThat(this.calls).containsExactly(new Call(List.of("first"), leader),
				new Call(List.of("waits", "a", "b"), next));
		assertThat(this.told).containsExactly(new Told("A", null, next), new Told("B", null, next));
	}

	@Test
	void whoHasGoneForOthersIsRelievedByTheNextWhoComes() throws Exception {
		Gate first = hold("first");
		Gate again = hold("a");
		Gate relief = hold("b");
		Future<Thread> leads = submitLater("first");
		first.awaitEntry();
		later("a");
		first.open();
		again.awaitEntry();
		Future<Thread> relieves = submitLater("b");
		awaitWaiting(1);
		// One is enough.
		later("c");
		again.open();
		relief.awaitEntry();
		Thread leader = leads.get();
		assertThat(this.told).containsExactly(new Told("FIRST", null, leader), new Told("A", null, leader));
		relief.open();
		Thread next = relieves.get();
		assertThat(this.calls).containsExactly(new Call(List.of("first"), leader), new Call(List.of("a"), leader),
				new Call(List.of("b", "c"), next));
		assertThat(this.told.subList(2, 4)).containsExactly(new Told("B", null, next), new Told("C", null, next));
	}

	@Test
	void whoIsToldMayAskAgain() throws Exception {
		List<String> answers = new CopyOnWriteArrayList<>();
		this.commit.submitLater("alone", (answer, failure) -> answers.add(this.commit.submit("alone again")));
		Gate gate = hold("first");
		Future<Thread> first = submit("first");
		gate.awaitEntry();
		for (String item : List.of("a", "b")) {
			this.commit.submitLater(item, (answer, failure) -> answers.add(this.commit.submit(item + " again")));
		}
		this.commit.submitLater("c",
				(answer, failure) -> this.commit.submitLater("c again", (more, none) -> answers.add(more)));
		gate.open();
		first.get();
		assertThat(answers).containsExactly("ALONE AGAIN", "A AGAIN", "B AGAIN", "C AGAIN");
	}

	@Test
	void refusalIsToldOnlyToTheOneThatIsRefused() throws Exception {
		StoreException refusal = new StoreException("a value that the database refuses", null);
		this.bad.put("bad", refusal);
		Gate gate = hold("first");
		Future<Thread> first = submit("first");
		gate.awaitEntry();
		later("good");
		later("bad");
		later("fine");
		gate.open();
		Thread leader = first.get();
		assertThat(this.told).as("who waits for nobody comes first")
			.containsExactly(new Told("GOOD", null, leader), new Told("FINE", null, leader),
					new Told(null, refusal, leader));
	}

	@Test
	void databaseThatIsAwayIsToldToAllAndAskedOnce() throws Exception {
		StoreUnavailableException away = new StoreUnavailableException("away", null);
		this.bad.put("b", away);
		Gate gate = hold("first");
		Future<Thread> first = submit("first");
		gate.awaitEntry();
		later("a");
		later("b");
		gate.open();
		Thread leader = first.get();
		assertThat(this.told).containsExactly(new Told(null, away, leader), new Told(null, away, leader));
		assertThat(this.calls).hasSize(2);
	}

	@Test
	void errorOfTheOneWhoGoesIsItsOwnAndLeavesNobodyUntold() throws Exception {
		StackOverflowError error = new StackOverflowError("in the driver");
		this.bad.put("first", error);
		this.bad.put("worse", error);
		Gate gate = hold("first");
		Future<Thread> first = submit("first");
		gate.awaitEntry();
		// They go with the next call, and nobody is there who could make it instead.
		later("a");
		later("worse");
		gate.open();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(first::get).withCause(error);
		assertThat(this.told).hasSize(2).allSatisfy((told) -> {
			assertThat(told.answer).isNull();
			assertThat(told.failure).isInstanceOf(IllegalStateException.class).hasCause(error);
		});
		assertThat(this.commit.waiting()).isZero();
		later("worse");
		assertThat(this.told).hasSize(3);
		assertThat(this.commit.submit("next")).isEqualTo("NEXT");
	}

	@Test
	void errorOfTheOneWhoGoesDoesNotFailWhatWasLeftToItMeanwhile() throws Exception {
		this.bad.put("first", new StackOverflowError("in the driver"));
		Gate gate = hold("first");
		Future<Thread> first = submit("first");
		gate.awaitEntry();
		later("a");
		gate.open();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(first::get);
		assertThat(this.told).extracting((told) -> told.answer).containsExactly("A");
	}

	@Test
	void whoComesWhenFarTooManyWaitAlreadyWaitsAndGoesForThem() throws Exception {
		Gate gate = hold("first");
		Future<Thread> first = submitLater("first");
		gate.awaitEntry();
		for (int i = 0; i < GroupCommit.MOST; i++) {
			later("early" + i);
		}
		Future<Thread> late = submitLater("late");
		awaitWaiting(GroupCommit.MOST + 1);
		gate.open();
		Thread leader = first.get();
		Thread next = late.get();
		assertThat(this.calls).extracting(Call::thread).containsExactly(leader, next, next);
		assertThat(this.calls.get(1).items).hasSize(GroupCommit.MOST).startsWith("late", "early0");
		assertThat(this.calls.get(2).items).containsExactly("early" + (GroupCommit.MOST - 1));
		assertThat(this.told).hasSize(GroupCommit.MOST + 2)
			.extracting((told) -> told.answer)
			.doesNotHaveDuplicates()
			.doesNotContainNull();
	}

	@Test
	void whoWaitsToBeRelievedAndIsAnsweredByAnotherIsAskedAndToldOnce() throws Exception {
		// All early ones have the same key, so that both late ones go with one of them.
		GroupCommit<String, String> commit = new GroupCommit<>(this::call,
				(item) -> item.startsWith("early") ? "early" : item);
		Gate gate = hold("first");
		Future<?> first = this.threads.submit(() -> commit.submit("first"));
		gate.awaitEntry();
		List<String> answers = new CopyOnWriteArrayList<>();
		for (int i = 0; i < GroupCommit.MOST; i++) {
			commit.submitLater("early" + i, (answer, failure) -> answers.add(answer));
		}
		List<Future<?>> late = new ArrayList<>();
		for (String item : List.of("late", "later")) {
			late.add(this.threads.submit(() -> commit.submitLater(item, (answer, failure) -> answers.add(answer))));
			while (commit.waiting() < GroupCommit.MOST + late.size()) {
				Thread.onSpinWait();
			}
		}
		gate.open();
		first.get();
		for (Future<?> each : late) {
			each.get();
		}
		assertThat(this.calls.get(1).items).containsExactly("late", "early0", "later");
		assertThat(this.calls.stream().mapToInt((call) -> call.items.size()).sum()).isEqualTo(GroupCommit.MOST + 3);
		assertThat(answers).hasSize(GroupCommit.MOST + 2).doesNotHaveDuplicates().contains("LATE", "LATER");
	}

	@Test
	void whoComesBackWithoutTheOthersGoesWithoutThem() throws Exception {
		Gate gate = hold("first");
		Future<Thread> first = submit("first");
		gate.awaitEntry();
		List.of("a", "b", "c").forEach(this::later);
		gate.open();
		first.get();
		later("alone");
		assertThat(this.commit.submit("alone again")).isEqualTo("ALONE AGAIN");
		assertThat(this.calls.subList(1, 4)).extracting(Call::items)
			.containsExactly(List.of("a", "b", "c"), List.of("alone"), List.of("alone again"));
	}

	@Test
	void interruptsAreKeptForLaterAndHarmNobody() {
		List<Boolean> interrupted = new ArrayList<>();
		GroupCommit<String, String> commit = new GroupCommit<>((items) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			return items;
		}, Function.identity());
		Thread.currentThread().interrupt();
		commit.submitLater("a", (answer, failure) -> interrupted.add(Thread.currentThread().isInterrupted()));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(interrupted).containsExactly(false, false);
	}

	private List<String> call(List<String> items) {
		this.calls.add(new Call(items, Thread.currentThread()));
		items.stream().filter(this.gates::containsKey).forEach((item) -> this.gates.get(item).pass());
		items.stream().filter(this.bad::containsKey).findFirst().ifPresent((item) -> {
			if (this.bad.get(item) instanceof Error error) {
				throw error;
			}
			throw (RuntimeException) this.bad.get(item);
		});
		return items.stream().map(String::toUpperCase).toList();
	}

	private static Call called(String item) {
		return new Call(List.of(item), Thread.currentThread());
	}

	private Gate hold(String item) {
		return this.gates.computeIfAbsent(item, (it) -> new Gate());
	}

	private void later(String item) {
		this.commit.submitLater(item,
				(answer, failure) -> this.told.add(new Told(answer, failure, Thread.currentThread())));
	}

	private Future<Thread> submitLater(String item) {
		return this.threads.submit(() -> {
			later(item);
			return Thread.currentThread();
		});
	}

	private Future<Thread> submit(String item) {
		return this.threads.submit(() -> {
			this.commit.submit(item);
			return Thread.currentThread();
		});
	}

	/** Until so many wait for their turn. */
	private void awaitWaiting(int count) {
		while (this.commit.waiting() < count) {
			Thread.onSpinWait();
		}
	}

	/**
	 * What somebody asked for all.
	 *
	 * @param items what was asked
	 * @param thread who asked
	 */
	private record Call(List<String> items, Thread thread) {
	}

	/**
	 * What somebody was told.
	 *
	 * @param answer the answer
	 * @param failure what the call threw
	 * @param thread who told it
	 */
	private record Told(@Nullable String answer, @Nullable RuntimeException failure, Thread thread) {
	}

	/** Where a call stays until the test lets it go on. */
	private static final class Gate {

		private final CountDownLatch inside = new CountDownLatch(1);

		private final CountDownLatch open = new CountDownLatch(1);

		void pass() {
			this.inside.countDown();
			try {
				this.open.await(20, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		void awaitEntry() throws InterruptedException {
			this.inside.await();
		}

		void open() {
			this.open.countDown();
		}

	}

}
