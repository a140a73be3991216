package io.ojs.store.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The moment that the first one waits for those it went with last. */
@Timeout(30)
class GroupCommitGatheringTests {

	private static final long FOR_EVER = TimeUnit.HOURS.toNanos(1);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<List<String>> calls = new CopyOnWriteArrayList<>();

	private final CountDownLatch inside = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicReference<@Nullable Thread> last = new AtomicReference<>();

	@AfterEach
	void end() {
		this.threads.shutdownNow();
	}

	@Test
	void whoIsFirstWaitsForAsManyAsWentTogetherLast() throws Exception {
		GroupCommit<String, String> commit = afterTwoWentTogether(FOR_EVER);
		Future<String> first = submit(commit, "c");
		awaitGathering();
		assertThat(this.calls).hasSize(2);
		Future<String> second = submit(commit, "d");
		assertThat(first.get()).isEqualTo("C");
		assertThat(second.get()).isEqualTo("D");
		assertThat(this.calls.get(2)).containsExactly("c", "d");
	}

	@Test
	void whoWaitsInVainGoesAloneAndTheNextOneAtOnce() throws Exception {
		GroupCommit<String, String> commit = afterTwoWentTogether(TimeUnit.MILLISECONDS.toNanos(1));
		assertThat(submit(commit, "c").get()).isEqualTo("C");
		assertThat(submit(commit, "d").get()).isEqualTo("D");
		assertThat(this.calls.subList(2, 4)).containsExactly(List.of("c"), List.of("d"));
	}

	@Test
	void whoIsInterruptedWhileItWaitsGoesAloneAndStaysInterrupted() throws Exception {
		GroupCommit<String, String> commit = afterTwoWentTogether(FOR_EVER);
		Future<Boolean> interrupted = this.threads.submit(() -> {
			this.last.set(Thread.currentThread());
			commit.submit("c");
			return Thread.currentThread().isInterrupted();
		});
		awaitGathering().interrupt();
		assertThat(interrupted.get()).isTrue();
		assertThat(this.calls.get(2)).containsExactly("c");
	}

	private GroupCommit<String, String> afterTwoWentTogether(long gathering) throws Exception {
		GroupCommit<String, String> commit = new GroupCommit<>(this::shout, Function.identity(), gathering);
		submit(commit, "first");
		this.inside.await();
		List<Future<String>> two = List.of(submit(commit, "a"), submit(commit, "b"));
		await().until(() -> commit.waiting() == two.size());
		this.gate.countDown();
		for (Future<String> each : two) {
			each.get();
		}
		assertThat(this.calls.get(1)).containsExactlyInAnyOrder("a", "b");
		this.last.set(null);
		return commit;
	}

	private Future<String> submit(GroupCommit<String, String> commit, String item) {
		return this.threads.submit(() -> {
			this.last.set(Thread.currentThread());
			return commit.submit(item);
		});
	}

	/** Until the last one who asked waits. */
	private Thread awaitGathering() {
		return await().until(this.last::get,
				(thread) -> thread != null && thread.getState() == Thread.State.TIMED_WAITING);
	}

	private List<String> shout(List<String> items) {
		this.calls.add(items);
		this.inside.countDown();
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return items.stream().map(String::toUpperCase).toList();
	}

}
