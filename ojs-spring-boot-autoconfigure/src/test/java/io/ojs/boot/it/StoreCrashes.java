package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.ojs.amqp.internal.message.Purpose;
import io.ojs.amqp.internal.observe.AmqpMetrics;
import io.ojs.amqp.internal.observe.ConsumerMetrics;
import io.ojs.client.OjsOperations;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.store.internal.JobStore;
import io.ojs.store.internal.attempt.AttemptStore;
import io.ojs.store.internal.relay.JobPublisher;
import io.ojs.store.internal.relay.Relay;
import io.ojs.store.internal.relay.RelayStore;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What applications with a job store are made of that are there to be killed, and those
 * that go on after them.
 */
final class StoreCrashes {

	static final String LEDGER = "test.ledger";

	static final String LEASE = "3s";

	static final Duration HOLD = Duration.ofSeconds(5);

	/** The retry queue has a message, and the one before it is unacked. */
	static final String IN_RETRY_QUEUE = "retry confirmed";

	private StoreCrashes() {
	}

	/** Notes a line in a file, which survives the process. */
	static void note(Path file, String line) {
		try {
			Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Where a process can be killed, before and after each call. */
	static class CrashPoints {

		@Bean
		static BeanPostProcessor aroundJobs() {
			return CrashPoint.around(JobStore.class);
		}

		@Bean
		static BeanPostProcessor aroundAttempts() {
			return CrashPoint.around(AttemptStore.class);
		}

		@Bean
		static BeanPostProcessor aroundRelay() {
			return CrashPoint.around(RelayStore.class);
		}

		@Bean
		static BeanPostProcessor aroundPublisher() {
			return CrashPoint.around(JobPublisher.class);
		}

	}

	/** Gets to hear of confirms before whoever waits for them. */
	static class Confirms {

		@Bean
		@Primary
		AmqpMetrics confirms() {
			return new AmqpMetrics() {

				@Override
				public void published(String queue, Purpose purpose) {
					CrashPoint.reach(purpose + " confirmed");
				}

				@Override
				public void returned(String queue) {
					// None is.
				}

				@Override
				public void confirmed(long nanos) {
					// Does not say of what.
				}

				@Override
				public void reconnecting() {
					// Nobody looks.
				}

				@Override
				public ConsumerMetrics consumers(String queue, int count) {
					return ConsumerMetrics.NONE;
				}

			};
		}

	}

	/** What a relay has taken when it dies is another one's after a time to wait for. */
	static class ShortHold {

		@Bean(destroyMethod = "")
		@Primary
		Relay relay(RelayStore store, JobPublisher publisher) {
			return new Relay(store, publisher, Clock.systemUTC(), Relay.DEFAULT_BATCH_SIZE, Relay.DEFAULT_POLL_INTERVAL,
					HOLD);
		}

	}

	/** Enqueues a job as soon as it runs. */
	static class Enqueuer {

		@Bean
		ApplicationRunner enqueueOne(OjsOperations ojs) {
			return (arguments) -> ojs.enqueue(JobRequest.of("desk.write").queue("desk"));
		}

	}

	/** Enqueues a job within a transaction as soon as it runs. */
	static class EnqueuerInATransaction {

		@Bean
		ApplicationRunner enqueueOne(OjsOperations ojs, TransactionTemplate transaction) {
			return (arguments) -> transaction
				.executeWithoutResult((status) -> ojs.enqueue(JobRequest.of("desk.write").queue("desk")));
		}

	}

	/** Enqueues a job that nobody publishes before it is due, and then the relay. */
	static class LateEnqueuer {

		@Bean
		ApplicationRunner enqueueLater(OjsOperations ojs) {
			return (arguments) -> ojs
				.enqueue(JobRequest.of("desk.write").queue("desk").scheduledAt(Instant.now().plusSeconds(1)));
		}

	}

	/** Its handlers write down each run before anything else. */
	static class Desk {

		private final Path ledger;

		Desk(@Value("${" + LEDGER + "}") Path ledger) {
			this.ledger = ledger;
		}

		@OjsJobHandler(value = "desk.write", queue = "desk")
		void write(JobContext context) {
			run(context);
		}

		@OjsJobHandler(value = "desk.second", queue = "desk")
		void second(JobContext context) {
			run(context);
			if (context.attempt() == 1) {
				throw new IllegalStateException("no luck at attempt 1");
			}
		}

		@OjsJobHandler(value = "desk.never", queue = "desk")
		void never(JobContext context) {
			run(context);
			throw new IllegalStateException("no luck at attempt " + context.attempt());
		}

		private void run(JobContext context) {
			note(this.ledger, context.job().id() + " " + context.attempt());
			CrashPoint.reach("handler");
		}

	}

}
