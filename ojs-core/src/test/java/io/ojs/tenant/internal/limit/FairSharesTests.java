package io.ojs.tenant.internal.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import io.ojs.TestClock;
import io.ojs.tenant.internal.limit.FairShares.Demand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * How many jobs of a tenant are at the broker.
 */
class FairSharesTests {

	private final FairShares shares = new FairShares(true, 100);

	private Instant now = TestClock.START;

	/** A round in which there was room for jobs that wait. */
	private int fill(Demand demand, Duration after) {
		this.now = this.now.plus(after);
		int share = this.shares.found("mail", demand, this.now);
		this.shares.filled("mail", demand, share * demand.tenants() - demand.atBroker(), this.now);
		return share;
	}

	private int look(Demand demand) {
		this.now = this.now.plusSeconds(1);
		return this.shares.found("mail", demand, this.now);
	}

	@Test
	void everyWindowBeginsSmallAndIsShared() {
		assertThat(this.shares.share("mail")).isEqualTo(10);
		assertThat(fill(new Demand(3, 6, 5, 1), Duration.ofSeconds(1))).isEqualTo(3);
		assertThat(this.shares.share("mail")).isEqualTo(3);
		assertThat(this.shares.share("other")).isEqualTo(10);
		assertThat(fill(new Demand(5000, 5000, 5, 1), Duration.ofSeconds(1))).as("each has one at least").isEqualTo(1);
	}

	@Test
	void windowThatRunsDryIsDoubledUpToItsLimit() {
		Demand dry = new Demand(1, 4, 5, 1);
		assertThat(fill(dry, Duration.ofSeconds(1))).isEqualTo(10);
		assertThat(fill(dry, Duration.ofSeconds(1))).isEqualTo(20);
		for (int i = 0; i < 5; i++) {
			fill(dry, Duration.ofSeconds(1));
		}
		assertThat(this.shares.share("mail")).isEqualTo(100);
	}

	@Test
	void windowThatIsFilledTooOftenIsDoubled() {
		Demand half = new Demand(1, 7, 5, 1);
		assertThat(fill(half, Duration.ofSeconds(1))).isEqualTo(10);
		assertThat(fill(half, Duration.ofMillis(10))).isEqualTo(10);
		assertThat(fill(half, Duration.ofMillis(40))).isEqualTo(20);
		assertThat(fill(new Demand(1, 18, 5, 1), Duration.ofMillis(1))).as("hardly anything has started").isEqualTo(20);
		assertThat(this.shares.share("mail")).isEqualTo(20);
	}

	@Test
	void windowThatIsFilledTooRarelyBecomesSmaller() {
		for (int i = 0; i < 5; i++) {
			fill(new Demand(1, 0, 5, 1), Duration.ofSeconds(1));
		}
		assertThat(fill(new Demand(1, 70, 5, 1), Duration.ofMillis(45))).isEqualTo(100);
		assertThat(fill(new Demand(1, 70, 5, 1), Duration.ofMillis(60))).isEqualTo(100);
		assertThat(fill(new Demand(1, 30, 5, 1), Duration.ofMillis(60))).as("less than half is left").isEqualTo(88);
		assertThat(this.shares.share("mail")).isEqualTo(88);
	}

	@Test
	void windowThatHasBecomeLargerIsNotTooSmallForThat() {
		fill(new Demand(1, 0, 0, 0), Duration.ofSeconds(1));
		fill(new Demand(1, 10, 0, 0), Duration.ofMillis(1));
		fill(new Demand(1, 20, 0, 0), Duration.ofMillis(1));
		assertThat(this.shares.share("mail")).isEqualTo(20);
	}

	@Test
	void windowThatIsNotUsedUpBecomesSmallerButNotThanWhatRuns() {
		for (int i = 0; i < 5; i++) {
			fill(new Demand(1, 0, 5, 1), Duration.ofSeconds(1));
		}
		assertThat(this.shares.share("mail")).isEqualTo(100);
		assertThat(look(new Demand(1, 74, 5, 1))).as("used").isEqualTo(100);
		assertThat(look(new Demand(1, 75, 5, 1))).isEqualTo(88);
		for (int i = 0; i < 50; i++) {
			look(new Demand(1, 100, 12, 1));
		}
		assertThat(this.shares.share("mail")).isEqualTo(12);
		for (int i = 0; i < 50; i++) {
			look(new Demand(1, 100, 0, 0));
		}
		assertThat(this.shares.share("mail")).isEqualTo(FairShares.LEAST_WINDOW);
		assertThat(look(new Demand(1, 5, 60, 4))).isEqualTo(60);
	}

	@Test
	void aQuarterOfTheWindowHasToStartWhoeverStartsIt() {
		assertThat(this.shares.started("mail", 100)).as("nothing waits").isFalse();
		this.shares.waiting("mail");
		assertThat(this.shares.started("mail", 1)).isFalse();
		assertThat(this.shares.started("mail", 1)).isTrue();
		fill(new Demand(1, 0, 5, 4), Duration.ofSeconds(1));
		fill(new Demand(1, 0, 5, 4), Duration.ofSeconds(1));
		assertThat(this.shares.started("mail", 1)).as("of 40, on four processes").isFalse();
		assertThat(this.shares.started("mail", 1)).isTrue();
		this.shares.waitingOnly(Set.of());
		assertThat(this.shares.started("mail", 100)).isFalse();
	}

	@Test
	void thereIsNoHurryUnlessSomebodyWaitsAndNobodyHasLookedInVain() {
		assertThat(this.shares.pause()).isEmpty();
		assertThat(this.shares.waiting("mail")).isTrue();
		assertThat(this.shares.waiting("mail")).isFalse();
		assertThat(this.shares.pause()).contains(Duration.ofMillis(50));
		this.shares.waitingOnly(Set.of("mail"));
		assertThat(this.shares.pause()).contains(Duration.ofMillis(100));
		for (int i = 0; i < 10; i++) {
			this.shares.waitingOnly(Set.of("mail"));
		}
		assertThat(this.shares.pause()).isEmpty();
		fill(new Demand(1, 0, 5, 1), Duration.ofSeconds(1));
		assertThat(this.shares.pause()).contains(Duration.ofMillis(50));
		this.shares.waitingOnly(Set.of());
		assertThat(this.shares.pause()).isEmpty();
	}

	@Test
	void windowThatIsTooSmallIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new FairShares(true, 9)).withMessageContaining("9");
		assertThatIllegalArgumentException().isThrownBy(() -> new FairShares(true, 1001))
			.withMessageContainingAll("1001", "between 10 and 1000");
	}

}
