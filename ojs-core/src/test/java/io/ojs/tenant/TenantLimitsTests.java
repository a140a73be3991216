package io.ojs.tenant;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What a tenant may have.
 */
class TenantLimitsTests {

	@Test
	void whatIsLeftOutIsThatOfTheDefaults() {
		TenantLimits defaults = TenantLimits.NONE.maxConcurrency(1)
			.maxEnqueueRate(1000, Duration.ofMinutes(1))
			.maxQueueDepth(2)
			.maxScheduled(3);
		assertThat(TenantLimits.NONE.over(defaults)).isEqualTo(defaults);
		assertThat(defaults.over(TenantLimits.NONE.maxConcurrency(7)
			.maxEnqueueRate(1, Duration.ofHours(1))
			.maxQueueDepth(8)
			.maxScheduled(9))).isEqualTo(defaults);
		assertThat(TenantLimits.NONE.maxEnqueueRate(1, Duration.ofHours(1)).maxScheduled(0).over(defaults))
			.isEqualTo(TenantLimits.NONE.maxConcurrency(1)
				.maxEnqueueRate(1, Duration.ofHours(1))
				.maxQueueDepth(2)
				.maxScheduled(0));
	}

	@Test
	void onlySomeOfThemAreForThoseWhoEnqueue() {
		assertThat(TenantLimits.NONE.maxConcurrency(1).limitsEnqueueing()).isFalse();
		assertThat(TenantLimits.NONE.maxEnqueueRate(1000, Duration.ofMinutes(1)).limitsEnqueueing()).isTrue();
		assertThat(TenantLimits.NONE.maxQueueDepth(0).limitsEnqueueing()).isTrue();
		assertThat(TenantLimits.NONE.maxScheduled(0).limitsEnqueueing()).isTrue();
	}

	@Test
	void numbersThatMeanNothingAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> TenantLimits.NONE.maxConcurrency(-1))
			.withMessageContaining("maxConcurrency = -1");
		assertThatIllegalArgumentException().isThrownBy(() -> TenantLimits.NONE.maxQueueDepth(-2))
			.withMessageContaining("maxQueueDepth = -2");
		assertThatIllegalArgumentException().isThrownBy(() -> TenantLimits.NONE.maxScheduled(-3))
			.withMessageContaining("maxScheduled = -3");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> TenantLimits.NONE.maxEnqueueRate(0, Duration.ofSeconds(1)))
			.withMessageContaining("maxEnqueueRate.limit");
	}

}
