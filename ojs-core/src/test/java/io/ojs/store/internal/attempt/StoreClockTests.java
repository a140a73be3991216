package io.ojs.store.internal.attempt;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import io.ojs.store.internal.StoreClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StoreClockTests {

	private static final Instant OWN = Instant.parse("2001-01-01T00:00:00Z");

	private static final Instant STORE = Instant.parse("2030-01-01T00:00:00Z");

	/** Of a busy machine. */
	private static final Duration SOON = Duration.ofSeconds(30);

	private final StoreClock clock = new StoreClock(Clock.fixed(OWN, ZoneOffset.UTC));

	private final List<Instant> jumps = new ArrayList<>();

	@Test
	void timeIsThatOfTheProcessUntilTheStoreIsRead() {
		assertThat(this.clock.instant()).isEqualTo(OWN);
		read(STORE);
		assertThat(this.clock.instant()).isBetween(STORE, STORE.plus(SOON));
		Instant before = this.clock.instant();
		assertThat(this.clock.instant()).isAfterOrEqualTo(before);
	}

	@Test
	void inAnotherZoneItIsTheTimeOfTheStoreToo() {
		Clock there = this.clock.withZone(ZoneOffset.ofHours(9));
		read(STORE);
		assertThat(there.instant()).isBetween(STORE, STORE.plus(SOON));
		assertThat(there.getZone()).isEqualTo(ZoneOffset.ofHours(9));
	}

	@Test
	void clockOfTheStoreThatJumpsEndsNoLease() {
		this.clock.onJump(this.jumps::add);
		LeaseGrace grace = new LeaseGrace(Duration.ofMinutes(5), this.clock);
		this.clock.onJump((time) -> {
			this.jumps.add(time);
			grace.jump(time);
		});
		read(STORE);
		assertThat(this.jumps).as("the first time is no jump").isEmpty();
		assertThat(expires(grace)).isTrue();
		for (UnaryOperator<Instant> jump : List.<UnaryOperator<Instant>>of((time) -> time.plusSeconds(600),
				(time) -> time.minusSeconds(600))) {
			Instant to = jump.apply(this.clock.instant());
			this.jumps.clear();
			read(to);
			assertThat(this.jumps).containsExactly(to);
			assertThat(this.clock.instant()).isBetween(to, to.plus(SOON));
			assertThat(expires(grace)).isFalse();
		}
	}

	@Test
	void timeDoesNotGoBackWhereAReadingWasLessExact() {
		this.clock.onJump(this.jumps::add);
		read(STORE.plusMillis(400));
		Instant told = this.clock.instant();
		read(STORE);
		assertThat(this.jumps).isEmpty();
		assertThat(this.clock.instant()).isAfterOrEqualTo(told);
	}

	@Test
	void answerThatTakesLongIsNoJump() {
		this.clock.onJump(this.jumps::add);
		read(STORE);
		Instant[] late = new Instant[1];
		this.clock.read(() -> {
			late[0] = this.clock.instant();
			long begin = System.nanoTime();
			while (System.nanoTime() - begin < Duration.ofMillis(700).toNanos()) {
				Thread.onSpinWait();
			}
			return late[0];
		}, (time) -> time);
		assertThat(this.jumps).isEmpty();
		assertThat(this.clock.instant()).isAfter(late[0].plusMillis(699));
	}

	private static boolean expires(LeaseGrace grace) {
		return grace.ask((now, expired) -> expired);
	}

	private void read(Instant time) {
		this.clock.read(() -> time, (read) -> read);
	}

}
