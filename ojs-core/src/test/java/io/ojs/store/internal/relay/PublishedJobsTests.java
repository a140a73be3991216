package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;

import io.ojs.TestClock;
import io.ojs.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(30)
class PublishedJobsTests {

	private static final Duration LONG = Duration.ofSeconds(10);

	private final ScriptedRelayStore store = new ScriptedRelayStore();

	private final TestClock clock = new TestClock();

	private final PublishedJobs jobs = new PublishedJobs(this.store, this.clock);

	@Test
	void manyAreNotedAtOnceAndEachOnlyOnce() {
		add("mail", ids(0, 1200));
		flushLater();
		assertThat(this.store.published).extracting(List::size).containsExactly(500, 500, 200);
		assertThat(noted()).containsExactlyInAnyOrderElementsOf(ids(0, 1200));
		flushLater();
		assertThat(this.store.published).hasSize(3);
	}

	@Test
	void eachIsNotedWithTheQueueThatItWasPublishedTo() {
		add("mail", ids(0, 2));
		add("reports", ids(2, 3));
		add("mail", ids(3, 4));
		this.store.away("published");
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this::flushLater);
		this.store.failures.clear();
		flushLater();
		assertThat(this.store.queues).containsExactlyInAnyOrderEntriesOf(
				Map.of("mail", List.of("job-0", "job-1", "job-3"), "reports", List.of("job-2")));
	}

	@Test
	void whatCannotBeNotedIsKeptForTheNextTime() {
		add("mail", ids(0, 700));
		this.store.before = (method) -> {
			if (this.store.count("published") == 2) {
				throw new StoreUnavailableException("The database is away.", null);
			}
		};
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this::flushLater);
		assertThat(noted()).containsExactlyInAnyOrderElementsOf(ids(0, 500));
		add("mail", ids(700, 701));
		flushLater();
		assertThat(noted()).containsExactlyInAnyOrderElementsOf(ids(0, 701));
	}

	@Test
	void memoryIsNotFilledWhileTheDatabaseIsAway() {
		add("mail", ids(0, 200_000));
		add("mail", List.of("too many"));
		this.store.away("published");
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this::flushLater);
		add("mail", List.of("still too many"));
		this.store.failures.clear();
		flushLater();
		assertThat(noted()).hasSize(200_000).doesNotContain("too many", "still too many");
		add("mail", List.of("fits again"));
		flushLater();
		assertThat(noted()).contains("fits again");
	}

	@Test
	void theLastOnesAreNotedWhenItIsClosedUnlessTheDatabaseIsAway() {
		add("mail", List.of("a"));
		this.store.away("published");
		assertThatCode(this.jobs::close).doesNotThrowAnyException();
		this.store.failures.clear();
		this.jobs.close();
		assertThat(noted()).containsExactly("a");
	}

	@Test
	void whoeverClosesGoesOnBesideAFlushThatHangs() {
		add("mail", ids(0, 600));
		CountDownLatch hangs = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		this.store.before = (method) -> {
			if (this.store.count("published") == 1) {
				hangs.countDown();
				uninterruptibly(answer);
			}
		};
		CompletableFuture<Void> flush = CompletableFuture.runAsync(this::flushLater);
		uninterruptibly(hangs);
		this.jobs.close();
		assertThat(noted()).containsExactlyInAnyOrderElementsOf(ids(500, 600));
		answer.countDown();
		flush.join();
		assertThat(noted()).containsExactlyInAnyOrderElementsOf(ids(0, 600));
	}

	@Test
	void twoWhoFlushAtTheSameTimeNoteEachJobOnce() throws Exception {
		for (int round = 0; round < 200; round++) {
			List<String> ids = ids(1000 * round, 1000 * round + 7);
			add("mail", ids);
			CyclicBarrier start = new CyclicBarrier(2);
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> flushAt(start));
			flushAt(start);
			other.join();
		}
		assertThat(noted()).hasSize(1400).doesNotHaveDuplicates().doesNotContainNull();
	}

	@Test
	void whatIsLikelyToBeBegunSoonIsLeftAloneForAWhile() {
		add("mail", List.of("a"));
		this.clock.advance(PublishedJobs.PATIENCE.minusMillis(1));
		add("mail", List.of("b"));
		this.jobs.flush();
		assertThat(noted()).isEmpty();
		this.clock.advance(Duration.ofMillis(1));
		this.jobs.flush();
		assertThat(noted()).containsExactly("a");
		flushLater();
		assertThat(noted()).containsExactly("a", "b");
	}

	@Test
	void manyAreNotedAtOnceLestTheyFillTheMemory() {
		add("mail", ids(0, 100_000));
		this.jobs.flush();
		assertThat(noted()).isEmpty();
		add("mail", ids(100_000, 100_001));
		this.jobs.flush();
		assertThat(noted()).containsExactlyInAnyOrderElementsOf(ids(0, 500));
	}

	@Test
	void whatTheRelayIsAboutToTakeIsNotedBefore() {
		add("mail", List.of("a"));
		Instant soon = TestClock.START.plus(PublishedJobs.MARGIN).plusMillis(1);
		this.jobs.add("mail", Map.of("b", soon));
		this.jobs.flush();
		assertThat(noted()).isEmpty();
		this.clock.advance(Duration.ofMillis(1));
		this.jobs.flush();
		assertThat(noted()).containsExactly("b");
	}

	@Test
	void eachIsNotedWithTheTimeAtWhichTheRelayIsToTakeIt() {
		Map<String, Instant> jobs = Map.of("a", TestClock.START.plusSeconds(8), "b", TestClock.START.plusSeconds(9));
		this.jobs.add("mail", jobs);
		flushLater();
		assertThat(this.store.untils).isEqualTo(jobs);
	}

	@Test
	void whatIsEnqueuedAgainUnderTheSameIdIsNotedAsTheNewJob() {
		this.jobs.add("mail", Map.of("a", TestClock.START.plusSeconds(8)));
		this.jobs.add("mail", Map.of("a", TestClock.START.plusSeconds(9)));
		flushLater();
		assertThat(this.store.untils).containsOnly(Map.entry("a", TestClock.START.plusSeconds(9)));
	}

	private void add(String queue, List<String> ids) {
		Map<String, Instant> jobs = new LinkedHashMap<>();
		ids.forEach((id) -> jobs.put(id, this.clock.instant().plus(LONG)));
		this.jobs.add(queue, jobs);
	}

	private void flushLater() {
		this.clock.advance(PublishedJobs.PATIENCE);
		this.jobs.flush();
	}

	private void flushAt(CyclicBarrier start) {
		try {
			start.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		flushLater();
	}

	private static void uninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private List<String> noted() {
		List<String> all = new ArrayList<>();
		this.store.published.forEach(all::addAll);
		return all;
	}

	private static List<String> ids(int from, int to) {
		return IntStream.range(from, to).mapToObj((n) -> "job-" + n).toList();
	}

}
