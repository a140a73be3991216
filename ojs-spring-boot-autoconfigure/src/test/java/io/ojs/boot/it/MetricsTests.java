package io.ojs.boot.it;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;

import io.ojs.amqp.UnroutableJobException;
import io.ojs.client.OjsOperations;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What Prometheus reads of an application whose jobs succeed, are retried, dead-lettered,
 * nacked and returned.
 */
@Tag("AMQP-024")
class MetricsTests extends BrokerTest {

	private static final String PUBLISHED = "ojs_amqp_messages_published_total";

	private @Nullable Application application;

	/** The one of most tests, which {@link #ojs} starts. */
	private void startApplication() {
		this.application = application(Mails.class).managed()
			.property("ojs.queues.mail.concurrency", 2)
			.property("ojs.queues.mail.retry.max-attempts", 2)
			.start();
	}

	@AfterEach
	void stopApplication() {
		if (this.application != null) {
			this.application.bean(Mails.class).release.countDown();
			this.application.close();
		}
	}

	@Test
	@Tag("AMQP-024")
	void allElevenAreThereBeforeAnythingHappens() {
		startApplication();
		Scrape scrape = Scrape.of(this.application);
		assertThat(scrape.has("ojs_amqp_connections_active", "gauge")).isTrue();
		assertThat(scrape.has("ojs_amqp_channels_active", "gauge")).isTrue();
		for (String counter : new String[] { PUBLISHED, "ojs_amqp_messages_consumed_total",
				"ojs_amqp_messages_acked_total", "ojs_amqp_messages_nacked_total", "ojs_amqp_messages_returned_total",
				"ojs_amqp_reconnections_total" }) {
			assertThat(scrape.has(counter, "counter")).as(counter).isTrue();
			assertThat(scrape.value(counter)).as(counter).isZero();
		}
		assertThat(scrape.has("ojs_amqp_messages_unacked", "gauge")).isTrue();
		assertThat(scrape.has("ojs_amqp_consumer_utilization", "gauge")).isTrue();
		assertThat(scrape.text()).contains("# TYPE ojs_amqp_publish_confirm_latency_seconds histogram\n");
	}

	@Test
	@Tag("AMQP-024")
	@Tag("GUIDE-7-2")
	void messagesAreCountedForWhatBecameOfThem() {
		enqueueAndAwait("mail.send", "job.completed");
		enqueueAndAwait("mail.send", "job.completed");
		enqueueAndAwait("mail.flaky", "job.completed");
		enqueueAndAwait("mail.broken", "job.dead_lettered");
		ojs().enqueue(JobRequest.of("mail.send").scheduledAt(Instant.now().plus(1, ChronoUnit.HOURS)));
		await().untilAsserted(() -> {
			Scrape scrape = Scrape.of(this.application);
			assertThat(scrape.value(PUBLISHED, "queue", "mail", "purpose", "job")).isEqualTo(4);
			assertThat(scrape.value(PUBLISHED, "queue", "mail", "purpose", "scheduled")).isEqualTo(1);
			assertThat(scrape.value(PUBLISHED, "queue", "mail", "purpose", "retry")).isEqualTo(2);
			assertThat(scrape.value(PUBLISHED, "queue", "mail", "purpose", "dead_letter")).isEqualTo(1);
			assertThat(scrape.value("ojs_amqp_messages_consumed_total", "queue", "mail")).isEqualTo(6);
			assertThat(scrape.value("ojs_amqp_messages_acked_total", "queue", "mail")).isEqualTo(6);
			assertThat(scrape.value("ojs_amqp_messages_nacked_total", "queue", "mail")).isZero();
			assertThat(scrape.value("ojs_amqp_messages_returned_total", "queue", "mail")).isZero();
			assertThat(scrape.value("ojs_amqp_publish_confirm_latency_seconds_count")).isEqualTo(8);
			assertThat(scrape.value("ojs_amqp_publish_confirm_latency_seconds_bucket", "le", "+Inf")).isEqualTo(8);
			assertThat(scrape.value("ojs_amqp_publish_confirm_latency_seconds_sum")).isBetween(0.0001, 60.0);
			assertThat(scrape.value("ojs_amqp_messages_unacked")).isZero();
		});
	}

	@Test
	void deadLetterWhoseQueueWasDeletedIsReturnedOnce() throws Exception {
		// It declares the queue.
		startApplication();
		client().channel().queueDelete("ojs.queue.dlx.mail");
		enqueueAndAwait("mail.broken", "job.dead_lettered");
		await().untilAsserted(() -> {
			Scrape scrape = Scrape.of(this.application);
			assertThat(scrape.value("ojs_amqp_messages_returned_total", "queue", "mail")).isEqualTo(1);
			assertThat(scrape.value("ojs_amqp_messages_nacked_total", "queue", "mail")).isZero();
			assertThat(scrape.value(PUBLISHED, "queue", "mail", "purpose", "dead_letter")).isEqualTo(1);
		});
		assertThat(client().count("ojs.queue.dlx.mail")).isEqualTo(1);
	}

	@Test
	void deadLetterThatTheBrokerMovesIsNacked() {
		this.application = application(Mails.class).managed().property("ojs.worker.dead-letters", "nack").start();
		enqueueAndAwait("mail.broken", "job.dead_lettered");
		await().untilAsserted(() -> {
			Scrape scrape = Scrape.of(this.application);
			assertThat(scrape.value("ojs_amqp_messages_nacked_total", "queue", "mail")).isEqualTo(1);
			assertThat(scrape.value(PUBLISHED, "queue", "mail", "purpose", "dead_letter")).isZero();
		});
	}

	@Test
	void jobThatIsReturnedIsNotCountedAsPublished() throws Exception {
		ojs().enqueue(JobRequest.of("parcel.send").queue("parcels"));
		double before = Scrape.of(this.application).value("ojs_amqp_publish_confirm_latency_seconds_sum");
		client().channel().queueDelete("ojs.queue.parcels");
		long began = System.nanoTime();
		assertThatExceptionOfType(UnroutableJobException.class)
			.isThrownBy(() -> ojs().enqueue(JobRequest.of("parcel.send").queue("parcels")));
		double seconds = (System.nanoTime() - began) / 1e9;
		Scrape scrape = Scrape.of(this.application);
		assertThat(scrape.value("ojs_amqp_publish_confirm_latency_seconds_sum") - before).as("no more than the call")
			.isGreaterThan(0)
			.isLessThan(seconds);
		assertThat(scrape.value("ojs_amqp_messages_returned_total", "queue", "parcels")).isEqualTo(1);
		assertThat(scrape.value(PUBLISHED, "queue", "parcels", "purpose", "job")).isEqualTo(1);
		// The broker answered both times.
		assertThat(scrape.value("ojs_amqp_publish_confirm_latency_seconds_count")).isEqualTo(2);
	}

	@Test
	@Tag("PLAY-10-4")
	void whatAConsumerHasInHandAndHowBusyItIsCanBeSeenWhileItRuns() {
		ojs().enqueue("mail.slow");
		await().untilAsserted(() -> {
			Scrape scrape = Scrape.of(this.application);
			assertThat(scrape.value("ojs_amqp_messages_unacked", "queue", "mail", "consumer", "mail#0")).isEqualTo(1);
			assertThat(scrape.value("ojs_amqp_messages_unacked", "queue", "mail", "consumer", "mail#1")).isZero();
			// One of two is busy, and sooner or later that is half of the time of both.
			assertThat(scrape.value("ojs_amqp_consumer_utilization", "queue", "mail")).isGreaterThan(0)
				.isLessThanOrEqualTo(0.5);
		});
		this.application.bean(Mails.class).release.countDown();
		await()
			.untilAsserted(() -> assertThat(Scrape.of(this.application).value("ojs_amqp_messages_unacked")).isZero());
	}

	@Test
	@Tag("PLAY-10-4")
	void messagesHeldInAdvanceAreUnackedUntilTheyAreSettled() {
		holdFiveMessagesOfOneConsumer();
		this.application.bean(Mails.class).release.countDown();
		await().untilAsserted(() -> {
			Scrape scrape = Scrape.of(this.application);
			assertThat(scrape.value("ojs_amqp_messages_acked_total", "queue", "mail")).isEqualTo(5);
			assertThat(scrape.value("ojs_amqp_messages_unacked")).isZero();
		});
	}

	@Test
	void noMessageIsUnackedOnceItsChannelIsLost() {
		holdFiveMessagesOfOneConsumer();
		// Its handler goes on, so nothing consumes again yet.
		this.application.bean(CachingConnectionFactory.class).resetConnection();
		await()
			.untilAsserted(() -> assertThat(Scrape.of(this.application).value("ojs_amqp_messages_unacked")).isZero());
		assertThat(this.application.bean(Mails.class).release.getCount()).isEqualTo(1);
		this.application.bean(Mails.class).release.countDown();
		await().untilAsserted(() -> {
			Scrape scrape = Scrape.of(this.application);
			assertThat(scrape.value("ojs_amqp_messages_acked_total", "queue", "mail")).isEqualTo(5);
			assertThat(scrape.value("ojs_amqp_messages_unacked")).isZero();
		});
	}

	private void holdFiveMessagesOfOneConsumer() {
		this.application = application(Mails.class).managed()
			.property("ojs.queues.mail.concurrency", 1)
			.property("ojs.queues.mail.prefetch", 5)
			.start();
		ojs().enqueueAll(Collections.nCopies(5, JobRequest.of("mail.slow")));
		await().untilAsserted(() -> assertThat(
				Scrape.of(this.application).value("ojs_amqp_messages_unacked", "queue", "mail", "consumer", "mail#0"))
			.isEqualTo(5));
	}

	@Test
	void connectionsAndChannelsAreThoseThatTheBrokerSees() {
		enqueueAndAwait("mail.flaky", "job.completed");
		await().untilAsserted(() -> {
			Scrape scrape = Scrape.of(this.application);
			// One of each is the client that looks into the broker.
			assertThat(scrape.value("ojs_amqp_connections_active")).isEqualTo(broker().connections().size() - 1)
				.isEqualTo(2);
			assertThat(scrape.value("ojs_amqp_channels_active")).isEqualTo(broker().channels().size() - 1)
				.isGreaterThanOrEqualTo(3);
		});
	}

	@Test
	void jobsAreCountedByQueueAndType() {
		enqueueAndAwait("mail.send", "job.completed");
		enqueueAndAwait("mail.flaky", "job.completed");
		enqueueAndAwait("mail.broken", "job.dead_lettered");
		String foreign = "019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f";
		client().publishJob("mail", foreign, "nobody.knows", "[]");
		await().until(() -> this.application.events(foreign).contains("job.dead_lettered"));
		Scrape scrape = Scrape.of(this.application);
		assertThat(scrape.value("ojs_job_enqueued_total", "queue", "mail", "type", "mail.send")).isEqualTo(1);
		assertThat(scrape.value("ojs_job_completed_total", "queue", "mail", "type", "mail.flaky")).isEqualTo(1);
		assertThat(scrape.value("ojs_job_failed_total", "type", "mail.flaky", "outcome", "retried")).isEqualTo(1);
		assertThat(scrape.value("ojs_job_failed_total", "type", "mail.broken", "outcome", "dead_lettered"))
			.isEqualTo(1);
		assertThat(scrape.value("ojs_job_failed_total", "type", "other", "outcome", "dead_lettered")).isEqualTo(1);
		assertThat(scrape.value("ojs_job_duration_seconds_count", "type", "mail.send")).isEqualTo(1);
		assertThat(scrape.text()).doesNotContain("nobody.knows").doesNotContain(foreign);
	}

	private OjsOperations ojs() {
		if (this.application == null) {
			startApplication();
		}
		return this.application.ojs();
	}

	private void enqueueAndAwait(String type, String event) {
		Job job = ojs().enqueue(type);
		await().until(() -> this.application.events(job.id()).contains(event));
	}

	static class Mails {

		private final CountDownLatch release = new CountDownLatch(1);

		@OjsJobHandler(value = "mail.send", queue = "mail")
		void send() {
		}

		@OjsJobHandler(value = "mail.flaky", queue = "mail")
		void flaky(JobContext context) {
			if (context.attempt() == 1) {
				throw new IllegalStateException("the first time fails");
			}
		}

		@OjsJobHandler(value = "mail.broken", queue = "mail")
		void broken() {
			throw new IllegalStateException("no luck");
		}

		@OjsJobHandler(value = "mail.slow", queue = "mail")
		void slow() throws InterruptedException {
			this.release.await();
		}

	}

}
