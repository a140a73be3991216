package io.ojs.tenant;

import java.time.Duration;

import io.ojs.job.Rate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What a tenant may have.
 */
class TenantLimitsTests {

	private static final Rate FAST = new Rate(1000, Duration.ofMinutes(1));

	private static final Rate SLOW = new Rate(1, Duration.ofHours(1));

	@Test
	void whatIsLeftOutIsThatOfTheDefaults() {
		TenantLimits defaults = new TenantLimits(1, FAST, 2L, 3L);
		assertThat(TenantLimits.NONE.over(defaults)).isEqualTo(defaults);
		assertThat(defaults.over(new TenantLimits(7, SLOW, 8L, 9L))).isEqualTo(defaults);
		assertThat(new TenantLimits(null, SLOW, null, 0L).over(defaults)).isEqualTo(new TenantLimits(1, SLOW, 2L, 0L));
	}

	@Test
	void onlySomeOfThemAreForThoseWhoEnqueue() {
		assertThat(new TenantLimits(1, null, null, null).limitsEnqueueing()).isFalse();
		assertThat(new TenantLimits(null, FAST, null, null).limitsEnqueueing()).isTrue();
		assertThat(new TenantLimits(null, null, 0L, null).limitsEnqueueing()).isTrue();
		assertThat(new TenantLimits(null, null, null, 0L).limitsEnqueueing()).isTrue();
	}

	@Test
	void numbersThatMeanNothingAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantLimits(-1, null, null, null))
			.withMessageContaining("maxConcurrency = -1");
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantLimits(null, null, -2L, null))
			.withMessageContaining("maxQueueDepth = -2");
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantLimits(null, null, null, -3L))
			.withMessageContaining("maxScheduled = -3");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TenantLimits(null, new Rate(0, Duration.ofSeconds(1)), null, null))
			.withMessageContaining("maxEnqueueRate.limit");
	}

}
