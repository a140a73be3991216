package io.ojs.boot.it;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.amqp.connect.BrokerConnections;
import io.ojs.amqp.connect.ConnectionEvent;
import io.ojs.amqp.connect.ConnectionState;
import io.ojs.amqp.publish.BrokerUnavailableException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.fault.ConnectionAttempt;
import io.ojs.test.fault.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * Connections that are lost come back, at the pace of AMQP binding §11.3, with all that
 * was on them; jobs that were under way are published again.
 */
class ReconnectTests extends BrokerTest {

	private FaultProxy proxy;

	@BeforeEach
	void openProxy() {
		this.proxy = FaultProxy.to(RabbitBroker.shared());
	}

	@AfterEach
	void closeProxy() {
		this.proxy.close();
	}

	@Test
	@Tag("AMQP-025")
	@Tag("AMQP-026")
	void attemptsAreAsFarApartAsTheBackoffSaysHoweverManyConsumersThereAre() {
		try (Application application = throughProxy(Parcels.class, Connections.class).start()) {
			Job before = application.ojs().enqueue("parcel.send", 1);
			Parcels parcels = application.bean(Parcels.class);
			await().until(() -> parcels.sent.contains(before.id()));
			application.bean(BrokerConnections.class).publishing().close();
			String consumers = consumers();
			int opened = this.proxy.attempts().size();
			this.proxy.refuse();
			this.proxy.reset();
			await().atMost(Duration.ofSeconds(20)).until(() -> this.proxy.attempts().size() >= opened + 3);
			deleteAll();
			this.proxy.accept();
			// Before the queue is bound again, what is published leads nowhere.
			await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> {
				client().publishJob("parcels", "019539a4-b68c-7def-8000-1a2b3c4d5e6f", "parcel.send", "[2]");
				return parcels.sent.contains("019539a4-b68c-7def-8000-1a2b3c4d5e6f");
			});
			List<ConnectionAttempt> attempts = this.proxy.attempts().subList(opened, this.proxy.attempts().size());
			assertThat(attempts).hasSize(4);
			for (int i = 1; i < attempts.size(); i++) {
				double expected = Math.pow(2, i);
				assertThat(Duration.between(attempts.get(i - 1).at(), attempts.get(i).at()).toMillis() / 1000.0)
					.isCloseTo(expected, within(expected * 0.25 + 0.5));
			}
			assertThat(consumers()).isEqualTo(consumers);
			assertThat(application.bean(Connections.class).told).extracting((event) -> event.getClass().getSimpleName())
				.containsSubsequence("Lost", "Reconnecting", "Reconnecting", "Reconnecting", "Reconnecting",
						"Restored");
			ConnectionState state = application.bean(BrokerConnections.class).consuming().state();
			assertThat(state.up()).isTrue();
			assertThat(state.reconnections()).isEqualTo(4);
		}
	}

	@Test
	@Tag("AMQP-025")
	void whoeverEnqueuesDoesNotNoticeAShortLoss() {
		try (Application application = throughProxy(Parcels.class).start()) {
			application.ojs().enqueue("parcel.send", 0);
			for (int i = 0; i < 3; i++) {
				this.proxy.reset();
				application.ojs().enqueue("parcel.send", i);
			}
			this.proxy.reset();
			application.ojs().enqueueAsync("parcel.send", 4).join();
			assertThat(this.proxy.attempts()).as("connections, of which each reset broke one")
				.hasSizeGreaterThanOrEqualTo(5);
			Thread resets = new Thread(() -> {
				for (int i = 0; i < 4; i++) {
					await().pollDelay(Duration.ofMillis(150)).until(() -> true);
					this.proxy.reset();
				}
			});
			resets.start();
			Set<String> confirmed = application.ojs()
				.enqueueAll(IntStream.range(0, 3000)
					.mapToObj((i) -> JobRequest.of("parcel.send", "x".repeat(2000)))
					.toList())
				.stream()
				.map(Job::id)
				.collect(Collectors.toSet());
			Set<String> sent = application.bean(Parcels.class).sent;
			await().atMost(Duration.ofSeconds(60)).until(() -> sent.containsAll(confirmed));
		}
	}

	@Test
	@Tag("AMQP-025")
	void brokerThatIsGoneForLongIsAskedOnceASecondAtMostAndNobodyWaitsForIt() {
		try (Application application = throughProxy().property("ojs.publisher.confirm-timeout", "1s").start()) {
			application.ojs().enqueue("parcel.send", 0);
			this.proxy.refuse();
			this.proxy.reset();
			assertThatExceptionOfType(BrokerUnavailableException.class)
				.isThrownBy(() -> application.ojs().enqueue("parcel.send", 1));
			int attempts = this.proxy.attempts().size();
			long began = System.nanoTime();
			int calls = 0;
			while (System.nanoTime() - began < Duration.ofSeconds(4).toNanos()) {
				calls++;
				assertThatExceptionOfType(BrokerUnavailableException.class)
					.isThrownBy(() -> application.ojs().enqueue("parcel.send", 1))
					.withMessageContaining(Integer.toString(this.proxy.port()));
			}
			assertThat(calls).isGreaterThan(100);
			// Two connections; each tries by itself too.
			long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
			assertThat(this.proxy.attempts().size() - attempts).isBetween(2, (int) (2 * (seconds + 1)));
			this.proxy.accept();
			await().ignoreExceptions().until(() -> application.ojs().enqueue("parcel.send", 2) != null);
		}
	}

	@Test
	@Tag("AMQP-027")
	void consumersComeBackAfterTheirQueueWasDeleted() throws Exception {
		try (Application application = throughProxy(Parcels.class, Connections.class).start()) {
			String consumers = consumers();
			client().channel().queueDelete("ojs.queue.parcels");
			await().atMost(Duration.ofSeconds(15)).until(() -> consumers().equals(consumers));
			Job job = application.ojs().enqueue("parcel.send", 1);
			await().until(() -> application.bean(Parcels.class).sent.contains(job.id()));
			assertThat(application.bean(Connections.class).told)
				.contains(new ConnectionEvent.ConsumerCancelled("consuming", "parcels"));
		}
	}

	private void deleteAll() {
		try {
			client().channel().queueDelete("ojs.queue.parcels");
			client().channel().exchangeDelete("ojs.exchange.direct");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String consumers() {
		return RabbitBroker.shared()
			.ctl("list_consumers", "-p", virtualHost(), "queue_name", "prefetch_count", "ack_required")
			.lines()
			.sorted()
			.collect(Collectors.joining("\n"));
	}

	private Application.Starter throughProxy(Class<?>... beans) {
		return Application.on(this.proxy.uri(ownVirtualHost())).with(beans);
	}

	static class Parcels {

		private final Set<String> sent = ConcurrentHashMap.newKeySet();

		@OjsJobHandler(value = "parcel.send", queue = "parcels", concurrency = 3)
		void send(Object content, Job job) {
			this.sent.add(job.id());
		}

	}

	static class Connections {

		private final List<ConnectionEvent> told = new CopyOnWriteArrayList<>();

		@EventListener
		void on(ConnectionEvent event) {
			this.told.add(event);
		}

	}

}
