package io.ojs.amqp.internal.observe;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * How busy consumers were in the last minute, by a clock that is set.
 */
class UtilizationTests {

	private long now = TimeUnit.DAYS.toNanos(-1);

	private final Utilization ofTwo = new Utilization(2, () -> this.now);

	@Test
	void consumersThatNeverHadAnythingAreIdle() {
		assertThat(this.ofTwo.ratio()).isZero();
		pass(600);
		assertThat(this.ofTwo.ratio()).isZero();
	}

	@Test
	void oneOfTwoThatWorksAllTheTimeIsAHalf() {
		this.ofTwo.begin();
		pass(10);
		assertThat(this.ofTwo.ratio()).isEqualTo(0.5);
		pass(3600);
		assertThat(this.ofTwo.ratio()).isEqualTo(0.5);
		this.ofTwo.begin();
		pass(30);
		assertThat(this.ofTwo.ratio()).isEqualTo(0.75, within(1e-9));
		pass(60);
		assertThat(this.ofTwo.ratio()).isEqualTo(1.0);
	}

	@Test
	void whatIsLongerAgoThanAMinuteIsForgotten() {
		this.ofTwo.begin();
		this.ofTwo.begin();
		pass(100);
		this.ofTwo.end();
		this.ofTwo.end();
		pass(15);
		assertThat(this.ofTwo.ratio()).isEqualTo(0.75, within(1e-9));
		pass(45);
		assertThat(this.ofTwo.ratio()).isZero();
	}

	@Test
	void manyShortJobsAddUp() {
		for (int i = 0; i < 3000; i++) {
			this.ofTwo.begin();
			this.now += TimeUnit.MILLISECONDS.toNanos(30);
			this.ofTwo.end();
			this.now += TimeUnit.MILLISECONDS.toNanos(70);
		}
		assertThat(this.ofTwo.ratio()).isEqualTo(0.15, within(0.005));
	}

	@Test
	void moreConsumersThanWereSaidAreNotMoreThanAll() {
		for (int i = 0; i < 3; i++) {
			this.ofTwo.begin();
		}
		pass(20);
		assertThat(this.ofTwo.ratio()).isEqualTo(1.0);
	}

	private void pass(long seconds) {
		this.now += TimeUnit.SECONDS.toNanos(seconds);
	}

}
