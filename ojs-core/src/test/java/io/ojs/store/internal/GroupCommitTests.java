package io.ojs.store.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(30)
class GroupCommitTests {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<List<String>> calls = new CopyOnWriteArrayList<>();

	/** Somebody is in the database, and stays there until the gate opens. */
	private final CountDownLatch inside = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	private GroupCommit<String, String> commit = new GroupCommit<>(this::shout, Function.identity());

	@AfterEach
	void end() {
		this.gate.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void whoComesAloneGoesAtOnceAndAlone() {
		GroupCommit<String, String> commit = new GroupCommit<>(this::shout, Function.identity());
		assertThat(commit.submit("a")).isEqualTo("A");
		assertThat(commit.submit("b")).isEqualTo("B");
		assertThat(this.calls).containsExactly(List.of("a"), List.of("b"));
	}

	@Test
	void whoeverComesMeanwhileGoesTogetherWithTheNextCall() throws Exception {
		GroupCommit<String, String> commit = new GroupCommit<>(this::slowly, Function.identity());
		Future<String> first = submit(commit, "first");
		this.inside.await();
		List<Future<String>> others = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			others.add(submit(commit, "other" + i));
		}
		awaitWaiting(20);
		this.gate.countDown();
		assertThat(first.get()).isEqualTo("FIRST");
		for (int i = 0; i < 20; i++) {
			assertThat(others.get(i).get()).isEqualTo("OTHER" + i);
		}
		assertThat(this.calls).hasSize(2);
		assertThat(this.calls.get(1)).hasSize(20);
	}

	@Test
	void noTwoOfTheSameKeyGoTogetherAndNoCallIsTooLarge() throws Exception {
		GroupCommit<String, String> commit = new GroupCommit<>(this::slowly, (item) -> item.charAt(0));
		submit(commit, "x");
		this.inside.await();
		List<Future<String>> twins = List.of(submit(commit, "a1"), submit(commit, "a2"), submit(commit, "b"));
		awaitWaiting(3);
		this.gate.countDown();
		for (Future<String> twin : twins) {
			twin.get();
		}
		assertThat(this.calls).hasSize(3)
			.allSatisfy((call) -> assertThat(call).extracting((item) -> item.charAt(0)).doesNotHaveDuplicates());
	}

	@Test
	void oneBadItemDoesNotFailItsNeighbours() throws Exception {
		GroupCommit<String, String> commit = new GroupCommit<>((items) -> {
			if (items.contains("bad")) {
				throw new StoreException("a value that the database refuses", null);
			}
			return slowly(items);
		}, Function.identity());
		submit(commit, "first");
		this.inside.await();
		Future<String> good = submit(commit, "good");
		Future<String> bad = submit(commit, "bad");
		Future<String> fine = submit(commit, "fine");
		awaitWaiting(3);
		this.gate.countDown();
		assertThat(good.get()).isEqualTo("GOOD");
		assertThat(fine.get()).isEqualTo("FINE");
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(bad::get)
			.withCauseExactlyInstanceOf(StoreException.class);
		assertThat(commit.submit("next")).isEqualTo("NEXT");
	}

	@Test
	void databaseThatIsAwayIsAskedOnceForAll() throws Exception {
		AtomicInteger asked = new AtomicInteger();
		GroupCommit<String, String> commit = new GroupCommit<>((items) -> {
			if (items.contains("first")) {
				return slowly(items);
			}
			asked.incrementAndGet();
			throw new StoreUnavailableException("away", null);
		}, Function.identity());
		submit(commit, "first");
		this.inside.await();
		List<Future<String>> others = List.of(submit(commit, "a"), submit(commit, "b"));
		awaitWaiting(2);
		this.gate.countDown();
		for (Future<String> other : others) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(other::get)
				.withCauseInstanceOf(StoreUnavailableException.class);
		}
		assertThat(asked).hasValue(1);
	}

	@Test
	void interruptsAreKeptForLaterAndHarmNobody() throws Exception {
		List<Boolean> interruptedInside = new CopyOnWriteArrayList<>();
		GroupCommit<String, String> commit = new GroupCommit<>((items) -> {
			interruptedInside.add(Thread.currentThread().isInterrupted());
			return slowly(items);
		}, Function.identity());
		submit(commit, "first");
		this.inside.await();
		AtomicReference<Thread> thread = new AtomicReference<>();
		Future<Boolean> interrupted = this.threads.submit(() -> {
			thread.set(Thread.currentThread());
			assertThat(commit.submit("a")).isEqualTo("A");
			return Thread.currentThread().isInterrupted();
		});
		awaitWaiting(1);
		thread.get().interrupt();
		this.gate.countDown();
		assertThat(interrupted.get()).isTrue();
		assertThat(interruptedInside).containsExactly(false, false);
	}

	@Test
	void everybodyIsAnsweredHoweverManyComeAndGo() throws Exception {
		GroupCommit<String, String> commit = new GroupCommit<>(this::shout, Function.identity());
		List<Future<Boolean>> all = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			String name = "t" + i + "-";
			all.add(this.threads.submit(() -> {
				for (int n = 0; n < 2000; n++) {
					if (!commit.submit(name + n).equals(("T" + name.substring(1)) + n)) {
						return false;
					}
				}
				return true;
			}));
		}
		for (Future<Boolean> each : all) {
			assertThat(each.get()).isTrue();
		}
		assertThat(this.calls.stream().mapToInt(List::size).sum()).isEqualTo(32_000);
	}

	@Test
	void everyItemIsAskedAndAnsweredOnceHoweverManyComeAndGo() throws Exception {
		int each = 3000;
		int count = 8;
		AtomicIntegerArray asked = new AtomicIntegerArray(count * each);
		AtomicIntegerArray answered = new AtomicIntegerArray(count * each);
		GroupCommit<Integer, Integer> commit = new GroupCommit<>((items) -> {
			items.stream().filter((item) -> item % 500 == 0).findFirst().ifPresent((item) -> {
				throw new StoreException("a value that the database refuses", null);
			});
			items.forEach(asked::incrementAndGet);
			return items.stream().map((item) -> -item).toList();
		}, (item) -> item % 100);
		List<Future<?>> all = new ArrayList<>();
		for (int thread = 0; thread < count; thread++) {
			int begin = thread * each;
			all.add(this.threads.submit(() -> IntStream.range(begin, begin + each).forEach((item) -> {
				BiConsumer<@Nullable Integer, @Nullable RuntimeException> right = (answer, failure) -> {
					boolean refused = answer == null && failure instanceof StoreException;
					if ((item % 500 == 0) ? refused : (answer != null && answer == -item && failure == null)) {
						answered.incrementAndGet(item);
					}
				};
				if (item % 3 != 0) {
					commit.submitLater(item, right);
					return;
				}
				try {
					right.accept(commit.submit(item), null);
				}
				catch (StoreException ex) {
					right.accept(null, ex);
				}
			})));
		}
		for (Future<?> thread : all) {
			thread.get();
		}
		assertThat(IntStream.range(0, count * each).filter((item) -> answered.get(item) != 1)).isEmpty();
		assertThat(IntStream.range(0, count * each).filter((item) -> asked.get(item) != ((item % 500 == 0) ? 0 : 1)))
			.isEmpty();
	}

	@Test
	void databaseThatGoesAwayWhileTheyAreAskedOneByOneIsNotAskedByTheRest() throws Exception {
		List<List<String>> asked = new CopyOnWriteArrayList<>();
		GroupCommit<String, String> commit = new GroupCommit<>((items) -> {
			if (items.contains("first")) {
				return slowly(items);
			}
			asked.add(items);
			if (items.size() > 1) {
				throw new StoreException("a value that the database refuses", null);
			}
			if (items.contains("b")) {
				throw new StoreUnavailableException("away", null);
			}
			return shout(items);
		}, Function.identity());
		submit(commit, "first");
		this.inside.await();
		List<Future<String>> others = new ArrayList<>();
		for (String item : List.of("a", "b", "c")) {
			others.add(submit(commit, item));
			awaitWaiting(others.size());
		}
		this.gate.countDown();
		assertThat(others.get(0).get()).isEqualTo("A");
		for (Future<String> other : others.subList(1, 3)) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(other::get)
				.withCauseInstanceOf(StoreUnavailableException.class);
		}
		assertThat(asked).containsExactly(List.of("a", "b", "c"), List.of("a"), List.of("b"));
	}

	@Test
	void errorOfTheOneThatAsksLeavesNobodyWaiting() throws Exception {
		GroupCommit<String, String> commit = new GroupCommit<>((items) -> {
			if (items.contains("first")) {
				return slowly(items);
			}
			if (items.contains("next")) {
				return shout(items);
			}
			throw new StackOverflowError("in the driver");
		}, Function.identity());
		submit(commit, "first");
		this.inside.await();
		Future<String> leads = submit(commit, "leads");
		awaitWaiting(1);
		Future<String> follows = submit(commit, "follows");
		awaitWaiting(2);
		this.gate.countDown();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(leads::get)
			.withCauseInstanceOf(StackOverflowError.class);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(follows::get)
			.withMessageContaining("did not answer");
		assertThat(commit.submit("next")).isEqualTo("NEXT");
	}

	@Test
	void callThatAnswersTooLittleIsAnErrorOfTheStore() {
		GroupCommit<String, String> commit = new GroupCommit<>((items) -> List.of(), Function.identity());
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> commit.submit("a"))
			.withMessageContaining("asked for 1 and answered 0");
	}

	private List<String> shout(List<String> items) {
		this.calls.add(items);
		return items.stream().map(String::toUpperCase).toList();
	}

	private List<String> slowly(List<String> items) {
		this.inside.countDown();
		try {
			this.gate.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return shout(items);
	}

	private Future<String> submit(GroupCommit<String, String> commit, String item) {
		this.commit = commit;
		return this.threads.submit(() -> commit.submit(item));
	}

	/** Until so many wait for their turn. */
	private void awaitWaiting(int count) {
		while (this.commit.waiting() < count) {
			Thread.onSpinWait();
		}
	}

}
