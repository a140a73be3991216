package io.ojs.internal.rate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.ojs.TestClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When waiting jobs are looked at.
 */
class RateLimiterTests {

	private final TestClock clock = new TestClock();

	private final Limits store = new Limits();

	private final RateLimiter limiter = new RateLimiter(this.store, this.clock, true);

	@Test
	void whoWorksNoJobsLetsNobodyThrough() {
		assertThat(new RateLimiter(this.store, this.clock, false).release()).isEqualTo(RateLimiter.ALL);
		assertThat(this.store.calls).isEmpty();
	}

	@Test
	void allAreLookedAtFirstAndEveryHalfMinute() {
		this.limiter.release();
		this.clock.advance(Duration.ofSeconds(29));
		this.limiter.release();
		this.clock.advance(Duration.ofSeconds(1));
		this.limiter.release();
		this.limiter.release();
		assertThat(this.store.calls).containsExactly("all", "due", "all", "due");
	}

	@Test
	void nextLookIsWhenSomebodyMayStart() {
		assertThat(this.limiter.release()).isEqualTo(Duration.ofMillis(500));
		this.store.next = this.clock.instant().plusMillis(150);
		assertThat(this.limiter.release()).isEqualTo(Duration.ofMillis(150));
		this.store.next = this.clock.instant().plusSeconds(7);
		assertThat(this.limiter.release()).isEqualTo(Duration.ofMillis(500));
		this.store.next = this.clock.instant().minusSeconds(7);
		assertThat(this.limiter.release()).isEqualTo(Duration.ofMillis(20));
	}

	private static final class Limits implements RateLimitStore {

		private final List<String> calls = new ArrayList<>();

		private @Nullable Instant next;

		@Override
		public int release(Instant now) {
			this.calls.add("due");
			return 0;
		}

		@Override
		public int releaseAll(Instant now) {
			this.calls.add("all");
			return 0;
		}

		@Override
		public Optional<Instant> nextRelease() {
			return Optional.ofNullable(this.next);
		}

		@Override
		public Optional<RateLimitStatus> find(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public LimitedJobs jobs(String key, int limit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<RateLimitStatus> list(String after, int limit) {
			throw new UnsupportedOperationException();
		}

	}

}
