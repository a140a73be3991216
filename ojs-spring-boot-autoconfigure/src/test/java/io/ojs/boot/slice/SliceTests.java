package io.ojs.boot.slice;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobRequest;
import io.ojs.job.JobState;
import io.ojs.test.boot.OjsTest;
import io.ojs.test.jobs.DrainResult;
import io.ojs.test.jobs.LeftJob;
import io.ojs.test.jobs.SettableClock;
import io.ojs.test.jobs.TestJobs;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import static io.ojs.test.assertj.OjsAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The jobs of an application, without anything else of it; its configuration says more
 * than a slice uses.
 */
@OjsTest(properties = { "ojs.http.enabled=true", "ojs.store.initialize-schema=always", "ojs.strict-queues=true",
		"ojs.queues.mails.max-size=1", "ojs.queues.mails.allowed-job-types=none.at-all", "ojs.worker.enabled=true",
		"ojs.queues.mails.retry.initial-interval=1h", "ojs.queues.mails.retry.max-interval=1d",
		"ojs.queues.mails.retry.jitter=false", "ojs.cron.jobs.nightly.expression=@daily",
		"ojs.cron.jobs.nightly.type=again.and-again", "management.endpoints.web.exposure.include=*",
		"ojs.encryption.types=none.at-all", "spring.rabbitmq.port=1" })
class SliceTests {

	@Autowired
	private OjsOperations ojs;

	@Autowired
	private TestJobs jobs;

	@Autowired
	private SettableClock clock;

	@Autowired
	private Shop.Mails mails;

	@Autowired
	private Shop.Diary diary;

	@Autowired
	private ApplicationContext context;

	@Test
	void whatHasToDoWithJobsIsLoadedAndNothingElse() {
		assertThat(this.context.getBeanNamesForType(Shop.Shipping.class)).hasSize(1);
		assertThat(this.context.getBeanNamesForType(Shop.Counting.class)).hasSize(1);
		assertThat(this.context.getBeanNamesForType(Shop.Locale.class)).hasSize(1);
		assertThat(this.context.getBeanNamesForType(Shop.Stock.class)).isEmpty();
		assertThat(this.context.getBeanNamesForType(Shop.Pages.class)).isEmpty();
		assertThat(this.context.getBeanNamesForType(Shop.Partners.class)).isEmpty();
		assertThat(this.context.getBeanNamesForType(ConnectionFactory.class)).isEmpty();
		assertThat(Around.class.getDeclaredClasses()).filteredOn((type) -> !type.isInterface())
			.hasSize(10)
			.allSatisfy((type) -> assertThat(this.context.getBeanNamesForType(type)).hasSize(1));
		assertThat(this.context.getBean(Clock.class)).isSameAs(this.clock);
		assertThat(this.clock.getZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
		assertThat(this.context.getBean(OjsOperations.class)).isSameAs(this.jobs);
	}

	@Test
	void aTestSaysWhatWasEnqueuedAndHasItRun() {
		int runs = this.context.getBean(Shop.Counting.class).runs;
		this.mails.sent.clear();
		this.diary.told.clear();
		this.ojs.enqueue("user.signed-up", "ada");
		assertThat(this.ojs).hasEnqueued("user.signed-up").withArgs("ada").withMeta("locale", "de").times(1);
		assertThat(this.ojs).hasNotEnqueued("email.send");
		assertThat(this.jobs.drain()).hasCompleted("email.send", "user.signed-up");
		assertThat(this.mails.sent).containsExactly("ada welcome");
		assertThat(this.diary.told).containsExactly("user.signed-up", "email.send");
		assertThat(this.context.getBean(Shop.Counting.class).runs - runs).isEqualTo(2);
		assertThat(this.ojs).hasEnqueued("email.send")
			.withArgs("ada", Map.of("template", "reminder"))
			.onQueue("mails")
			.scheduledIn(Duration.ofDays(1))
			.scheduledAt(this.clock.instant().plus(Duration.ofDays(1)))
			.inState(JobState.SCHEDULED)
			.times(1);
		assertThat(this.jobs.drain()).isEmpty();
		this.clock.advance(Duration.ofDays(1));
		assertThat(this.jobs.drain()).hasCompleted("email.send");
		assertThat(this.mails.sent).containsExactly("ada welcome", "ada reminder");
		assertThat(this.ojs).hasEnqueued("email.send").times(2);
	}

	@Test
	void jobsAreListed() {
		Job first = this.ojs.enqueue("list.me");
		Job second = this.ojs.enqueue("list.me");
		assertThat(this.ojs.list(JobQuery.first(9).type("list.me"))).extracting(Job::id)
			.containsExactly(second.id(), first.id());
	}

	@Test
	void retriesWaitForTheirTime() {
		this.ojs.enqueue("email.send", "busy", Map.of());
		Instant began = this.clock.instant();
		assertThat(this.jobs.drain().retrying()).singleElement().satisfies((job) -> {
			assertThat(job.errors().get(0).message()).isEqualTo("The mail server is busy.");
			assertThat(job.extensions()).containsKey("next_retry_at");
		});
		this.clock.advance(Duration.ofMinutes(59));
		assertThat(this.jobs.drain()).isEmpty();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.jobs.drain().retrying()).hasSize(1);
		assertThat(this.jobs.drainAll()).hasCompleted("email.send");
		// An hour, then two.
		assertThat(this.clock.instant()).isEqualTo(began.plus(Duration.ofHours(3)));
	}

	@Test
	void aJobThatNeverEndsEndsTheTest() {
		this.ojs.enqueue("again.and-again");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(this.jobs::drain)
			.withMessageContaining("1000 jobs have run")
			.withMessageContaining("again.and-again=1001");
	}

	@Test
	void whatNobodyHereTakesStays() {
		this.ojs.enqueue("partner.notify", 1);
		this.ojs.enqueue(JobRequest.of("email.send", "ada", Map.of()).queue("elsewhere"));
		this.ojs.enqueue(JobRequest.of("order.ship", "42").version("3.0"));
		this.ojs.enqueue(JobRequest.of("email.send", "ada", Map.of()).pending());
		this.ojs
			.enqueue(JobRequest.of("email.send", "ada", Map.of()).scheduledAt(Instant.parse("2100-01-01T00:00:00Z")));
		DrainResult result = this.jobs.drain();
		assertThat(result).isEmpty();
		assertThat(result.left()).extracting(LeftJob::reason)
			.containsExactly("no handler here for type partner.notify", "no handler here works queue elsewhere",
					"no handler here for its version of type order.ship", "waits until it is activated",
					"waits until 2100-01-01T00:00:00Z");
		assertThat(this.jobs.drainAll()).hasCompleted("email.send");
		assertThat(this.jobs.all()).extracting((job) -> job.state())
			.containsExactly(JobState.AVAILABLE, JobState.AVAILABLE, JobState.AVAILABLE, JobState.PENDING,
					JobState.COMPLETED);
	}

	@Test
	void anInterfaceHasHandlersToo() {
		this.ojs.enqueue("order.return", "42");
		assertThat(this.jobs.drain()).hasCompleted("order.return");
	}

	@Test
	void asManyErrorsAreKeptAsAStoreKeeps() {
		this.ojs.enqueue(JobRequest.of("email.send", "nobody", Map.of()).retry((retry) -> retry.maxAttempts(30)));
		assertThat(this.jobs.drainAll().deadLettered()).singleElement()
			.satisfies((job) -> assertThat(job.errors()).hasSize(30)
				.extracting((error) -> error.backtrace().isEmpty())
				.startsWith(true, true, true, true, true, false)
				.endsWith(false));
	}

	@Test
	void anInterruptThatAHandlerLeavesIsNotTheTests() {
		this.ojs.enqueue("email.send", "rude", Map.of());
		this.jobs.drain();
		assertThat(Thread.interrupted()).isFalse();
		this.ojs.enqueue("email.send", "ada", Map.of());
		Thread.currentThread().interrupt();
		this.jobs.drain();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void whatCannotBeEnqueuedIsAFailureOfItsFuture() {
		JobRequest request = JobRequest.of("email.send", "ada", Map.of()).unique((unique) -> unique);
		assertThat(this.ojs.enqueueAsync(request)).isCompleted();
		assertThat(this.ojs.enqueueAsync(request)).isCompletedExceptionally();
	}

	/**
	 * Of the same application.
	 */
	@Nested
	class Within {

		@Test
		void theContextIsTheSameAndThereAreNoJobs(@Autowired ApplicationContext within, @Autowired OjsOperations ojs) {
			assertThat(within).isSameAs(SliceTests.this.context);
			assertThat(ojs).isSameAs(SliceTests.this.ojs);
			beginAnew();
		}

		@Test
		void beforeEachTest() {
			beginAnew();
		}

	}

	@Test
	void eachTestBeginsWithoutJobsAtThePresent() {
		beginAnew();
	}

	@Test
	void eachTestBeginsWithoutJobsAtThePresentWhicheverComesFirst() {
		beginAnew();
	}

	private void beginAnew() {
		assertThat(this.ojs).hasEnqueuedNothing();
		assertThat(this.clock.instant()).isBetween(Instant.now().minusSeconds(60), Instant.now());
		this.ojs.enqueue("email.send", "ada", Map.of());
		this.clock.advance(Duration.ofDays(1));
	}

	@Test
	void aMessageListsWhatWasEnqueued() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.ojs).hasEnqueued("email.send"))
			.withMessage("Expected a job email.send, but there is none among no jobs at all: none was enqueued");
		this.ojs.enqueue("email.send", "nobody", Map.of("b", 1, "a", 2));
		this.ojs.enqueue("partner.notify");
		this.jobs.drain();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.ojs).hasEnqueued("email.send").withArgs("ada").times(1))
			.withMessageMatching(
					"(?s)Expected a job email.send, with args \\[\"ada\"], but there is none among the 2 jobs "
							+ "that were enqueued:\\s+1\\. email.send \\[\"nobody\",\\{\"a\":2,\"b\":1}] in queue mails, retryable, "
							+ "meta \\{\"locale\":\"de\"}, attempt 1 failed with java.lang.IllegalArgumentException: There is no "
							+ "nobody\\s+2\\. partner.notify \\[] in queue default, available, meta \\{\"locale\":\"de\"}");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.ojs).hasEnqueued("partner.notify").times(2))
			.withMessageStartingWith("Expected a job partner.notify 2 times, but there are 1 among the 2 jobs");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.ojs).hasNotEnqueued("partner.notify"))
			.withMessageContaining("1. partner.notify []");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.ojs).hasEnqueuedNothing())
			.withMessageContaining("2. partner.notify []");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.jobs.drainAll()).hasNoFailures())
			.withMessageContaining("Expected all jobs to complete, but 1 of 1 did not:")
			.withMessageContaining("There is no nobody");
	}

	@Test
	void eachConditionCounts() {
		this.ojs
			.enqueue(JobRequest.of("email.send", "ada", Map.of()).scheduledAt(this.clock.instant().plusSeconds(60)));
		for (Runnable wrong : new Runnable[] { () -> assertThat(this.ojs).hasEnqueued("email.send").withArgs("ada"),
				() -> assertThat(this.ojs).hasEnqueued("email.send").withArgs("ada", Map.of(), null),
				() -> assertThat(this.ojs).hasEnqueued("email.send").withMeta("locale", "en"),
				() -> assertThat(this.ojs).hasEnqueued("email.send").withMeta("none", null),
				() -> assertThat(this.ojs).hasEnqueued("email.send").onQueue("default"),
				() -> assertThat(this.ojs).hasEnqueued("email.send").scheduledIn(Duration.ofSeconds(62)),
				() -> assertThat(this.ojs).hasEnqueued("email.send").scheduledAt(this.clock.instant()),
				() -> assertThat(this.ojs).hasEnqueued("email.send").inState(JobState.AVAILABLE),
				() -> assertThat(this.ojs).hasEnqueued("email.send").times(0) }) {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(wrong::run);
		}
	}

}
