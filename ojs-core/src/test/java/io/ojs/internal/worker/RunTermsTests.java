package io.ojs.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.job.Job;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.LiveQueueListener;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoredJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunTermsTests {

	private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private static final LiveQueues QUEUES = new LiveQueues() {

		@Override
		public LiveQueue get(String name) {
			QueueConfig config = name.equals("slow")
					? QueueConfig.builder().visibilityTimeout(Duration.ofMinutes(7)).build() : QueueConfig.NONE;
			return new LiveQueue(name, QueueState.ACTIVE, config);
		}

		@Override
		public void listen(LiveQueueListener listener) {
			throw new UnsupportedOperationException();
		}

	};

	private final RunTerms terms = new RunTerms(QUEUES, new Timeouts((queue) -> Duration.ofMinutes(3)),
			new RetryPolicies((queue) -> RetryPolicy.DEFAULT, new JobHandlers(List.of())));

	private static Job job(String queue, Map<String, @Nullable Object> extensions) {
		return Job.builder(ID, "test.it", queue).extensions(extensions).build();
	}

	private Duration lease(String queue, @Nullable Duration asked, Map<String, @Nullable Object> extensions) {
		return this.terms.reservation(job(queue, extensions), asked).lease();
	}

	@Test
	void theJobSaysHowLongThenTheWorkerThenTheQueue() {
		Duration asked = Duration.ofSeconds(40);
		assertThat(lease("slow", asked, Map.of("visibility_timeout_ms", 3000L))).isEqualTo(Duration.ofSeconds(3));
		assertThat(lease("slow", asked, Map.of("visibility_timeout", 20))).isEqualTo(Duration.ofSeconds(20));
		assertThat(lease("slow", asked, Map.of())).isEqualTo(asked);
		assertThat(lease("slow", null, Map.of())).isEqualTo(Duration.ofMinutes(7));
		assertThat(lease("default", null, Map.of())).isEqualTo(RunTerms.DEFAULT_LEASE);
	}

	@Test
	void whatCannotBeIsNotTakenAtItsWord() {
		assertThat(lease("default", null, Map.of("visibility_timeout_ms", 1))).isEqualTo(Duration.ofSeconds(1));
		assertThat(lease("default", null, Map.of("visibility_timeout_ms", 1e300))).isEqualTo(RunTerms.LONGEST_LEASE);
		assertThat(lease("default", null, Map.of("visibility_timeout_ms", -5))).isEqualTo(RunTerms.DEFAULT_LEASE);
		assertThat(lease("default", null, Map.of("visibility_timeout_ms", "soon"))).isEqualTo(RunTerms.DEFAULT_LEASE);
		assertThat(lease("default", Duration.ofDays(400), Map.of())).isEqualTo(RunTerms.LONGEST_LEASE);
	}

	@Test
	void timeoutIsThatOfTheJobOrItsQueue() {
		assertThat(this.terms.reservation(job("default", Map.of()), null).timeout()).isEqualTo(Duration.ofMinutes(3));
		Job hurried = Job.builder(ID, "test.it", "default").timeout(Duration.ofSeconds(2)).build();
		assertThat(this.terms.reservation(hurried, null).timeout()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void attemptsAreThoseThatTheStoreKnows() {
		StoredJob stored = new StoredJob(job("default", Map.of()), 9, Map.of(), null, null, null, 0);
		assertThat(this.terms.policy(stored).maxAttempts()).isEqualTo(9);
	}

}
