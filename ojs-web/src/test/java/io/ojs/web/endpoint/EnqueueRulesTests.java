package io.ojs.web.endpoint;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.ojs.job.JobRequest;
import io.ojs.queue.LiveQueue;
import io.ojs.queue.LiveQueueListener;
import io.ojs.queue.LiveQueues;
import io.ojs.web.HttpFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What callers may not do to queues and limits of others.
 */
class EnqueueRulesTests {

	private final Known queues = new Known();

	private final EnqueueRules rules = new EnqueueRules(this.queues, 3, 10, List.of("queue:*", "stripe"));

	@Test
	void oneRequestMakesFewQueues() {
		this.rules.check(to(0, 3));
		refused(() -> this.rules.check(to(0, 4)), 422, "3 queues");
		IntStream.range(0, 3).forEach((i) -> this.queues.names.add("q" + i));
		this.rules.check(to(0, 6));
		refused(() -> this.rules.check(to(0, 7)), 422, "3 queues");
	}

	@Test
	void allRequestsTogetherMakeNoMoreThanTheyMay() {
		IntStream.range(0, 8).forEach((i) -> this.queues.names.add("q" + i));
		this.rules.check(to(0, 10));
		refused(() -> this.rules.check(to(0, 11)), 422, "10");
		IntStream.range(8, 20).forEach((i) -> this.queues.names.add("q" + i));
		this.rules.check(to(0, 20));
		refused(() -> this.rules.check(to(20, 21)), 422, "q20");
		assertThatCode(() -> this.rules.check(List.of(JobRequest.of("a")))).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "queue:emails", "queue:", "stripe" })
	void limitsOfTheApplicationAreItsOwn(String key) {
		JobRequest request = JobRequest.of("a").extension("rate_limit", Map.of("key", key, "concurrency", 0));
		refused(() -> this.rules.check(List.of(JobRequest.of("a"), request)), 403, key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "stripe2", "queues", "my:queue:x" })
	void otherLimitsAreForEverybody(String key) {
		this.rules.check(List.of(JobRequest.of("a").extension("rate_limit", Map.of("key", key, "concurrency", 1))));
		this.rules.check(List.of(JobRequest.of("a").extension("rate_limit", Map.of("concurrency", 1))));
	}

	private static List<JobRequest> to(int from, int until) {
		return IntStream.range(from, until).mapToObj((i) -> JobRequest.of("a").queue("q" + i)).toList();
	}

	private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, int status, String shown) {
		assertThatExceptionOfType(HttpFailure.class).isThrownBy(call)
			.withMessageContaining(shown)
			.matches((ex) -> ex.error().status() == status);
	}

	/** Queues by their names alone. */
	private static final class Known implements LiveQueues {

		private final TreeSet<String> names = new TreeSet<>();

		@Override
		public LiveQueue get(String name) {
			return UNMANAGED.get(name);
		}

		@Override
		public void listen(LiveQueueListener listener) {
			// Nothing changes.
		}

		@Override
		public boolean exists(String name) {
			return this.names.contains(name);
		}

		@Override
		public int count() {
			return this.names.size();
		}

	}

}
