package io.ojs.queue;

import java.time.Duration;
import java.util.List;

import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Layers of configuration (OJS Queue Configuration §7.2): what is set counts, what is not
 * is left to the layer below.
 */
class QueueConfigLayersTests {

	@Test
	void whatIsSetCounts() {
		QueueConfig upper = QueueConfig.builder().maxSize(0L).allowedJobTypes(List.of("a")).build();
		QueueConfig lower = QueueConfig.builder().maxSize(5L).concurrency(3).allowedJobTypes(List.of("b", "c")).build();
		assertThat(upper.over(lower))
			.isEqualTo(QueueConfig.builder().maxSize(0L).concurrency(3).allowedJobTypes(List.of("a")).build());
	}

	@Test
	void retentionAndRetryAreTakenFieldByField() {
		QueueConfig upper = QueueConfig.builder()
			.retention(QueueRetention.NONE.completed(Duration.ofDays(1)))
			.defaultRetry(RetryOverrides.NONE.maxAttempts(9))
			.build();
		QueueConfig effective = upper.over(QueueConfig.DEFAULT);
		assertThat(effective.retention()).isEqualTo(QueueRetention.DEFAULT.completed(Duration.ofDays(1)));
		assertThat(effective.retryPolicy()).isEqualTo(RetryPolicy.DEFAULT.with(RetryOverrides.NONE.maxAttempts(9)));
	}

	@Test
	void anIntervalBelowGivesWay() {
		QueueConfig lower = QueueConfig.builder()
			.defaultRetry(RetryOverrides.NONE.initialInterval(Duration.ofMinutes(1)).maxInterval(Duration.ofMinutes(2)))
			.build();
		QueueConfig slower = QueueConfig.builder()
			.defaultRetry(RetryOverrides.NONE.initialInterval(Duration.ofHours(1)))
			.build();
		QueueConfig quicker = QueueConfig.builder()
			.defaultRetry(RetryOverrides.NONE.maxInterval(Duration.ofSeconds(1)))
			.build();
		assertThat(slower.over(lower).retryPolicy().maxInterval()).isEqualTo(Duration.ofHours(1));
		assertThat(quicker.over(lower).retryPolicy().initialInterval()).isEqualTo(Duration.ofSeconds(1));
		assertThat(slower.retryPolicy().maxInterval()).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void everyFieldIsLayered() {
		QueueConfig everything = QueueConfig.DEFAULT.toBuilder()
			.concurrency(1)
			.rateLimit(new QueueRateLimit(1, Duration.ofSeconds(1)))
			.visibilityTimeout(Duration.ofSeconds(1))
			.deadLetterQueue("dead")
			.build();
		assertThat(QueueConfig.NONE.over(everything)).isEqualTo(everything);
		assertThat(everything.over(QueueConfig.NONE)).isEqualTo(everything);
		assertThat(everything).hasNoNullFieldsOrProperties();
	}

}
