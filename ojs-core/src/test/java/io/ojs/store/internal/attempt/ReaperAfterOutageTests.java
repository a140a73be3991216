package io.ojs.store.internal.attempt;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;

import io.ojs.TestClock;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.relay.JobPublisher;
import io.ojs.store.internal.relay.Relay;
import io.ojs.store.internal.relay.RelayStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReaperAfterOutageTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final ScriptedAttemptStore store = new ScriptedAttemptStore();

	private final TestClock clock = new TestClock();

	private final LeaseGrace grace = new LeaseGrace(LEASE, this.clock);

	private final Reaper reaper = new Reaper(this.store,
			new Relay(unused(RelayStore.class), unused(JobPublisher.class), this.clock, 1, LEASE), this.grace);

	@Test
	void takesBackAllThatThereIsAtOnce() {
		this.store.lost.set(100);
		this.reaper.reap();
		assertThat(this.store.limits).containsExactly(100, 100);
		assertThat(this.store.lost).hasValue(0);
	}

	@Test
	void takesNothingBackForAsLongAsALeaseAfterTheStoreWasAway() {
		this.store.lost.set(1);
		this.store.away.set(2);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this.reaper::reap);
			this.clock.advance(LEASE);
		}
		this.reaper.reap();
		this.clock.advance(LEASE.minusMillis(1));
		this.reaper.reap();
		assertThat(this.store.limits).containsExactly(0, 0);
		this.clock.advance(Duration.ofMillis(1));
		this.reaper.reap();
		assertThat(this.store.limits).containsExactly(0, 0, 100);
	}

	@Test
	void answerThatTookLongIsAsIfTheStoreHadBeenAway() {
		this.store.lost.set(100);
		this.store.meanwhile = () -> this.clock.advance(LEASE);
		this.reaper.reap();
		// What was over before it was asked is taken back, and nothing that is over
		// since.
		assertThat(this.store.limits).containsExactly(100, 0);
	}

	@Test
	void whoeverClaimsTellsTheReaperOfAnOutage() {
		Attempts attempts = new Attempts(this.store, this.store,
				new LeaseKeeper(this.store, "worker", (queue) -> LEASE, new StoreClock(Clock.systemUTC())), this.grace,
				ProgressSink.NONE, this.clock);
		this.store.away.set(3);
		this.store.meanwhile = () -> this.clock.advance(LEASE.dividedBy(3));
		assertThat(attempts.claim(ScriptedAttemptStore.REQUEST, () -> false)).isPresent();
		this.store.meanwhile = () -> {
		};
		assertThat(attempts.claim(ScriptedAttemptStore.REQUEST, () -> false)).isPresent();
		this.reaper.reap();
		assertThat(this.store.takenOver).containsExactly(false, false);
		assertThat(this.store.limits).containsExactly(0);
		this.clock.advance(LEASE);
		assertThat(attempts.claim(ScriptedAttemptStore.REQUEST, () -> false)).isPresent();
		this.reaper.reap();
		assertThat(this.store.takenOver).endsWith(true);
		assertThat(this.store.limits).endsWith(100);
	}

	private static <T> T unused(Class<T> type) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				throw new UnsupportedOperationException(method.getName());
			}));
	}

}
