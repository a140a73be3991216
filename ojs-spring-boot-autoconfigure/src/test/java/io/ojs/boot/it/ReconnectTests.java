package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.impl.AMQImpl;
import io.micrometer.core.instrument.MeterRegistry;
import io.ojs.amqp.BrokerUnavailableException;
import io.ojs.amqp.ConnectionEvent;
import io.ojs.amqp.internal.connect.BrokerConnections;
import io.ojs.amqp.internal.connect.ConnectionState;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.internal.fault.ConnectionAttempt;
import io.ojs.test.internal.fault.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Connections that are lost come back, at the pace of AMQP binding §11.3, with all that
 * was on them; jobs that were under way are published again.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReconnectTests extends BrokerTest {

	private static final String FOREIGN = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private AmqpWire wire;

	private FaultProxy proxy;

	@BeforeEach
	void openProxy() {
		this.wire = new AmqpWire();
		this.proxy = this.wire.proxy();
	}

	@AfterEach
	void closeProxy() {
		this.wire.close();
	}

	@Test
	@Tag("AMQP-024")
	@Tag("AMQP-025")
	@Tag("AMQP-026")
	@Tag("GUIDE-6-3")
	void attemptsAreAsFarApartAsTheBackoffSaysHoweverManyConsumersThereAre() {
		try (Application application = throughProxy(Parcels.class, Connections.class, ReconnectPace.class).observed()
			.start()) {
			Job before = application.ojs().enqueue("parcel.send", 1);
			Parcels parcels = application.bean(Parcels.class);
			await().until(() -> parcels.sent.contains(before.id()));
			Job lost = application.ojs().enqueue("parcel.lose");
			await().until(() -> application.events(lost.id()).contains("job.dead_lettered"));
			application.ojs()
				.enqueue(JobRequest.of("parcel.send", 1).scheduledAt(Instant.now().plus(Duration.ofHours(1))));
			application.bean(BrokerConnections.class).publishing().close();
			Set<String> declared = declared(this.wire.passed().stream());
			List<String> consumers = awaitConsumers();
			int passed = this.wire.passed().size();
			int opened = this.proxy.attempts().size();
			this.proxy.refuse();
			this.proxy.reset();
			await().atMost(Duration.ofSeconds(60)).until(() -> this.proxy.attempts().size() >= opened + 3);
			deleteAll();
			this.proxy.accept();
			// Before the queue is bound again, what is published leads nowhere.
			await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
				client().publishJob("parcels", FOREIGN, "parcel.send", "[2]");
				return parcels.sent.contains(FOREIGN);
			});
			List<ConnectionAttempt> attempts = this.proxy.attempts().subList(opened, this.proxy.attempts().size());
			assertThat(attempts).hasSizeGreaterThanOrEqualTo(4);
			List<ReconnectPace.Attempt> told = application.bean(ReconnectPace.class).attempts();
			assertThat(told).as("each attempt").hasSameSizeAs(attempts);
			for (int i = 1; i < told.size(); i++) {
				assertThat(Duration.ofNanos(told.get(i).at() - told.get(i - 1).at()))
					.isGreaterThanOrEqualTo(Duration.ofMillis((long) (750 * Math.pow(2, i))));
			}
			await().untilAsserted(() -> assertThat(consumers()).isEqualTo(consumers));
			assertThat(declared).anyMatch((name) -> name.contains("ojs.queue.retry.parcels."))
				.anyMatch((name) -> name.contains("ojs.queue.delay."))
				.anyMatch((name) -> name.contains("ojs.queue.control.parcels"))
				.anyMatch((name) -> name.contains("ojs.queue.dlx.parcels"));
			assertThat(declaredBeforeUse(passed)).as("before any thread uses the new connection")
				.containsAll(declared.stream().filter((name) -> !isOfProcess(name)).toList());
			await().untilAsserted(
					() -> assertThat(declared(this.wire.passed().stream().skip(passed))).containsAll(declared));
			assertThat(application.bean(MeterRegistry.class).get("ojs.amqp.reconnections").counter().count())
				.isEqualTo(attempts.size());
			assertThat(application.bean(Connections.class).told).extracting((event) -> event.getClass().getSimpleName())
				.containsSubsequence("Lost", "Reconnecting", "Reconnecting", "Reconnecting", "Reconnecting",
						"Restored");
			ConnectionState state = application.bean(BrokerConnections.class).consuming().state();
			assertThat(state.up()).isTrue();
			assertThat(state.reconnections()).isEqualTo(attempts.size());
		}
	}

	@Test
	@Tag("AMQP-025")
	void whoeverEnqueuesDoesNotNoticeAShortLoss() {
		try (Application application = throughProxy(Parcels.class).property("ojs.publisher.confirm-timeout", "30s")
			.start()) {
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
		try (Application application = throughProxy(ReconnectPace.class).property("ojs.publisher.confirm-timeout", "1s")
			.start()) {
			ReconnectPace pace = application.bean(ReconnectPace.class);
			application.ojs().enqueue("parcel.send", 0);
			this.proxy.refuse();
			this.proxy.reset();
			assertThatExceptionOfType(BrokerUnavailableException.class)
				.isThrownBy(() -> application.ojs().enqueue("parcel.send", 1));
			long attempts = pace.count("publishing");
			int calls = 0;
			while (pace.count("publishing") < attempts + 3 || calls < 20) {
				calls++;
				assertThatExceptionOfType(BrokerUnavailableException.class)
					.isThrownBy(() -> application.ojs().enqueue("parcel.send", 1))
					.withMessageContaining(Integer.toString(this.proxy.port()));
			}
			assertThat(calls).as("more than if each had waited for an attempt")
				.isGreaterThan(2 * (int) (pace.count("publishing") - attempts));
			pace.assertKept();
			// One that is told may not have been made yet.
			assertThat(this.proxy.attempts()).as("two at the start, and those that were told")
				.hasSizeLessThanOrEqualTo(2 + pace.attempts().size());
			this.proxy.accept();
			await().ignoreExceptions().until(() -> application.ojs().enqueue("parcel.send", 2) != null);
		}
	}

	@Test
	@Tag("AMQP-027")
	void consumersComeBackAfterTheirQueueWasDeleted(CapturedOutput output) throws Exception {
		try (Application application = throughProxy(Parcels.class, Connections.class)
			.property("ojs.queues.parcels.prefetch", 7)
			.start()) {
			await().until(() -> client().consumers("ojs.queue.parcels") == 3);
			int passed = this.wire.passed().size();
			client().channel().queueDelete("ojs.queue.parcels");
			await().atMost(Duration.ofSeconds(60))
				.until(() -> client().exists("ojs.queue.parcels") && client().consumers("ojs.queue.parcels") == 3);
			// By another client: what the application enqueues would declare the queue.
			client().publishJob("parcels", FOREIGN, "parcel.send", "[1]");
			await().until(() -> application.bean(Parcels.class).sent.contains(FOREIGN));
			List<AmqpWire.Passed> since = this.wire.passed().subList(passed, this.wire.passed().size());
			List<Long> cancelled = times(since, AMQP.Basic.Cancel.class);
			assertThat(cancelled).hasSize(3);
			assertThat(times(since, AMQP.Basic.Consume.class)).hasSize(3)
				.as("a second later, give or take a quarter")
				.allMatch((at) -> at - cancelled.get(0) >= Duration.ofMillis(700).toNanos());
			assertThat(since).extracting(AmqpWire.Passed::method)
				.filteredOn(AMQP.Basic.Qos.class::isInstance)
				.extracting((method) -> ((AMQP.Basic.Qos) method).getPrefetchCount())
				.containsExactly(7, 7, 7);
			assertThat(output).contains("The broker cancelled a consumer of queue 'parcels'");
			assertThat(application.bean(Connections.class).told)
				.contains(new ConnectionEvent.ConsumerCancelled("consuming", "parcels"));
		}
	}

	/** Without messages and consumers, which are methods of the class basic. */
	private Set<String> declaredBeforeUse(int since) {
		return declared(this.wire.passed()
			.stream()
			.skip(since)
			.takeWhile((passed) -> passed.method().protocolClassId() != AMQImpl.Basic.INDEX));
	}

	/** Its own queue goes with its connection: the consumer of that queue declares it. */
	private static boolean isOfProcess(String declared) {
		return declared.contains("ojs.queue.worker.") || declared.contains("ojs.exchange.control");
	}

	/** What was declared and bound. */
	private static Set<String> declared(Stream<AmqpWire.Passed> passed) {
		return passed.map(AmqpWire.Passed::method)
			.filter((method) -> method instanceof AMQP.Queue.Declare || method instanceof AMQP.Exchange.Declare
					|| method instanceof AMQP.Queue.Bind || method instanceof AMQP.Exchange.Bind)
			.map(Object::toString)
			.filter((declared) -> !declared.contains("passive=true"))
			.collect(Collectors.toSet());
	}

	private static List<Long> times(List<AmqpWire.Passed> passed, Class<? extends Method> type) {
		return passed.stream().filter((each) -> type.isInstance(each.method())).map(AmqpWire.Passed::at).toList();
	}

	/** All that was declared, on whatever connection. */
	private void deleteAll() {
		try {
			for (AMQP.Queue.Declare queue : this.wire.all(AMQP.Queue.Declare.class)) {
				client().channel().queueDelete(queue.getQueue());
			}
			for (AMQP.Exchange.Declare exchange : this.wire.all(AMQP.Exchange.Declare.class)) {
				client().channel().exchangeDelete(exchange.getExchange());
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Of each consumer its queue, its prefetch and whether it acks. */
	private List<String> consumers() {
		return broker().consumers()
			.stream()
			.map((consumer) -> consumer.at("/queue/name").asString() + " " + consumer.path("prefetch_count") + " "
					+ consumer.path("ack_required"))
			.sorted()
			.toList();
	}

	/**
	 * Once the broker tells of all: queue, control queue of the queue and the process.
	 */
	private List<String> awaitConsumers() {
		return await().until(this::consumers, (consumers) -> consumers.size() == 5);
	}

	private Application.Starter throughProxy(Class<?>... beans) {
		return Application.on(this.proxy.uri(ownVirtualHost())).with(beans);
	}

	static class Parcels {

		private final Set<String> sent = ConcurrentHashMap.newKeySet();

		@OjsJobHandler(value = "parcel.lose", queue = "parcels")
		void lose() {
			throw new IllegalStateException("lost");
		}

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
