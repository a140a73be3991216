package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * kill -9 of the application in the middle of its handlers, again and again: every job
 * that was confirmed ends completed or dead-lettered.
 */
@Tag("faults")
class KilledApplicationTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(KilledApplicationTests.class);

	private static final int JOBS = 600;

	@Test
	void nothingConfirmedIsLost(@TempDir Path folder) {
		Path ledger = folder.resolve("ledger");
		Set<String> confirmed;
		try (Application producer = application().property("ojs.worker.enabled", false).start()) {
			confirmed = producer.ojs()
				.enqueueAll(IntStream.range(0, JOBS)
					.mapToObj((i) -> JobRequest.of("ledger.write", i)
						.queue("ledger")
						.retry((retry) -> retry.maxAttempts(2)))
					.toList())
				.stream()
				.map(Job::id)
				.collect(Collectors.toSet());
		}
		killOnce(ledger, JOBS / 6);
		killOnce(ledger, JOBS / 3);
		// By their ids: one that was killed between publish and ack may be dead twice.
		Set<String> dead = new TreeSet<>();
		Set<String> ended = new TreeSet<>();
		try (ChildApplication survivor = CrashingWorker.start(uri(), ledger, "quorum")) {
			survivor.awaitStarted();
			await().atMost(Duration.ofSeconds(60)).until(() -> {
				client().drain("ojs.queue.dlx.ledger")
					.forEach((message) -> dead.add(message.getProps().getMessageId()));
				ended.addAll(done(ledger));
				ended.addAll(dead);
				return ended.size() >= JOBS;
			});
		}
		assertThat(ended).containsExactlyInAnyOrderElementsOf(confirmed);
		assertThat(dead).hasSize(JOBS / 10);
		logger.info("{} confirmed, {} completed, {} dead-lettered, 0 lost; {} completed more than once",
				confirmed.size(), done(ledger).size(), dead.size(), repeated(ledger));
	}

	/** Kills a worker that has done so many jobs, in the middle of the next ones. */
	private void killOnce(Path ledger, int whenDone) {
		int held = lines(ledger, "held ").size();
		try (ChildApplication worker = CrashingWorker.start(uri(), ledger, "quorum", whenDone)) {
			await().atMost(Duration.ofSeconds(60)).until(() -> lines(ledger, "held ").size() > held);
			worker.kill();
		}
		assertThat(done(ledger)).hasSizeLessThan(JOBS * 9 / 10);
	}

	private static Set<String> done(Path ledger) {
		return lines(ledger, "done ").stream().collect(Collectors.toSet());
	}

	private static long repeated(Path ledger) {
		Map<String, Long> counts = lines(ledger, "done ").stream()
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
		return counts.values().stream().filter((count) -> count > 1).count();
	}

	private static List<String> lines(Path ledger, String kind) {
		try {
			return !Files.exists(ledger) ? List.of()
					: Files.readAllLines(ledger)
						.stream()
						.filter((line) -> line.startsWith(kind))
						.map((line) -> line.substring(kind.length()))
						.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
