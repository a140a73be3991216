package io.ojs.boot.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 of workers while others enqueue. No confirmed job is lost: each is done, or a
 * dead letter if it failed twice.
 */
@Tag("faults")
class WorkerFaultTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(WorkerFaultTests.class);

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private static final String DEAD_LETTERS = "ojs.queue.dlx.ledger";

	@Test
	void killedWorkers(@TempDir Path folder) throws IOException {
		Path file = folder.resolve("ledger");
		FaultLedger confirmed = new FaultLedger();
		try (Application application = application().property("ojs.worker.enabled", false)
			.property("ojs.queue-defaults.type", FaultRun.TYPE)
			.property("ojs.queue-defaults.retry.max-attempts", 2)
			.start()) {
			FaultProducer producer = new FaultProducer(application.ojs(), "ledger", "ledger.write", confirmed);
			producer.takeTime(Duration.ofSeconds(FaultRun.FULL ? 60 : 5), FaultRun.JOBS);
			List<Thread> producers = producer.enqueue(0, FaultRun.JOBS);
			if (FaultRun.FULL) {
				killOnce(file, FaultRun.JOBS / 10);
				killOnce(file, FaultRun.JOBS / 10);
			}
			killOnce(file, FaultRun.JOBS / 3);
			try (ChildApplication survivor = CrashingWorker.start(uri(), file, FaultRun.TYPE)) {
				survivor.awaitStarted();
				await().atMost(PATIENCE)
					.until(() -> producers.stream().noneMatch(Thread::isAlive)
							&& Set.copyOf(done(file)).size() + client().count(DEAD_LETTERS) >= FaultRun.JOBS);
			}
		}
		Set<String> ended = new TreeSet<>(done(file));
		int repeated = done(file).size() - ended.size();
		Set<String> dead = client().drain(DEAD_LETTERS)
			.stream()
			.map((message) -> message.getProps().getMessageId())
			.collect(Collectors.toSet());
		ended.addAll(dead);
		assertThat(confirmed.confirmed()).isEqualTo(FaultRun.JOBS);
		assertThat(ended).containsExactlyInAnyOrderElementsOf(confirmed.allConfirmed());
		logger.info(
				"workers killed ({} queues): {} confirmed, {} completed, {} dead-lettered, 0 lost, "
						+ "{} completed more than once",
				FaultRun.TYPE, FaultRun.JOBS, FaultRun.JOBS - dead.size(), dead.size(), repeated);
	}

	/** Kills a worker that has done so many jobs, in the middle of the next ones. */
	private void killOnce(Path file, int whenDone) throws IOException {
		int held = lines(file, "held ").size();
		try (ChildApplication worker = CrashingWorker.start(uri(), file, FaultRun.TYPE, whenDone)) {
			await().atMost(PATIENCE).until(() -> lines(file, "held ").size() > held);
			worker.kill();
		}
		assertThat(Set.copyOf(done(file))).hasSizeLessThan(FaultRun.JOBS * 9 / 10);
	}

	private static List<String> done(Path file) throws IOException {
		return lines(file, "done ");
	}

	private static List<String> lines(Path file, String kind) throws IOException {
		if (!Files.exists(file)) {
			return List.of();
		}
		try (Stream<String> lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith(kind)).map((line) -> line.substring(kind.length())).toList();
		}
	}

}
