package io.ojs.boot.it;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.OrderingKeyResolver;
import io.ojs.amqp.internal.order.ShardHash;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobFailedException;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A queue with {@code ordering=key}: jobs of one key run one after the other, those of
 * different shards side by side.
 */
@Tag("AMQP-031")
class KeyOrderingTests extends BrokerTest {

	private static final int SHARDS = 4;

	private static Ledger ledger = new Ledger();

	@BeforeEach
	void open() {
		ledger = new Ledger();
	}

	@AfterEach
	void letGo() {
		ledger.gate.countDown();
	}

	@Test
	@Tag("PLAY-6-2")
	void jobsOfAKeyKeepTheirOrderAndKeysRunSideBySideAlsoWhenAnApplicationGoes() {
		List<String> keys = List.of("a", "b", "c", "d", "e", "f");
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			for (String key : keys) {
				requests.add(book(key, i));
			}
		}
		try (Application first = accounts(); Application second = accounts()) {
			first.ojs().enqueueAll(requests);
			awaitRuns(requests.size() / 4);
			assertThat(ledger.ran.size()).as("closed in the middle").isLessThan(requests.size() * 3 / 4);
			close(first);
			awaitRuns(requests.size());
			assertThat(second.ojs()).isNotNull();
		}
		for (String key : keys) {
			assertThat(ledger.numbers(key)).as(key)
				.containsExactlyElementsOf(requests.stream()
					.filter((request) -> request.meta().get("ordering_key").equals(key))
					.map((request) -> (Integer) request.args().get(1))
					.toList());
		}
		assertThat(ledger.collisions).isEmpty();
		assertThat(ledger.most.get()).as("shards at a time").isGreaterThan(1);
		assertThat(client().count("ojs.queue.dlx.accounts")).isZero();
	}

	@Test
	void retryComesBackIntoItsShardAndTheNextOfItsKeyRunsMeanwhile() {
		int shard = ShardHash.shard("a", SHARDS);
		try (Application application = accounts()) {
			application.ojs().enqueueAll(List.of(book("a", 1), book("a", -2), book("a", 3), book("a", 4)));
			awaitRuns(5);
			assertThat(application.ojs()).isNotNull();
		}
		assertThat(ledger.numbers("a")).containsExactly(1, -2, 3, 4, -2);
		assertThat(client().exists("ojs.queue.retry.accounts_" + shard + ".250")).isTrue();
		assertThat(client().exists("ojs.queue.retry.accounts.250")).isFalse();
	}

	@Test
	void foreignAndScheduledJobsFindTheirShard() {
		// The broker lets nobody look into a queue with a single active consumer.
		String shard = "ojs.queue.accounts_" + ShardHash.shard("a", SHARDS);
		try (Application application = accounts()) {
			application.ojs().enqueue(book("a", 0));
			application.ojs().enqueue(JobRequest.of("account.wait").queue("accounts").meta("ordering_key", "a"));
			awaitRuns(2);
			application.ojs().enqueue(book("a", 1).scheduledAt(Instant.now().plusMillis(900)));
			await().atMost(Duration.ofSeconds(20)).until(() -> client().count(shard) == 1);
			for (int i = 2; i < 12; i++) {
				publishForeign("\"a\"", i);
			}
			await().atMost(Duration.ofSeconds(20)).until(() -> client().count(shard) == 11);
			assertThat(client().count("ojs.queue.accounts")).isZero();
			ledger.gate.countDown();
			awaitRuns(13);
		}
		assertThat(ledger.numbers("a")).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
	}

	@Test
	void jobWithoutAKeyIsSpreadByItsId() {
		try (Application application = starter().property("ojs.worker.enabled", false).start()) {
			Map<String, Long> expected = new TreeMap<>();
			for (int i = 0; i < 20; i++) {
				Job job = application.ojs().enqueue(JobRequest.of("account.book", "none", i).queue("accounts"));
				expected.merge("ojs.queue.accounts_" + ShardHash.shard(job.id(), SHARDS), 1L, Long::sum);
			}
			assertThat(expected.size()).isGreaterThan(1);
			await().untilAsserted(() -> expected
				.forEach((queue, count) -> assertThat(client().count(queue)).as(queue).isEqualTo(count)));
		}
	}

	@Test
	void keyThatIsNoTextIsRefusedHereAndADeadLetterFromElsewhere() {
		try (Application application = accounts()) {
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> application.ojs().enqueue(book("a", 1).meta("ordering_key", 17)))
				.withMessageContaining("'meta.ordering_key' must be text, but was 17");
			publishForeign("17", 1);
			GetResponse dead = client().take("ojs.queue.dlx.accounts");
			assertThat(RawClient.headers(dead).get("x-ojs-error-message")).contains("meta.ordering_key");
		}
		assertThat(ledger.ran).isEmpty();
	}

	@Test
	void beanKnowsTheKey() {
		try (Application application = starter(Resolver.class).start()) {
			Job job = application.ojs().enqueue(JobRequest.of("account.book", "x", 5).queue("accounts"));
			awaitRuns(1);
			assertThat(ShardHash.shard("x", SHARDS)).isNotEqualTo(ShardHash.shard("account.book", SHARDS));
			await().until(() -> application.events(job.id()).contains("job.completed"));
		}
		try (Application application = starter(Resolver.class).property("ojs.worker.enabled", false).start()) {
			application.ojs().enqueue(JobRequest.of("account.book", "x", 6).queue("accounts"));
			String queue = "ojs.queue.accounts_" + ShardHash.shard("account.book", SHARDS);
			await().untilAsserted(() -> assertThat(client().count(queue)).isEqualTo(1));
		}
	}

	@Test
	void deadLettersOfAllShardsAreInOneQueue() {
		try (Application application = accounts()) {
			for (String key : List.of("a", "b", "c", "d", "e")) {
				application.ojs()
					.enqueue(JobRequest.of("account.close", key).queue("accounts").meta("ordering_key", key));
			}
			for (int i = 0; i < 5; i++) {
				assertThat(RawClient.headers(client().take("ojs.queue.dlx.accounts"))).containsEntry("x-ojs-queue",
						"accounts");
			}
		}
	}

	/** In the middle of its work, and not at the end of a block. */
	private static void close(Application application) {
		application.close();
	}

	private static void awaitRuns(int count) {
		await().atMost(Duration.ofSeconds(60)).until(() -> ledger.ran.size() >= count);
	}

	private static JobRequest book(String key, int number) {
		return JobRequest.of("account.book", key, number).queue("accounts").meta("ordering_key", key);
	}

	private void publishForeign(String key, int number) {
		String id = "019461a8-1a2b-7c3d-8e4f-" + UUID.randomUUID().toString().substring(24);
		client().publish("accounts", RawClient.properties(id, "account.book").build(),
				"{\"specversion\":\"1.0\",\"id\":\"%s\",\"type\":\"account.book\",\"queue\":\"accounts\",\"args\":[\"a\",%d],\"meta\":{\"ordering_key\":%s}}"
					.formatted(id, number, key)
					.getBytes(StandardCharsets.UTF_8));
	}

	private Application.Starter starter(Class<?>... more) {
		return application(Bookkeeper.class).with(more)
			.property("ojs.queues.accounts.ordering", "key")
			.property("ojs.queues.accounts.ordering-shards", SHARDS);
	}

	private Application accounts() {
		return starter().start();
	}

	static class Resolver {

		@Bean
		OrderingKeyResolver orderingKeys() {
			return Job::type;
		}

	}

	static class Bookkeeper {

		@OjsJobHandler(value = "account.book", queue = "accounts")
		void book(String key, int number, JobContext context) {
			ledger.run(key, number);
			if (number < 0 && context.attempt() == 1) {
				throw new IllegalStateException("the first time it fails");
			}
		}

		@OjsJobHandler(value = "account.wait", queue = "accounts")
		void waitForTheTest() throws InterruptedException {
			ledger.ran.add("wait 0");
			ledger.gate.await();
		}

		@OjsJobHandler(value = "account.close", queue = "accounts")
		void close(String key) {
			throw JobFailedException.deadLetter("account.closed", "no");
		}

	}

	/**
	 * What ran, and what ran at the same time.
	 */
	static final class Ledger {

		private final ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();

		private final Map<Integer, String> running = new ConcurrentHashMap<>();

		private final List<String> collisions = new CopyOnWriteArrayList<>();

		private final AtomicInteger most = new AtomicInteger();

		private final CountDownLatch gate = new CountDownLatch(1);

		void run(String key, int number) {
			int shard = ShardHash.shard(key, SHARDS);
			String other = this.running.putIfAbsent(shard, key + number);
			if (other != null) {
				this.collisions.add(key + number + " beside " + other);
			}
			this.most.accumulateAndGet(this.running.size(), Math::max);
			this.ran.add(key + " " + number);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
			this.running.remove(shard);
		}

		List<Integer> numbers(String key) {
			return this.ran.stream()
				.filter((line) -> line.startsWith(key + " "))
				.map((line) -> Integer.valueOf(line.substring(key.length() + 1)))
				.toList();
		}

	}

}
