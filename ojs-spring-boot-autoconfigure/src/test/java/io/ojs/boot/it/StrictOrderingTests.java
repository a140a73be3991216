package io.ojs.boot.it;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ojs.amqp.DeclarationRefusedException;
import io.ojs.amqp.JobListenerContainerCustomizer;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * A queue with {@code ordering=strict}: one job at a time, in the order of enqueueing,
 * whatever the number of applications.
 */
@Tag("broker-versions")
class StrictOrderingTests extends BrokerTest {

	private static final int JOBS = 500;

	/** Shared by the applications of a test, which are several. */
	private static final Ledger ledger = new Ledger();

	@BeforeEach
	void clear() {
		ledger.ran.clear();
		ledger.running.set(0);
		ledger.most.set(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "quorum", "classic" })
	@Tag("PLAY-6-1")
	@Tag("PLAY-10-3")
	void jobsRunOneAfterTheOtherAlsoWhileApplicationsComeAndGo(String type) {
		try (Application first = ledgerApplication(type); Application second = ledgerApplication(type)) {
			// Priorities must not make any overtake.
			first.ojs()
				.enqueueAll(IntStream.range(0, JOBS)
					.mapToObj((i) -> JobRequest.of("ledger.write", i).priority(i % 90))
					.toList());
			awaitRuns(JOBS / 4);
			assertThat(ledger.ran.size()).as("closed in the middle").isLessThan(JOBS * 3 / 4);
			close(first);
			try (Application third = ledgerApplication(type)) {
				awaitRuns(JOBS / 2);
				close(second);
				awaitRuns(JOBS);
				assertThat(third.ojs()).isNotNull();
			}
		}
		assertThat(ledger.ran).containsExactlyElementsOf(IntStream.range(0, JOBS).boxed().toList());
		assertThat(ledger.most.get()).as("jobs at a time").isEqualTo(1);
	}

	/** In the middle of its work, and not at the end of a block. */
	private static void close(Application application) {
		application.close();
	}

	private static void awaitRuns(int count) {
		await().atMost(Duration.ofSeconds(60)).until(() -> ledger.ran.size() >= count);
	}

	@Test
	void jobThatFailsLosesItsPlaceAndTheNextRunsMeanwhile() {
		try (Application application = ledgerApplication("quorum")) {
			application.ojs()
				.enqueueAll(List.of(JobRequest.of("ledger.write", 1), JobRequest.of("ledger.write", -2),
						JobRequest.of("ledger.write", 3), JobRequest.of("ledger.write", 4)));
			awaitRuns(5);
			assertThat(ledger.ran).containsExactly(1, -2, 3, 4, -2);
		}
	}

	@Test
	void queueThatExistsWithoutASingleActiveConsumerIsRefused() throws IOException {
		client().channel()
			.queueDeclare("ojs.queue.ledger", true, false, false,
					Map.of("x-queue-type", "quorum", "x-dead-letter-exchange", "ojs.exchange.dlx",
							"x-dead-letter-routing-key", "ledger", "x-dead-letter-strategy", "at-least-once",
							"x-overflow", "reject-publish", "x-delivery-limit", 20));
		assertThatThrownBy(() -> ledgerApplication("quorum")).hasRootCauseInstanceOf(Exception.class)
			.satisfies((thrown) -> assertThat(causes(thrown))
				.hasAtLeastOneElementOfType(DeclarationRefusedException.class))
			.hasStackTraceContaining("x-single-active-consumer");
	}

	private static List<Throwable> causes(Throwable thrown) {
		List<Throwable> causes = new ArrayList<>();
		for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
			causes.add(cause);
		}
		return causes;
	}

	private Application ledgerApplication(String type) {
		return application(Writer.class).property("ojs.queues.ledger.type", type)
			.property("ojs.queues.ledger.ordering", "strict")
			.start();
	}

	static class Writer {

		@OjsJobHandler(value = "ledger.write", queue = "ledger")
		void write(int number, JobContext context) {
			ledger.most.accumulateAndGet(ledger.running.incrementAndGet(), Math::max);
			ledger.ran.add(number);
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500 + number % 7 * 500));
			ledger.running.decrementAndGet();
			if (number < 0 && context.attempt() == 1) {
				throw new IllegalStateException("the first time it fails");
			}
		}

		@Bean
		JobListenerContainerCustomizer greedy() {
			return (queue, container) -> {
				container.setConcurrentConsumers(4);
				container.setPrefetchCount(20);
				container.setExposeListenerChannel(false);
			};
		}

	}

	/**
	 * What ran.
	 */
	static final class Ledger {

		private final List<Integer> ran = new CopyOnWriteArrayList<>();

		private final AtomicInteger running = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

	}

}
