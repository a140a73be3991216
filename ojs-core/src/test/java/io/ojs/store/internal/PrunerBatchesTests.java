package io.ojs.store.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

import io.ojs.TestClock;
import io.ojs.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PrunerBatchesTests {

	private static final Duration EVENTS = Duration.ofDays(7);

	private final Forgetful store = new Forgetful();

	private final Pruner pruner = new Pruner(this.store, new TestClock(), (queue) -> 10_000, EVENTS);

	@Test
	void everythingIsForgottenInSmallBatches() {
		this.store.ended = 1200;
		this.store.tooMany = 500;
		this.store.events = 3;
		this.pruner.prune();
		assertThat(this.store.calls).containsExactly("prune until " + TestClock.START + ": 500",
				"prune until " + TestClock.START + ": 500", "prune until " + TestClock.START + ": 200",
				"keep 10000: 500", "keep 10000: 0", "events before " + TestClock.START.minus(EVENTS) + ": 3");
	}

	@Test
	void whatIsTooMuchForOnceIsLeftForTheNextTimeAndHoldsUpNothingElse() {
		this.store.ended = Integer.MAX_VALUE;
		this.store.tooMany = 1;
		this.pruner.prune();
		assertThat(this.store.calls).hasSize(202).contains("keep 10000: 1");
		assertThat(Integer.MAX_VALUE - this.store.ended).isEqualTo(100_000);
	}

	@Test
	void storeThatGoesAwayIsToldOfAndWhatIsDoneStaysDone() {
		this.store.ended = 1200;
		this.store.awayAfter = 2;
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this.pruner::prune);
		this.store.awayAfter = Integer.MAX_VALUE;
		this.pruner.prune();
		assertThat(this.store.calls).filteredOn((call) -> call.startsWith("prune"))
			.extracting((call) -> call.substring(call.lastIndexOf(' ') + 1))
			.containsExactly("500", "500", "200");
	}

	/** A store with so much to forget. */
	private static final class Forgetful implements RetentionStore {

		private int ended;

		private int tooMany;

		private int events;

		private int awayAfter = Integer.MAX_VALUE;

		private final List<String> calls = new ArrayList<>();

		private int call(String what, int there, int limit) {
			if (this.calls.size() >= this.awayAfter) {
				throw new StoreUnavailableException("The database is away.", null);
			}
			int gone = Math.min(there, limit);
			this.calls.add(what + ": " + gone);
			return gone;
		}

		@Override
		public int prune(Instant now, int limit) {
			int gone = call("prune until " + now, this.ended, limit);
			this.ended -= gone;
			return gone;
		}

		@Override
		public int trimDeadLetters(ToLongFunction<String> keep, int limit) {
			int gone = call("keep " + keep.applyAsLong("any"), this.tooMany, limit);
			this.tooMany -= gone;
			return gone;
		}

		@Override
		public int pruneEvents(Instant before, int limit) {
			int gone = call("events before " + before, this.events, limit);
			this.events -= gone;
			return gone;
		}

	}

}
