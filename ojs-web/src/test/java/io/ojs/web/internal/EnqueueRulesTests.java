package io.ojs.web.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.ojs.job.JobRequest;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.LiveQueueListener;
import io.ojs.queue.internal.LiveQueues;
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

	private final List<String> ofCrons = new ArrayList<>();

	private final EnqueueRules rules = new EnqueueRules(this.queues, () -> this.ofCrons, EnqueueRulesTests::queue, 3,
			10, List.of("queue:*", "stripe"));

	@Test
	void oneRequestMakesFewQueues() {
		this.rules.check(to(0, 3), false);
		refused(() -> this.rules.check(to(0, 4), false), 422, "3 queues");
		IntStream.range(0, 3).forEach((i) -> this.queues.names.add("q" + i));
		this.rules.check(to(0, 6), false);
		refused(() -> this.rules.check(to(0, 7), false), 422, "3 queues");
	}

	@Test
	void allRequestsTogetherMakeNoMoreThanTheyMay() {
		IntStream.range(0, 8).forEach((i) -> this.queues.names.add("q" + i));
		this.rules.check(to(0, 10), false);
		refused(() -> this.rules.check(to(0, 11), false), 422, "10");
		IntStream.range(8, 20).forEach((i) -> this.queues.names.add("q" + i));
		this.rules.check(to(0, 20), false);
		refused(() -> this.rules.check(to(20, 21), false), 422, "q20");
		assertThatCode(() -> check(JobRequest.of("a"))).doesNotThrowAnyException();
	}

	@Test
	void queuesThatCronsWillMakeCountToo() {
		IntStream.range(0, 7).forEach((i) -> this.queues.names.add("q" + i));
		// One that there is, one that comes to be, and one that fires twice a day.
		this.ofCrons.addAll(List.of("q1", "nightly", "daily", "daily"));
		this.rules.check(to(7, 8), false);
		refused(() -> this.rules.check(to(7, 9), false), 422, "There are 9 queues");
		this.rules.check(List.of(JobRequest.of("a").queue("daily")), false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "queue:emails", "queue:", "stripe" })
	void limitsOfTheApplicationAreItsOwn(String key) {
		JobRequest request = JobRequest.of("a").extension("rate_limit", Map.of("key", key, "concurrency", 0));
		refused(() -> this.rules.check(List.of(JobRequest.of("a"), request), false), 403, key);
		refused(() -> this.rules.check(List.of(request), true), 403, key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "stripe2", "queues", "my:queue:x" })
	void otherLimitsAreForEverybody(String key) {
		check(JobRequest.of("a").extension("rate_limit", Map.of("key", key, "concurrency", 1)));
	}

	/** The key of one that names none is that of its queue. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void limitWithoutAKeyIsThatOfItsQueue(int concurrency) {
		JobRequest request = JobRequest.of("a").extension("rate_limit", Map.of("concurrency", concurrency));
		refused(() -> check(request), 403, "queue:of-a");
		refused(() -> check(request.queue("emails")), 403, "queue:emails");
		Map<String, Object> withNull = new HashMap<>(Map.of("concurrency", concurrency));
		withNull.put("key", null);
		refused(() -> check(JobRequest.of("a").extension("rate_limit", withNull)), 403, "queue:of-a");
		// A caller with the right to admin can pause the queue as well.
		this.rules.check(List.of(request), true);
		EnqueueRules open = new EnqueueRules(this.queues, List::of, EnqueueRulesTests::queue, 3, 10,
				List.of("queue:other"));
		open.check(List.of(request), false);
		refused(() -> open.check(List.of(request.queue("other")), false), 403, "queue:other");
	}

	@Test
	void replaysMakeNoMoreQueuesThanRequests() {
		this.queues.names.add("q0");
		this.rules.checkReplay(null, null, false);
		this.rules.checkReplay("q0", null, false);
		this.rules.checkReplay("new", null, true);
		refused(() -> this.rules.checkReplay("new", null, false), 422, "'new' does not exist");
		IntStream.range(1, 10).forEach((i) -> this.queues.names.add("q" + i));
		refused(() -> this.rules.checkReplay("new", null, true), 422, "10");
	}

	@Test
	void replaysPutIntoAQueueWhatItTakes() {
		this.queues.names.add("q0");
		this.queues.types = List.of("mail.*", "report.build");
		this.rules.checkReplay("q0", "mail.send", false);
		this.rules.checkReplay("q0", "report.build", true);
		refused(() -> this.rules.checkReplay("q0", "report.delete", false), 422, "mail.*, report.build");
		refused(() -> this.rules.checkReplay("q0", "report.*", true), 422, "mail.*, report.build");
		refused(() -> this.rules.checkReplay("q0", null, true), 422, "mail.*, report.build");
	}

	private void check(JobRequest request) {
		this.rules.check(List.of(request), false);
	}

	private static String queue(JobRequest request) {
		return (request.queue() != null) ? request.queue() : "of-" + request.type();
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

		private List<String> types = List.of("*");

		@Override
		public LiveQueue get(String name) {
			return new LiveQueue(name, QueueState.ACTIVE, QueueConfig.builder().allowedJobTypes(this.types).build());
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
