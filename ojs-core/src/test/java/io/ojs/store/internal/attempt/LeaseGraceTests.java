package io.ojs.store.internal.attempt;

import java.time.Duration;

import io.ojs.TestClock;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeaseGraceTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final TestClock clock = new TestClock();

	private final LeaseGrace grace = new LeaseGrace(LEASE, this.clock);

	@Test
	void leasesExpireAsLongAsTheStoreIsThere() {
		for (int i = 0; i < 3; i++) {
			assertThat(expired()).isTrue();
			this.clock.advance(LEASE.multipliedBy(10));
		}
	}

	@Test
	void failureThatPassesSoonChangesNothing() {
		fail();
		assertThat(expired()).isTrue();
		this.clock.advance(LEASE.dividedBy(2).minusSeconds(1));
		fail();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(expired()).isTrue();
	}

	@Test
	void afterAnOutageTheyExpireWhenTheStoreHasBeenThereForALease() {
		fail();
		this.clock.advance(LEASE.dividedBy(2).plusSeconds(1));
		assertThat(expired()).isFalse();
		this.clock.advance(LEASE.minusMillis(1));
		assertThat(expired()).isFalse();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(expired()).isTrue();
	}

	@Test
	void outageBeginsWithTheLastAnswerAndNotWithTheFirstFailure() {
		assertThat(expired()).isTrue();
		this.clock.advance(LEASE);
		fail();
		assertThat(expired()).isFalse();
	}

	@Test
	void secondOutageBeginsItAnew() {
		fail();
		this.clock.advance(LEASE);
		assertThat(expired()).isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		fail();
		this.clock.advance(LEASE);
		assertThat(expired()).isFalse();
		this.clock.advance(LEASE);
		assertThat(expired()).isTrue();
	}

	@Test
	void answerThatTakesLongIsAnOutage() {
		boolean atFirst = this.grace.ask((now, expired) -> {
			this.clock.advance(LEASE.dividedBy(2).plusSeconds(1));
			return expired;
		});
		assertThat(atFirst).isTrue();
		assertThat(expired()).isFalse();
		this.clock.advance(LEASE);
		assertThat(expired()).isTrue();
	}

	@Test
	void refusalIsNoOutage() {
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.grace.ask((now, expired) -> {
			throw new StoreException("a value that the database refuses", null);
		}));
		this.clock.advance(LEASE);
		assertThat(expired()).isTrue();
	}

	private boolean expired() {
		return this.grace.ask((now, expired) -> expired);
	}

	private void fail() {
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> this.grace.ask((now, expired) -> {
			throw new StoreUnavailableException("away", null);
		}));
	}

}
