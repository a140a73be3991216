package io.ojs.boot.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.GetResponse;
import io.ojs.amqp.deadletter.DeadLetterReplayer;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayEnd;
import io.ojs.deadletter.ReplayListener;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayProgress;
import io.ojs.deadletter.ReplayResult;
import io.ojs.deadletter.SkipReason;
import io.ojs.test.broker.RabbitBroker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A replay loses nothing: not what it skips, however often, and not what it holds when it
 * is killed, cut off or cancelled. What it promises depends on how a broker counts
 * deliveries, so these run on every line.
 */
@Tag("broker-versions")
@Tag("broker-lines")
class DeadLetterReplaySafetyTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(DeadLetterReplaySafetyTests.class);

	/**
	 * Dead letters of each kind. A third of them is enough for a single kill: the
	 * replayer stands still after 300, of which a batch of 128 makes 427 at most.
	 */
	private static final int EACH = KillPoints.all() ? 1500 : 500;

	private static final DeadLetterFilter EMAIL = DeadLetterFilter.ANY.queue("email");

	private static final DeadLetterFilter SENDING = EMAIL.type("email.send");

	private Application start() {
		return application().property("ojs.worker.enabled", false).start();
	}

	static List<Map<String, Object>> deadLetterQueues() {
		return List.of(Map.of("x-queue-type", "quorum"), Map.of("x-queue-type", "quorum", "x-delivery-limit", 1),
				Map.of("x-queue-type", "classic"));
	}

	@ParameterizedTest
	@MethodSource("deadLetterQueues")
	void whatIsSkippedThirtyTimesIsStillThereInItsOrder(Map<String, Object> arguments) throws Exception {
		client().channel().queueDeclare("ojs.queue.dlx.email", true, false, false, arguments);
		client().channel().exchangeDeclare("ojs.exchange.dlx", "direct", true);
		client().channel().queueBind("ojs.queue.dlx.email", "ojs.exchange.dlx", "email");
		DeadLetters deadLetters = DeadLetters.of(client(), "email");
		for (int i = 0; i < 5; i++) {
			deadLetters.add("email.send", Map.of("x-vendor", i));
		}
		try (Application application = start()) {
			DeadLetterReplayer replayer = application.bean(DeadLetterReplayer.class);
			for (int i = 0; i < 30; i++) {
				ReplayResult result = (i % 2 == 0) ? replayer.replayAll(EMAIL, ReplayOptions.DRY_RUN)
						: replayer.replayAll(EMAIL.errorCode("OTHER"), ReplayOptions.CONFIRMED);
				assertThat(result.lookedAt()).isEqualTo(5);
				assertThat(result.left()).isEqualTo(5);
			}
		}
		List<GetResponse> stayed = deadLetters.drain();
		assertThat(DeadLetters.ids(stayed))
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 5).mapToObj(DeadLetters::id).toList());
		assertThat(stayed).extracting((dead) -> RawClient.headers(dead).get("x-vendor"))
			.containsExactly("0", "1", "2", "3", "4");
	}

	@Test
	void urgentOnesThatStayDoNotHideTheOthers() throws Exception {
		DeadLetters deadLetters = new DeadLetters(client(), "email");
		for (int i = 0; i < 40; i++) {
			deadLetters.add((i % 2 == 0) ? "email.send" : "email.render", Map.of(), (i % 2 == 0) ? null : 9);
		}
		try (Application application = start()) {
			DeadLetterReplayer replayer = application.bean(DeadLetterReplayer.class);
			ReplayResult result = replayer.replayAll(SENDING, ReplayOptions.CONFIRMED);
			assertThat(result.replayed()).isEqualTo(20);
			assertThat(result.skipped()).isEqualTo(Map.of(SkipReason.NOT_MATCHING, 20L));
			assertThat(replayer.replayAll(EMAIL, ReplayOptions.CONFIRMED).replayed()).isEqualTo(20);
		}
		assertThat(deadLetters.drainJobs()).filteredOn((job) -> job.getProps().getType().equals("email.render"))
			.hasSize(20)
			.allMatch((job) -> job.getProps().getPriority() == 9)
			.noneMatch((job) -> RawClient.headers(job).containsKey("x-ojs-priority"));
	}

	@Test
	void killedAgainAndAgainItLosesNothing(@TempDir Path folder) throws Exception {
		DeadLetters deadLetters = new DeadLetters(client(), "email");
		deadLetters.addMany(EACH, "email.render");
		deadLetters.addMany(EACH, "email.send");
		deadLetters.addMany(EACH, "email.render");
		for (int kill = 1; kill <= KillPoints.atLeastOne(3); kill++) {
			int replayed = EACH / 5 * kill;
			// A batch may come on top.
			long holdAfter = EACH - 200 - deadLetters.waiting();
			Process replayer = CrashingReplayer.start(uri(), "email.send", holdAfter, folder.resolve("log"));
			try {
				await().atMost(Duration.ofSeconds(60))
					.pollInterval(Duration.ofMillis(5))
					.until(() -> deadLetters.waiting() >= replayed);
			}
			finally {
				replayer.destroyForcibly();
				await().until(() -> !replayer.isAlive());
			}
			// Otherwise it was not killed in the middle.
			assertThat(deadLetters.waiting()).isLessThan(EACH);
		}
		try (Application application = start()) {
			await().until(() -> deadLetters.dead() + deadLetters.waiting() >= 3 * EACH);
			replayWhenUnlocked(application);
		}
		assertLedger(deadLetters);
	}

	private static ReplayResult replayWhenUnlocked(Application application) {
		return await().ignoreExceptions()
			.until(() -> application.bean(DeadLetterReplayer.class).replayAll(SENDING, ReplayOptions.CONFIRMED),
					(result) -> result != null);
	}

	private static void assertLedger(DeadLetters deadLetters) {
		List<String> jobs = DeadLetters.ids(deadLetters.drainJobs());
		List<String> dead = DeadLetters.ids(deadLetters.drain());
		Set<String> all = new HashSet<>(jobs);
		all.addAll(dead);
		assertThat(all).hasSize(3 * EACH);
		Set<String> meant = IntStream.rangeClosed(EACH + 1, 2 * EACH)
			.mapToObj(DeadLetters::id)
			.collect(Collectors.toSet());
		assertThat(Set.copyOf(jobs)).isEqualTo(meant);
		assertThat(dead).doesNotContainAnyElementsOf(meant);
		logger.info("{} dead letters: {} replayed, {} left, 0 lost; {} are there twice", 3 * EACH, jobs.size(),
				dead.size(), jobs.size() + dead.size() - 3 * EACH);
	}

	@Test
	void cutOffItLosesNothingAndSaysSo() throws Exception {
		DeadLetters deadLetters = new DeadLetters(client(), "email");
		deadLetters.addMany(EACH, "email.render");
		deadLetters.addMany(EACH, "email.send");
		deadLetters.addMany(EACH, "email.render");
		AtomicBoolean cut = new AtomicBoolean();
		ReplayListener cutting = (progress) -> {
			if (progress.replayed() > EACH / 5 && cut.compareAndSet(false, true)) {
				// Here, while the replay waits: the command may take longer than the
				// rest.
				RabbitBroker.shared().ctl("close_all_connections", "--vhost", virtualHost(), "cut off by a test");
			}
		};
		try (Application application = start()) {
			ReplayResult result = application.bean(DeadLetterReplayer.class)
				.replayAll(SENDING, ReplayOptions.CONFIRMED.rate(200), cutting);
			assertThat(result.end()).isEqualTo(ReplayEnd.FAILED);
			assertThat(result.problem()).isNotBlank();
			assertThat(result.isSuccess()).isFalse();
			assertThat(result.replayed()).isBetween(EACH / 5L, EACH - 1L);
			try (RawClient client = new RawClient(uri())) {
				DeadLetters now = DeadLetters.of(client, "email");
				await().until(() -> now.dead() + now.waiting() >= 3 * EACH);
				assertThat(replayWhenUnlocked(application).isSuccess()).isTrue();
				assertLedger(now);
			}
		}
	}

	@Test
	void interruptedItSettlesWhatItHoldsAndEnds() throws Exception {
		DeadLetters deadLetters = new DeadLetters(client(), "email");
		deadLetters.addMany(600, "email.send");
		// Whatever the test does meanwhile, it is interrupted before it is through.
		ReplayListener held = (progress) -> {
			while (progress.replayed() >= 400 && !Thread.currentThread().isInterrupted()) {
				LockSupport.park();
			}
		};
		try (Application application = start()) {
			CompletableFuture<ReplayResult> result = new CompletableFuture<>();
			Thread thread = new Thread(() -> {
				result.complete(application.bean(DeadLetterReplayer.class)
					.replayAll(EMAIL, ReplayOptions.CONFIRMED.rate(50), held));
				assertThat(Thread.currentThread().isInterrupted()).isTrue();
			});
			thread.start();
			await().until(() -> deadLetters.waiting() > 20);
			thread.interrupt();
			ReplayResult cancelled = result.join();
			assertThat(cancelled.end()).isEqualTo(ReplayEnd.CANCELLED);
			await().until(() -> deadLetters.dead() == 600 - cancelled.replayed());
			assertThat(deadLetters.waiting()).isEqualTo(cancelled.replayed()).isBetween(20L, 599L);
		}
		Stream<String> ids = Stream.concat(DeadLetters.ids(deadLetters.drainJobs()).stream(),
				DeadLetters.ids(deadLetters.drain()).stream());
		assertThat(ids).hasSize(600).doesNotHaveDuplicates();
	}

	@Test
	void listenerCanEndIt() throws Exception {
		DeadLetters deadLetters = new DeadLetters(client(), "email");
		deadLetters.addMany(600, "email.send");
		AtomicBoolean enough = new AtomicBoolean();
		ReplayListener listener = new ReplayListener() {

			@Override
			public void progressed(ReplayProgress progress) {
				assertThat(progress.total()).isEqualTo(600);
				enough.set(progress.replayed() > 50);
			}

			@Override
			public boolean isCancelled() {
				return enough.get();
			}

		};
		try (Application application = start()) {
			ReplayResult result = application.bean(DeadLetterReplayer.class)
				.replayAll(EMAIL, ReplayOptions.CONFIRMED, listener);
			assertThat(result.end()).isEqualTo(ReplayEnd.CANCELLED);
			assertThat(result.replayed()).isBetween(51L, 599L);
			assertThat(result.left()).isEqualTo(600 - result.replayed());
		}
	}

}
