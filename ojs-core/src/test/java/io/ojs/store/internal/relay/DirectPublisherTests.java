package io.ojs.store.internal.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.ojs.TestClock;
import io.ojs.client.internal.EncodedJob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class DirectPublisherTests {

	private static final Instant UNTIL = ScriptedPublisher.UNTIL;

	private final ScriptedRelayStore store = new ScriptedRelayStore();

	private final ScriptedPublisher publisher = new ScriptedPublisher();

	private final TestClock clock = new TestClock();

	private final PublishedJobs published = new PublishedJobs(this.store, this.clock);

	private final DirectPublisher direct = new DirectPublisher(this.publisher, this.published, this.clock);

	@AfterEach
	void close() {
		this.direct.close();
	}

	@Test
	void whatTheBrokerConfirmsIsToBeNotedAndNothingElse() {
		this.publisher.refused.put(ScriptedPublisher.id(1), "the queue is full");
		this.direct.start();
		publish(0, 3);
		awaitPublished(0, 3);
		await().until(() -> noted().size() == 2);
		assertThat(noted()).containsExactlyInAnyOrder(ScriptedPublisher.id(0), ScriptedPublisher.id(2));
	}

	@Test
	void eachIsNotedWithTheTimeAtWhichTheRelayIsToTakeIt() {
		this.direct.publish(ScriptedPublisher.job(0, "default", UNTIL.plusSeconds(9)));
		this.direct.publish(ScriptedPublisher.job(1, "default"));
		this.direct.start();
		awaitPublished(0, 2);
		await().until(() -> noted().size() == 2);
		assertThat(this.store.untils).containsOnly(Map.entry(ScriptedPublisher.id(0), UNTIL.plusSeconds(9)),
				Map.entry(ScriptedPublisher.id(1), UNTIL));
	}

	@Test
	void jobsThatWaitGoTogether() {
		publish(0, 700);
		this.direct.start();
		awaitPublished(0, 700);
		assertThat(this.publisher.published).extracting(List::size).containsExactly(500, 200);
	}

	@Test
	void jobsThatComeRightBehindAnotherGoTogether() {
		DirectPublisher gathering = new DirectPublisher(this.publisher, this.published, this.clock, Long.MAX_VALUE,
				Duration.ofHours(1));
		gathering.start();
		gathering.publish(ScriptedPublisher.job(0, "default"));
		awaitPublished(0, 1);
		for (int i = 1; i < 4; i++) {
			gathering.publish(ScriptedPublisher.job(i, "default"));
			await().during(Duration.ofMillis(50)).until(() -> this.publisher.published.size() == 1);
		}
		// It ends with all that it has.
		gathering.close();
		assertThat(this.publisher.published).extracting(List::size).containsExactly(1, 3);
	}

	@Test
	void noMoreThanABatchIsGathered() {
		DirectPublisher gathering = new DirectPublisher(this.publisher, this.published, this.clock, Long.MAX_VALUE,
				Duration.ofHours(1));
		gathering.start();
		gathering.publish(ScriptedPublisher.job(0, "default"));
		awaitPublished(0, 1);
		for (int i = 1; i < 502; i++) {
			gathering.publish(ScriptedPublisher.job(i, "default"));
		}
		await().until(() -> this.publisher.published.size() > 1);
		gathering.close();
		assertThat(this.publisher.published).hasSize(3).extracting(List::size).startsWith(1);
	}

	@Test
	void jobIsLeftToTheRelayIfItIsAboutToTakeIt() {
		this.direct.publish(ScriptedPublisher.job(0, "default", TestClock.START.plusSeconds(10)));
		this.direct.publish(ScriptedPublisher.job(1, "default", TestClock.START.plusMillis(10_001)));
		this.clock.advance(Duration.ofSeconds(7));
		this.direct.start();
		awaitPublished(1, 2);
	}

	@Test
	void graceThatIsShortLeavesHalfOfItToPublishAtOnce() {
		this.direct.publish(ScriptedPublisher.job(0, "default", TestClock.START.plusSeconds(2)));
		this.direct.publish(ScriptedPublisher.job(1, "default", TestClock.START.plusMillis(2002)));
		this.clock.advance(Duration.ofSeconds(1));
		this.direct.start();
		awaitPublished(1, 2);
	}

	@Test
	void brokerThatDoesNotAnswerDoesNotHoldUpTheEnd() {
		this.publisher.answer = new CompletableFuture<>();
		publish(0, DirectPublisher.WINDOW + 1);
		this.direct.start();
		awaitPublished(0, DirectPublisher.WINDOW);
		await().until(() -> this.direct.waiting() == 0);
		assertThat(this.direct.isWorking()).isTrue();
		this.direct.close();
		assertThat(this.direct.isWorking()).isFalse();
		awaitPublished(0, DirectPublisher.WINDOW);
	}

	@Test
	void nothingIsPublishedWhileTheBrokerIsAway() {
		this.publisher.ready = false;
		publish(0, 1);
		this.direct.start();
		this.direct.close();
		assertThat(this.publisher.published).isEmpty();
		this.publisher.ready = true;
		this.direct.start();
		publish(1, 2);
		awaitPublished(1, 2);
	}

	@ParameterizedTest
	@ValueSource(classes = { IllegalStateException.class, NoClassDefFoundError.class })
	void publisherThatThrowsIsGivenTheNextJobs(Class<? extends Throwable> type) throws Exception {
		this.publisher.failure = type.getDeclaredConstructor().newInstance();
		this.direct.start();
		publish(0, 1);
		awaitPublished(0, 1);
		this.publisher.failure = null;
		publish(1, 2);
		awaitPublished(0, 2);
		await().until(() -> noted().equals(ScriptedPublisher.ids(1, 2)));
	}

	@Test
	void brokerThatDoesNotAnswerHoldsNobodyUp() {
		CompletableFuture<PublishReport> late = new CompletableFuture<>();
		this.publisher.answer = late;
		this.direct.start();
		publish(0, 1);
		awaitPublished(0, 1);
		this.publisher.answer = CompletableFuture.failedFuture(new IllegalStateException("a bug"));
		publish(1, 2);
		awaitPublished(0, 2);
		this.publisher.answer = null;
		publish(2, 3);
		await().until(() -> noted().equals(ScriptedPublisher.ids(2, 3)));
		late.complete(this.publisher.report(ScriptedPublisher.jobs(0, 1)));
		assertThat(noted()).containsExactly(ScriptedPublisher.id(2), ScriptedPublisher.id(0));
	}

	@Test
	void noMoreThanAWindowWaitForTheBroker() {
		CompletableFuture<PublishReport> late = new CompletableFuture<>();
		this.publisher.answer = late;
		publish(0, DirectPublisher.WINDOW + 2);
		this.direct.start();
		awaitPublished(0, DirectPublisher.WINDOW);
		await().during(Duration.ofMillis(300))
			.until(() -> flat(this.publisher.published).size() == DirectPublisher.WINDOW);
		this.publisher.answer = null;
		late.complete(this.publisher.report(ScriptedPublisher.jobs(0, DirectPublisher.WINDOW)));
		awaitPublished(0, DirectPublisher.WINDOW + 2);
		await().until(() -> noted().size() >= DirectPublisher.WINDOW + 2);
	}

	@Test
	void thoseThatWaitForRoomAreLeftToTheRelayWhenTheirTimeIsUp() {
		CompletableFuture<PublishReport> never = new CompletableFuture<>();
		this.publisher.answer = never;
		publish(0, DirectPublisher.WINDOW + 1);
		this.direct.start();
		awaitPublished(0, DirectPublisher.WINDOW);
		await().until(() -> this.direct.waiting() == 0);
		this.clock.advance(Duration.ofSeconds(9));
		this.direct.publish(ScriptedPublisher.job(DirectPublisher.WINDOW + 1, "default", UNTIL.plusSeconds(10)));
		await().until(() -> this.direct.waiting() == 0);
		this.publisher.answer = null;
		never.completeExceptionally(new IllegalStateException("closed"));
		await().until(() -> flat(this.publisher.published).size() == DirectPublisher.WINDOW + 1);
		assertThat(flat(this.publisher.published)).endsWith(ScriptedPublisher.id(DirectPublisher.WINDOW + 1));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatIsNotPublishedTakesNoRoom(boolean ready) {
		this.publisher.ready = ready;
		this.publisher.failure = new IllegalStateException("a bug");
		publish(0, 2 * DirectPublisher.WINDOW);
		this.direct.start();
		await().until(() -> this.direct.waiting() == 0);
	}

	@Test
	void whoeverEnqueuesNeverWaitsAndWhatIsTooMuchIsLeftToTheRelay() {
		try (DirectPublisher narrow = holding(100 * DirectPublisher.BYTES_PER_JOB)) {
			IntStream.range(0, 150).forEach((i) -> narrow.publish(ScriptedPublisher.job(i, "default")));
			narrow.start();
			awaitPublished(0, 100);
			narrow.publish(ScriptedPublisher.job(100, "default"));
			awaitPublished(0, 101);
		}
	}

	@Test
	void jobsAreTooMuchByWhatTheyCarry() {
		RelayedJob empty = ScriptedPublisher.job(0, "default");
		RelayedJob large = new RelayedJob(new EncodedJob(empty.encoded().job(), new byte[1_000], 3), Map.of(), UNTIL);
		try (DirectPublisher narrow = holding(2 * DirectPublisher.BYTES_PER_JOB + 999)) {
			narrow.publish(empty);
			narrow.publish(large);
			narrow.publish(ScriptedPublisher.job(1, "default"));
			narrow.start();
			awaitPublished(0, 2);
		}
	}

	private DirectPublisher holding(long bytes) {
		return new DirectPublisher(this.publisher, this.published, this.clock, bytes, Duration.ZERO);
	}

	@Test
	void whatWaitsIsPublishedBeforeItIsClosedAndNothingAfterwards() throws Exception {
		CountDownLatch connected = new CountDownLatch(1);
		JobPublisher slow = new JobPublisher() {

			@Override
			public boolean isReady() {
				try {
					connected.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return true;
			}

			@Override
			public CompletableFuture<PublishReport> publish(List<RelayedJob> jobs) {
				return DirectPublisherTests.this.publisher.publish(jobs);
			}

			@Override
			public long waiting(String queue) {
				throw new UnsupportedOperationException();
			}

			@Override
			public int consumers(String queue) {
				return 0;
			}

		};
		DirectPublisher closing = new DirectPublisher(slow, this.published, this.clock);
		closing.start();
		ScriptedPublisher.jobs(0, 1200).forEach(closing::publish);
		Thread closer = new Thread(closing::close);
		closer.start();
		await().until(() -> closer.getState() == Thread.State.TIMED_WAITING);
		closing.publish(ScriptedPublisher.job(1200, "default"));
		connected.countDown();
		closer.join();
		awaitPublished(0, 1200);
		assertThat(noted()).hasSize(1200);
	}

	private void publish(int from, int to) {
		ScriptedPublisher.jobs(from, to).forEach(this.direct::publish);
	}

	private void awaitPublished(int from, int to) {
		List<String> expected = ScriptedPublisher.ids(from, to);
		await().until(() -> flat(this.publisher.published).size() >= expected.size());
		assertThat(flat(this.publisher.published)).containsExactlyElementsOf(expected);
	}

	private List<String> noted() {
		this.published.close();
		return flat(this.store.published);
	}

	private static List<String> flat(List<List<String>> lists) {
		List<String> all = new ArrayList<>();
		lists.forEach(all::addAll);
		return all;
	}

}
