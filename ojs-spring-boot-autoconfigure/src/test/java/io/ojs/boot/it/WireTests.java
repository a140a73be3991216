package io.ojs.boot.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.internal.fault.Direction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The requirements of AMQP binding §13 that only the frames between an application and
 * the broker show, by their ids.
 */
@Tag("broker-versions")
class WireTests extends BrokerTest {

	private static final String FOREIGN = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

	private static final String MOVED = "019539a4-b68c-7def-8000-1a2b3c4d5e70";

	private final AmqpWire wire = new AmqpWire();

	@AfterEach
	void closeWire() {
		Letters.reset();
		this.wire.close();
	}

	private Application.Starter letters() {
		return Application.on(this.wire.uri(ownVirtualHost()))
			.with(Letters.class)
			.property("ojs.queues.mail.retry.max-attempts", 3)
			.property("ojs.queues.mail.concurrency", 2)
			.property("ojs.queues.mail.prefetch", 3);
	}

	@Test
	@Tag("AMQP-011")
	@Tag("AMQP-014")
	@Tag("AMQP-018")
	@Tag("AMQP-031")
	@Tag("PLAY-2-1")
	@Tag("PLAY-8-2")
	void jobsArePersistentConfirmedAndCountedWhicheverWayTheyGo() {
		try (Application application = letters().property("ojs.queues.accounts.ordering", "key").start()) {
			Job failing = application.ojs().enqueue(letter("fail"));
			List<Job> quick = new ArrayList<>(application.ojs().enqueueAll(List.of(letter("quick"), letter("quick"))));
			quick.add(application.ojs().enqueueAsync(letter("quick")).join());
			quick.add(application.ojs().enqueue(letter("quick").scheduledAt(Instant.now().plusMillis(1200))));
			// What a producer did not ask for, a message that is published again has all
			// the same.
			client().publish("mail", RawClient.properties(FOREIGN, "mail.send").deliveryMode(1).build(),
					RawClient.envelope(FOREIGN, "mail.send", "mail", "[\"fail\"]"));
			client().publish("accounts", RawClient.properties(MOVED, "account.book").deliveryMode(1).build(),
					RawClient.envelope(MOVED, "account.book", "accounts", "[]"));
			application.ojs().cancel("mail", "019539a4-b68c-7def-8000-1a2b3c4d5e71");
			for (String dead : List.of(failing.id(), FOREIGN)) {
				await().until(() -> application.events(dead).contains("job.dead_lettered"));
			}
			for (String done : Stream.concat(quick.stream().map(Job::id), Stream.of(MOVED)).toList()) {
				await().until(() -> application.events(done).contains("job.completed"));
			}
			application.bean(DeadLetterReplayer.class)
				.replayAll(DeadLetterFilter.ANY.queue("mail").ids(Set.of(failing.id())), ReplayOptions.CONFIRMED);
			await().until(
					() -> application.events(failing.id()).stream().filter("job.dead_lettered"::equals).count() == 2);
			assertPersistent();
			assertConfirmed();
			assertThat(published(failing.id())).containsExactly("ojs.exchange.direct 1", "ojs.exchange.retry 2",
					"ojs.exchange.retry 3", "ojs.exchange.dlx 3", "ojs.exchange.direct 1", "ojs.exchange.retry 2",
					"ojs.exchange.retry 3", "ojs.exchange.dlx 3");
			// The replay puts what it is not about back, at the end of the queue.
			assertThat(published(FOREIGN)).containsExactly("ojs.exchange.retry 2", "ojs.exchange.retry 3",
					"ojs.exchange.dlx 3", " 3");
			assertThat(Letters.attempts.get(FOREIGN)).containsExactly(1, 2, 3);
			assertThat(Letters.attempts.get(failing.id())).containsExactly(1, 2, 3, 1, 2, 3);
			assertNames();
		}
	}

	private void assertPersistent() {
		List<AmqpWire.Passed> jobs = jobs();
		assertThat(jobs).extracting((job) -> job.as(AMQP.Basic.Publish.class).getExchange())
			.contains("ojs.exchange.direct", "ojs.exchange.retry", "ojs.exchange.dlx")
			.anyMatch((exchange) -> exchange.startsWith("ojs.exchange.delay."));
		assertThat(jobs).extracting((job) -> job.properties().getMessageId()).contains(FOREIGN, MOVED);
		assertThat(jobs).allSatisfy((job) -> {
			assertThat(job.properties().getDeliveryMode()).as("%s", job).isEqualTo(2);
			assertThat(job.as(AMQP.Basic.Publish.class).getMandatory()).as("%s", job).isTrue();
		});
	}

	private void assertConfirmed() {
		List<AmqpWire.Passed> passed = this.wire.passed();
		Set<String> confirming = passed.stream()
			.filter((each) -> each.method() instanceof AMQP.Confirm.Select)
			.map(AmqpWire.Passed::channel)
			.collect(Collectors.toSet());
		assertThat(jobs()).extracting(AmqpWire.Passed::channel).isSubsetOf(confirming);
		for (String channel : confirming) {
			assertThat(passed.stream()
				.filter((each) -> each.channel().equals(channel))
				.map((each) -> each.method().getClass().getSimpleName())
				.filter(Set.of("Select", "Publish")::contains)).as(channel).startsWith("Select");
		}
	}

	/** The names of AMQP binding §4.1, and those that it says nothing about. */
	private void assertNames() {
		assertThat(this.wire.all(AMQP.Exchange.Declare.class)).extracting(AMQP.Exchange.Declare::getExchange)
			.contains("ojs.exchange.direct", "ojs.exchange.dlx", "ojs.exchange.retry")
			.allMatch((name) -> name.matches("ojs\\.exchange\\.(direct|dlx|retry|control|due|delay\\.\\d+)"));
		assertThat(this.wire.all(AMQP.Queue.Declare.class)).extracting(AMQP.Queue.Declare::getQueue)
			.contains("ojs.queue.mail", "ojs.queue.dlx.mail", "ojs.queue.control.mail", "ojs.queue.retry.mail.250",
					"ojs.queue.retry.mail.500", "ojs.queue.accounts", "ojs.queue.accounts_0")
			.filteredOn((name) -> !name.matches("ojs\\.queue\\.(((dlx|control)\\.)?(mail|accounts)|accounts_\\d"
					+ "|retry\\.mail\\.\\d+|delay\\.\\d+|worker\\._.*|dlx\\.mail\\._replay)"))
			.isEmpty();
	}

	/** Where to, and as which attempt, a job was published, in order. */
	private List<String> published(String jobId) {
		return this.wire.published(jobId)
			.stream()
			.map((job) -> job.as(AMQP.Basic.Publish.class).getExchange() + " "
					+ job.properties().getHeaders().get("x-ojs-attempt"))
			.toList();
	}

	private List<AmqpWire.Passed> jobs() {
		return this.wire.of(AMQP.Basic.Publish.class)
			.filter((each) -> each.properties().getMessageId() != null)
			.toList();
	}

	@Test
	@Tag("AMQP-006")
	@Tag("AMQP-007")
	@Tag("AMQP-008")
	@Tag("AMQP-014")
	@Tag("AMQP-028")
	@Tag("GUIDE-2-2")
	@Tag("GUIDE-2-3")
	@Tag("PLAY-6-3")
	void jobsAreConsumedWithPrefetchAndAckedOneByOneOnceTheyAreDone() throws Exception {
		try (Application application = letters().start()) {
			CompletableFuture<Job> unanswered = beforeTheBrokerAnswers(application);
			assertThat(unanswered.get(30, TimeUnit.SECONDS).type()).isEqualTo("mail.send");
			Job held = application.ojs().enqueue(letter("hold"));
			await().until(() -> Letters.attempts.containsKey(held.id()));
			List<Job> quick = application.ojs().enqueueAll(List.of(letter("quick"), letter("quick"), letter("quick")));
			await()
				.until(() -> quick.stream().anyMatch((job) -> application.events(job.id()).contains("job.completed")));
			assertThat(settled(held.id())).as("while it runs").isEmpty();
			Letters.hold.countDown();
			await().untilAsserted(() -> assertThat(Stream.concat(Stream.of(held), quick.stream()))
				.allSatisfy((job) -> assertThat(settled(job.id())).containsExactly(false)));
			assertThat(settled(unanswered.join().id())).containsExactly(false);
			assertConsumers();
		}
	}

	/** A job that the broker has, and whose confirm it has not heard of. */
	private CompletableFuture<Job> beforeTheBrokerAnswers(Application application) {
		return beforeTheBrokerAnswers(1,
				() -> CompletableFuture.supplyAsync(() -> application.ojs().enqueue(letter("quick"))));
	}

	/** The call goes on for as long as no confirm of its jobs arrives. */
	private <T> CompletableFuture<T> beforeTheBrokerAnswers(int jobs, Supplier<CompletableFuture<T>> call) {
		int before = jobs().size();
		this.wire.proxy().hang(Direction.FROM_BROKER);
		try {
			CompletableFuture<T> result = call.get();
			await().until(() -> jobs().size() == before + jobs);
			await().during(Duration.ofMillis(300)).until(() -> !result.isDone());
			return result;
		}
		finally {
			this.wire.proxy().resume();
		}
	}

	@Test
	@Tag("AMQP-014")
	void batchesAndFuturesAreDoneOnceTheBrokerHasConfirmed() throws Exception {
		try (Application application = letters().start()) {
			// Opens what has to be opened, which takes answers too.
			application.ojs().enqueueAll(List.of(letter("quick"), letter("quick")));
			CompletableFuture<List<Job>> batch = beforeTheBrokerAnswers(3, () -> CompletableFuture.supplyAsync(
					() -> application.ojs().enqueueAll(List.of(letter("quick"), letter("quick"), letter("quick")))));
			assertThat(batch.get(30, TimeUnit.SECONDS)).hasSize(3);
			CompletableFuture<Job> one = beforeTheBrokerAnswers(1,
					() -> application.ojs().enqueueAsync(letter("quick")));
			assertThat(one.get(30, TimeUnit.SECONDS).type()).isEqualTo("mail.send");
		}
	}

	@Test
	@Tag("AMQP-014")
	void deliveryIsAckedOnceTheBrokerHasConfirmedWhatFollowsIt() {
		try (Application application = letters().start()) {
			Job failing = application.ojs().enqueue(letter("fail"));
			await().until(() -> application.events(failing.id()).contains("job.dead_lettered"));
			List<AmqpWire.Passed> deliveries = this.wire.of(AMQP.Basic.Deliver.class)
				.filter((each) -> failing.id().equals(each.properties().getMessageId()))
				.toList();
			List<AmqpWire.Passed> publishes = this.wire.published(failing.id());
			assertThat(deliveries).hasSize(3);
			assertThat(publishes).hasSize(4);
			for (int attempt = 0; attempt < 3; attempt++) {
				AmqpWire.Passed delivered = deliveries.get(attempt);
				long tag = delivered.as(AMQP.Basic.Deliver.class).getDeliveryTag();
				await().untilAsserted(() -> assertThat(acks(delivered, tag, false)).hasSize(1));
				AmqpWire.Passed following = publishes.get(attempt + 1);
				assertThat(acks(following, sequenceNumber(following), true)).first()
					.satisfies((confirm) -> assertThat(confirm.at()).as("the confirm of %s", following)
						.isGreaterThan(following.at())
						.isLessThan(acks(delivered, tag, false).get(0).at()));
			}
		}
	}

	/** What the broker calls a publish in its confirm. */
	private long sequenceNumber(AmqpWire.Passed publish) {
		return this.wire.of(AMQP.Basic.Publish.class)
			.filter((each) -> each.channel().equals(publish.channel()) && each.at() <= publish.at())
			.count();
	}

	/** The acks of a delivery by the application, or those of a publish by the broker. */
	private List<AmqpWire.Passed> acks(AmqpWire.Passed what, long tag, boolean withAllBefore) {
		return this.wire.of(AMQP.Basic.Ack.class)
			.filter((each) -> each.at() > what.at() && each.channel().equals(what.channel()))
			.filter((each) -> {
				AMQP.Basic.Ack ack = each.as(AMQP.Basic.Ack.class);
				return ack.getDeliveryTag() == tag
						|| (withAllBefore && ack.getMultiple() && (ack.getDeliveryTag() > tag));
			})
			.toList();
	}

	@Test
	@Tag("AMQP-028")
	@Tag("AMQP-008")
	void withAJobStoreConsumersHaveChannelsOfTheirOwnToo() throws Exception {
		String url = "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000".formatted(UUID.randomUUID());
		try (Application application = letters().database(url, "sa", "").start()) {
			List<CompletableFuture<Job>> calls = new ArrayList<>();
			for (int i = 0; i < 40; i++) {
				String kind = (i % 10 == 0) ? "fail" : "quick";
				calls.add(CompletableFuture.supplyAsync(() -> application.ojs().enqueue(letter(kind)),
						(caller) -> new Thread(caller, "caller").start()));
			}
			for (CompletableFuture<Job> call : calls) {
				String id = call.get(60, TimeUnit.SECONDS).id();
				await().until(() -> application.events(id)
					.stream()
					.anyMatch(Set.of("job.completed", "job.dead_lettered")::contains));
			}
			await().untilAsserted(() -> assertThat(deliveries()).hasSizeGreaterThanOrEqualTo(40 + 4 * 2)
				.allSatisfy((delivered) -> assertThat(
						acks(delivered, delivered.as(AMQP.Basic.Deliver.class).getDeliveryTag(), true))
					.singleElement()
					.matches((ack) -> !ack.as(AMQP.Basic.Ack.class).getMultiple())));
			assertConsumers();
			assertConfirmed();
		}
	}

	private List<AmqpWire.Passed> deliveries() {
		return this.wire.of(AMQP.Basic.Deliver.class)
			.filter((each) -> each.properties().getMessageId() != null)
			.toList();
	}

	/** Whether each ack of a job's delivery was one of all before it, too. */
	private List<Boolean> settled(String jobId) {
		AmqpWire.Passed delivered = this.wire.of(AMQP.Basic.Deliver.class)
			.filter((each) -> jobId.equals(each.properties().getMessageId()))
			.findFirst()
			.orElseThrow();
		long tag = delivered.as(AMQP.Basic.Deliver.class).getDeliveryTag();
		return this.wire.of(AMQP.Basic.Ack.class)
			.filter((each) -> each.at() > delivered.at() && each.channel().equals(delivered.channel()))
			.map((each) -> each.as(AMQP.Basic.Ack.class))
			.filter((ack) -> ack.getDeliveryTag() == tag)
			.map(AMQP.Basic.Ack::getMultiple)
			.toList();
	}

	/** Each on a channel of its own, on which the prefetch comes first. */
	private void assertConsumers() {
		List<AmqpWire.Passed> consumers = this.wire.of(AMQP.Basic.Consume.class)
			.filter((each) -> each.as(AMQP.Basic.Consume.class).getQueue().equals("ojs.queue.mail"))
			.toList();
		assertThat(consumers).hasSize(2)
			.noneMatch((consumer) -> consumer.as(AMQP.Basic.Consume.class).getNoAck())
			.extracting(AmqpWire.Passed::channel)
			.doesNotHaveDuplicates()
			.doesNotContainAnyElementsOf(jobs().stream().map(AmqpWire.Passed::channel).toList());
		assertThat(consumers).allSatisfy((consumer) -> assertThat(
				this.wire.of(AMQP.Basic.Qos.class).filter((each) -> each.channel().equals(consumer.channel())))
			.singleElement()
			.matches((each) -> each.at() < consumer.at())
			.extracting((each) -> each.as(AMQP.Basic.Qos.class))
			.matches((qos) -> qos.getPrefetchCount() == 3 && !qos.getGlobal()));
	}

	@Test
	@Tag("AMQP-028")
	@Tag("GUIDE-6-2")
	void noTwoThreadsUseAChannelAtATime() throws Exception {
		try (Application application = letters().start()) {
			Users users = new Users(8);
			CachingConnectionFactory connections = application.bean(CachingConnectionFactory.class);
			connections.getRabbitConnectionFactory().setMetricsCollector(users);
			connections.resetConnection();
			List<CompletableFuture<Job>> jobs = new ArrayList<>();
			for (int i = 0; i < users.expected(); i++) {
				jobs.add(CompletableFuture.supplyAsync(() -> application.ojs().enqueue(letter("quick")),
						(caller) -> new Thread(caller, "caller").start()));
			}
			for (CompletableFuture<Job> job : jobs) {
				String id = job.get(60, TimeUnit.SECONDS).id();
				await().until(() -> application.events(id).contains("job.completed"));
			}
			assertThat(users.publishing.keySet()).hasSize(users.expected());
			assertThat(users.publishing.values()).as("callers of each channel").allMatch((callers) -> callers == 1);
			await().until(() -> users.acks.get() >= jobs.size());
			assertThat(users.acking.values()).as("threads of each consumer's channel")
				.allMatch((threads) -> threads.size() == 1);
			assertThat(users.acking.keySet()).doesNotContainAnyElementsOf(users.publishing.keySet());
		}
	}

	private static JobRequest letter(String kind) {
		return JobRequest.of("mail.send", kind).queue("mail");
	}

	/**
	 * Who uses which channel; holds callers that publish until as many as are expected do
	 * so at the same time.
	 */
	private static final class Users extends NoOpMetricsCollector {

		private final Map<Channel, Integer> publishing = new ConcurrentHashMap<>();

		private final Map<Channel, Collection<Thread>> acking = new ConcurrentHashMap<>();

		private final AtomicInteger acks = new AtomicInteger();

		private final CyclicBarrier together;

		Users(int expected) {
			this.together = new CyclicBarrier(expected);
		}

		int expected() {
			return this.together.getParties();
		}

		@Override
		public void basicPublish(Channel channel) {
			if (!Thread.currentThread().getName().equals("caller")) {
				return;
			}
			this.publishing.merge(channel, 1, Integer::sum);
			try {
				this.together.await(20, TimeUnit.SECONDS);
			}
			catch (Exception ex) {
				throw new IllegalStateException("Only some callers publish at a time", ex);
			}
		}

		@Override
		public void basicAck(Channel channel, long deliveryTag, boolean multiple) {
			this.acking.computeIfAbsent(channel, (key) -> ConcurrentHashMap.newKeySet()).add(Thread.currentThread());
			this.acks.incrementAndGet();
		}

	}

	static class Letters {

		private static final Map<String, List<Integer>> attempts = new ConcurrentHashMap<>();

		private static CountDownLatch hold = new CountDownLatch(1);

		private static void reset() {
			attempts.clear();
			hold.countDown();
			hold = new CountDownLatch(1);
		}

		@OjsJobHandler(value = "mail.send", queue = "mail")
		void send(String kind, JobContext context) throws InterruptedException {
			attempts.computeIfAbsent(context.job().id(), (id) -> new CopyOnWriteArrayList<>()).add(context.attempt());
			if (kind.equals("fail")) {
				throw JobFailedException.retry("mail.bounced", "no such address");
			}
			if (kind.equals("hold")) {
				hold.await(90, TimeUnit.SECONDS);
			}
		}

		@OjsJobHandler(value = "account.book", queue = "accounts")
		void book() {
		}

	}

}
