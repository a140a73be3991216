package io.ojs.internal.stats;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.ojs.TestClock;
import io.ojs.event.JobEvent;
import io.ojs.internal.stats.Numbers.Outcome;
import io.ojs.job.Job;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobError;
import io.ojs.job.internal.Rfc3339;
import io.ojs.tenant.Tenants;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Events of a process become numbers over time.
 */
class StatsTests {

	private static final Instant START = TestClock.START;

	private final TestClock clock = new TestClock();

	private final MemoryMinuteStore store = new MemoryMinuteStore();

	private final MinuteRecorder recorder = new MinuteRecorder("1@host", this.clock);

	private final Stats stats = new Stats(this.store, this.recorder, this.clock);

	private static JobBuilder builder(String queue, String type) {
		return Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", type, queue);
	}

	private void completed(Job job, long millis) {
		this.recorder.onEvent(new JobEvent.Completed(job, 1, 3, Duration.ofMillis(millis), null));
	}

	private List<Stats.Series> read(int step, Stats.By by) {
		return this.stats.read(START, step, by, null, null, null).series();
	}

	private static JobError error() {
		return new JobError("a.B", "handler_error", "no", 1, Rfc3339.utc(START), List.of(), Map.of());
	}

	@Test
	void eachEndOfAnAttemptIsCountedOnce() {
		Job job = builder("mail", "a").build();
		completed(job, 10);
		this.recorder.onEvent(new JobEvent.Failed(job, 1, 3, error(), Duration.ofMillis(1000)));
		this.recorder.onEvent(new JobEvent.Retrying(job, 1, 3, error(), Duration.ofSeconds(1)));
		this.recorder.onEvent(new JobEvent.RetryExhausted(job, 3, 3, error()));
		this.recorder.onEvent(new JobEvent.DeadLettered(job, 3, 3, error()));
		this.recorder.onEvent(new JobEvent.Discarded(job, 3, 3, error()));
		this.recorder.onEvent(new JobEvent.Cancelled(job, 1, 3));
		this.recorder.onEvent(new JobEvent.Enqueued(job, false));
		Numbers numbers = only(read(60, Stats.By.NONE));
		assertThat(numbers.count(Outcome.COMPLETED)).isEqualTo(1);
		assertThat(numbers.count(Outcome.RETRIED)).isEqualTo(1);
		assertThat(numbers.count(Outcome.DISCARDED)).isEqualTo(2);
		assertThat(numbers.count(Outcome.CANCELLED)).isEqualTo(1);
		assertThat(numbers.runs().count()).isEqualTo(2);
		assertThat(numbers.waits().count()).isZero();
	}

	private static Numbers only(List<Stats.Series> series) {
		assertThat(series).hasSize(1);
		assertThat(series.get(0).points()).hasSize(1);
		return series.get(0).points().values().iterator().next();
	}

	@Test
	void firstAttemptTellsHowLongTheJobWaited() {
		Job job = builder("mail", "a").enqueuedAt(Rfc3339.utc(START.minusSeconds(100))).build();
		this.recorder.onEvent(new JobEvent.Started(job, 1, 3));
		this.recorder.onEvent(new JobEvent.Started(job, 2, 3));
		Job scheduled = job.toBuilder().scheduledAt(Rfc3339.utc(START.minusSeconds(1))).build();
		this.recorder.onEvent(new JobEvent.Started(scheduled, 1, 3));
		Job ahead = builder("mail", "a").createdAt(Rfc3339.utc(START.plusSeconds(5))).build();
		this.recorder.onEvent(new JobEvent.Started(ahead, 1, 3));
		Durations waits = only(read(60, Stats.By.NONE)).waits();
		assertThat(waits.count()).isEqualTo(3);
		assertThat(waits.percentile(0.01)).isZero();
		assertThat(waits.percentile(0.5)).isBetween(900L, 1100L);
		assertThat(waits.percentile(1.0)).isBetween(90_000L, 110_000L);
	}

	@Test
	void stepsHaveTheirOwnPoints() {
		for (int minute = 0; minute < 130; minute++) {
			completed(builder("mail", "a").build(), 10);
			this.clock.advance(Duration.ofMinutes(1));
			if (minute % 7 == 0) {
				this.recorder.flush(this.store);
			}
		}
		assertThat(counts(60)).hasSize(130).containsOnly(1L);
		assertThat(counts(120)).hasSize(65).containsOnly(2L);
		assertThat(counts(600)).hasSize(13).containsOnly(10L);
		assertThat(counts(3600)).containsExactly(60L, 60L, 10L);
	}

	private List<Long> counts(int step) {
		return read(step, Stats.By.NONE).get(0).points().values().stream().map(Numbers::count).toList();
	}

	@Test
	void seriesAreOfWhatIsAskedFor() {
		completed(builder("mail", "a").meta(Map.of(Tenants.META_KEY, "acme")).build(), 1);
		completed(builder("mail", "b").build(), 1);
		completed(builder("report", "b").build(), 1);
		assertThat(keys(Stats.By.QUEUE)).containsExactly("mail", "report");
		assertThat(keys(Stats.By.TYPE)).containsExactly("b", "a");
		assertThat(keys(Stats.By.TENANT)).containsExactly("", "acme");
		assertThat(only(this.stats.read(START, 60, Stats.By.NONE, "mail", null, null).series()).count()).isEqualTo(2);
		assertThat(only(this.stats.read(START, 60, Stats.By.NONE, null, "b", null).series()).count()).isEqualTo(2);
		assertThat(only(this.stats.read(START, 60, Stats.By.NONE, null, null, "acme").series()).count()).isEqualTo(1);
		assertThat(this.stats.read(START, 60, Stats.By.NONE, "other", null, null).series()).isEmpty();
	}

	private List<String> keys(Stats.By by) {
		return read(60, by).stream().map(Stats.Series::key).toList();
	}

	@Test
	void typesThatProducersInventAreCountedTogether() {
		IntStream.range(0, 5000).forEach((i) -> completed(builder("mail", "t" + i).build(), 1));
		List<Stats.Series> series = read(60, Stats.By.TYPE);
		assertThat(series).hasSize(Stats.MOST_SERIES);
		assertThat(series.stream().mapToLong(Stats.Series::count).sum()).isEqualTo(5000);
		assertThat(series.get(0).key()).isEqualTo("other");
		assertThat(series.get(Stats.MOST_SERIES - 1).key()).isEqualTo("other");
	}

	@Test
	void stepIsLongEnoughForTheTime() {
		assertThat(step(Duration.ofHours(1), 60)).isEqualTo(60);
		assertThat(step(Duration.ofHours(1), 90)).isEqualTo(120);
		assertThat(step(Duration.ofHours(6), 60)).isEqualTo(60);
		assertThat(step(Duration.ofHours(7), 60)).isEqualTo(600);
		assertThat(step(Duration.ofDays(1), 900)).isEqualTo(1200);
		assertThat(step(Duration.ofDays(2), 60)).isEqualTo(600);
		assertThat(step(Duration.ofDays(2), 900)).isEqualTo(1200);
		assertThat(step(Duration.ofDays(30), 60)).isEqualTo(1800);
		assertThat(step(Duration.ofDays(365), 60)).isEqualTo(6 * 3600);
		Stats.Answer answer = this.stats.read(START.plusSeconds(3), 3600, Stats.By.NONE, null, null, null);
		assertThat(answer.since()).isEqualTo(START);
		assertThat(answer.until()).isEqualTo(START);
	}

	private int step(Duration span, int wanted) {
		return this.stats.read(START.minus(span), wanted, Stats.By.NONE, null, null, null).stepSeconds();
	}

	@Test
	void numbersWaitForAStoreThatIsAway() {
		AtomicBoolean away = new AtomicBoolean(true);
		MinuteStore unreliable = new MinuteStore() {

			@Override
			public void write(String process, List<MinuteRow> rows) {
				if (away.get()) {
					throw new IllegalStateException("away");
				}
				StatsTests.this.store.write(process, rows);
			}

			@Override
			public void read(Query query, Consumer<MinuteRow> read) {
				throw new AssertionError("nothing is read");
			}

			@Override
			public int prune(Instant before, Instant minutesBefore, int limit) {
				throw new AssertionError("nothing is deleted");
			}

		};
		for (int minute = 0; minute < 5; minute++) {
			completed(builder("mail", "a").build(), 10);
			this.clock.advance(Duration.ofMinutes(1));
			assertThatIllegalStateException().isThrownBy(() -> this.recorder.flush(unreliable));
		}
		this.recorder.end(unreliable);
		away.set(false);
		this.recorder.flush(unreliable);
		assertThat(counts(60)).hasSize(5).containsOnly(1L);
		assertThat(counts(3600)).containsExactly(5L);
	}

	@Test
	void noNumberOfManyThreadsIsLostOrCountedTwice() throws InterruptedException {
		Job job = builder("mail", "a").build();
		int threads = 4;
		int each = 20_000;
		CountDownLatch done = new CountDownLatch(threads);
		for (int i = 0; i < threads; i++) {
			new Thread(() -> {
				for (int n = 0; n < each; n++) {
					completed(job, n % 100);
				}
				done.countDown();
			}).start();
		}
		while (done.getCount() > 0) {
			this.recorder.flush(this.store);
		}
		done.await();
		Numbers numbers = only(read(60, Stats.By.NONE));
		assertThat(numbers.count(Outcome.COMPLETED)).isEqualTo((long) threads * each);
		assertThat(numbers.runs().count()).isEqualTo((long) threads * each);
	}

	@Test
	void oldRowsAreDeletedTheShortestStepsSooner() {
		completed(builder("mail", "a").build(), 10);
		this.recorder.flush(this.store);
		Instant later = START.plusSeconds(1);
		assertThat(this.store.prune(START, later, 10)).isEqualTo(1);
		assertThat(counts(600)).containsExactly(1L);
		assertThat(this.store.prune(later, later, 1)).isEqualTo(1);
		assertThat(this.store.prune(later, later, 10)).isEqualTo(1);
	}

}
