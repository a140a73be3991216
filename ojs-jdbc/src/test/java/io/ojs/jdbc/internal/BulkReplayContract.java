package io.ojs.jdbc.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayListener;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.ReplayProgress;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobState;
import io.ojs.store.internal.relay.RelayedJob;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How many dead letters are put back to work.
 */
abstract class BulkReplayContract extends DeadLetterContract {

	@Test
	@Tag("DLQ-R001")
	void replaysWhatAFilterMeansTheOldestFirst() {
		String old = dead("q", "a.b");
		this.clock.now = NOON.plusSeconds(1);
		String middle = dead("q", "a.b");
		dead("other", "a.b");
		this.clock.now = NOON.plusSeconds(2);
		String young = dead("q", "a.b");
		ReplayResult result = this.letters.replayAll(DeadLetterFilter.ANY.queue("q"), ReplayOptions.CONFIRMED.limit(2));
		assertThat(result.replayed()).isEqualTo(2);
		assertThat(result.end()).isEqualTo(ReplayEnd.LIMIT);
		assertThat(Stream.of(old, middle).map((id) -> this.jobs.find(id).orElseThrow().job().state()))
			.containsOnly(JobState.AVAILABLE);
		assertThat(ids(DeadLetterFilter.ANY.queue("q"))).containsExactly(young);
		result = this.letters.replayAll(DeadLetterFilter.ANY.queue("q"), ReplayOptions.CONFIRMED.limit(2));
		assertThat(result.replayed()).isOne();
		assertThat(result.end()).isEqualTo(ReplayEnd.DONE);
		assertThat(this.letters.stats().byQueue()).isEqualTo(Map.of("other", 1L));
	}

	@Test
	void dryRunsCountAndChangeNothing() {
		many(5);
		List<Map<String, Object>> before = rows();
		ReplayResult result = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.DRY_RUN);
		assertThat(result.dryRun()).isTrue();
		assertThat(result.replayed()).isEqualTo(5);
		assertThat(result.end()).isEqualTo(ReplayEnd.DONE);
		result = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.DRY_RUN.limit(3));
		assertThat(result.replayed()).isEqualTo(3);
		assertThat(result.end()).isEqualTo(ReplayEnd.LIMIT);
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.letters
			.replayAll(DeadLetterFilter.ANY, ReplayOptions.DRY_RUN.overrides(ReplayOverrides.NONE.args(Double.NaN))));
		assertThat(rows()).isEqualTo(before);
		assertThat(this.wakes).hasValue(0);
	}

	@Test
	void rejectsConditionsThatOnlyTheBrokerCanCheck() {
		dead("q", "a.b");
		DeadLetterFilter filter = DeadLetterFilter.ANY.errorCode("HANDLER_ERROR");
		for (ThrowingCallable use : List.<ThrowingCallable>of(() -> this.letters.list(filter, 10),
				() -> this.letters.end(filter), () -> this.letters.stats(filter),
				() -> this.letters.replayAll(filter, ReplayOptions.DRY_RUN),
				() -> this.letters.replayAll(filter, ReplayOptions.CONFIRMED),
				() -> this.letters.purge(filter, true))) {
			assertThatExceptionOfType(InvalidDeadLetterRequestException.class).isThrownBy(use)
				.satisfies((ex) -> assertThat(ex.field()).isEqualTo("filter.error_code"));
		}
		assertThat(this.letters.stats().total()).isOne();
	}

	@Test
	void wantsToBeToldThatItIsMeant() {
		dead("q", "a.b");
		ReplayOptions unconfirmed = new ReplayOptions(false, false, null, null, ReplayOverrides.NONE);
		assertThatExceptionOfType(InvalidDeadLetterRequestException.class)
			.isThrownBy(() -> this.letters.replayAll(DeadLetterFilter.ANY, unconfirmed))
			.withMessageContaining("confirm");
		assertThatExceptionOfType(InvalidDeadLetterRequestException.class)
			.isThrownBy(() -> this.letters.purge(DeadLetterFilter.ANY, false))
			.withMessageContaining("confirm");
		assertThat(this.letters.stats().total()).isOne();
	}

	@Test
	void spreadsARateOverTime() {
		many(1100);
		ReplayResult result = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.CONFIRMED.rate(10));
		assertThat(result.replayed()).isEqualTo(1100);
		assertThat(result.publishedBy()).isEqualTo(NOON.plusMillis(109_900));
		assertThat(this.jdbc.queryForObject("select count(distinct relay_at) from ojs_job", Integer.class))
			.isEqualTo(1100);
		assertThat(this.relay.take(NOON.plusMillis(950), NOON.plusSeconds(30), 1000).jobs()).hasSize(10);
		assertThat(this.relay.nextAt()).contains(NOON.plusSeconds(1));
	}

	@Test
	void twoAtOnceReplayNoJobTwice() throws Exception {
		many(1700);
		List<ReplayResult> results = together(3,
				() -> this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.CONFIRMED));
		assertThat(results.stream().mapToLong(ReplayResult::replayed).sum()).isEqualTo(1700);
		assertThat(this.jdbc.queryForObject("select count(*) from ojs_job where replays = 1 and state = 'available'",
				Integer.class))
			.isEqualTo(1700);
	}

	@Test
	void goesOnWhereItWasStopped() {
		many(1100);
		List<ReplayProgress> progress = new ArrayList<>();
		ReplayResult result = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.CONFIRMED,
				new ReplayListener() {

					@Override
					public void progressed(ReplayProgress current) {
						progress.add(current);
					}

					@Override
					public boolean isCancelled() {
						return !progress.isEmpty();
					}

				});
		assertThat(progress).containsExactly(new ReplayProgress(null, 500, 500, 0));
		assertThat(result.end()).isEqualTo(ReplayEnd.CANCELLED);
		assertThat(result.replayed()).isEqualTo(500);
		Thread.currentThread().interrupt();
		result = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.CONFIRMED);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(result.end()).isEqualTo(ReplayEnd.CANCELLED);
		assertThat(result.replayed()).isZero();
		result = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.CONFIRMED);
		assertThat(result.end()).isEqualTo(ReplayEnd.DONE);
		assertThat(result.replayed()).isEqualTo(600);
	}

	@Test
	void leavesWhatDiesMeanwhileToTheNextTime() {
		many(600);
		this.clock.now = NOON.plusSeconds(1);
		List<String> again = new ArrayList<>();
		ReplayResult result = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.CONFIRMED, (progress) -> {
			this.clock.now = this.clock.now.plusSeconds(1);
			if (again.isEmpty()) {
				RelayedJob job = this.relay.take(this.clock.now, this.clock.now, 1).jobs().get(0);
				record(found(job.encoded()));
				again.add(job.encoded().job().id());
			}
		});
		assertThat(result.replayed()).isEqualTo(600);
		assertThat(ids(DeadLetterFilter.ANY)).isEqualTo(again);
	}

	@Test
	void passesOverWhatCannotBeReplayed() {
		String first = dead("q", "a.b");
		this.clock.now = NOON.plusSeconds(1);
		String second = dead("q", "a.b");
		this.jdbc.update("update ojs_job set envelope = '{' where id = cast(? as uuid)", first);
		ReplayResult result = this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.CONFIRMED);
		assertThat(result.replayed()).isOne();
		assertThat(result.skipped()).isEqualTo(Map.of(SkipReason.INVALID, 1L));
		assertThat(result.isSuccess()).isFalse();
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(first).doesNotContain(second);
	}

}
