package io.ojs.boot.it;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.Job;
import io.ojs.job.JobRequest;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Many jobs that take no time, whose outcomes threads record for each other in a
 * {@link PostgresServer}, while the application is stopped and killed in the middle.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("faults")
class QuickJobsTests extends StoreCrashFixture {

	private static final Logger logger = LoggerFactory.getLogger(QuickJobsTests.class);

	private static final int JOBS_IN_ALL = 3000;

	private static final int BEFORE_THE_END = JOBS_IN_ALL / 10;

	private static final int CONCURRENCY = 8;

	@Test
	void whatRanBeforeTheStopIsCompletedAndTheRestIsStillThere(CapturedOutput output) {
		try (Application observer = observer().property("ojs.store.overdue-after", "5m").start()) {
			Set<String> ids = enqueue(observer);
			try (Application worker = quick().start()) {
				await().until(() -> completed(worker) >= BEFORE_THE_END);
			}
			List<String> ran = runs();
			assertThat(ran).as("stopped in the middle").hasSizeLessThan(JOBS_IN_ALL).doesNotHaveDuplicates();
			assertThat(completed(observer)).isEqualTo(ran.size());
			assertThat(completedIn(observer, ran)).isEqualTo(ran.size());
			assertThat(jobs(observer, "state = 'available' and attempt = 0")).isEqualTo(JOBS_IN_ALL - ran.size());
			assertThat(events(observer, "type = 'job.completed'")).isEqualTo(ran.size());
			await("the broker has the others").until(() -> client().count(JOBS) >= JOBS_IN_ALL - ran.size());
			logger.info("{} ran before the stop; {} of these are at the broker again; {} could not be acked",
					ran.size(), client().count(JOBS) - (JOBS_IN_ALL - ran.size()),
					output.getAll().lines().filter((line) -> line.contains("could not be acked")).count());
			assertThat(output).doesNotContain(" ERROR ").doesNotContain("could not be recorded");
			try (Application next = quick().start()) {
				await().until(() -> completed(next) == JOBS_IN_ALL && client().count(JOBS) == 0);
			}
			assertThat(runs()).containsExactlyInAnyOrderElementsOf(ids.stream().map((id) -> id + " 1").toList());
			assertThat(events(observer, "type = 'job.completed'")).isEqualTo(JOBS_IN_ALL);
		}
		assertThat(client().count(DEAD)).isZero();
		assertNothingIsLeftAtTheBroker();
	}

	@Test
	void whatRanWhenTheProcessWasKilledIsCompletedOrRunsAgain() {
		try (Application observer = observer().property("ojs.store.overdue-after", "5m").start();
				ChildApplication victim = child().with(Quick.class).start()) {
			victim.awaitStarted();
			Set<String> ids = enqueue(observer);
			await().until(() -> runs().size() >= BEFORE_THE_END);
			victim.kill();
			int ran = runs().size();
			long recorded = completed(observer);
			assertThat(recorded).as("killed in the middle").isLessThan(JOBS_IN_ALL);
			try (Application next = quick().start()) {
				await().until(() -> completed(next) == JOBS_IN_ALL && client().count(JOBS) == 0);
			}
			List<String> runs = runs();
			assertThat(runs).doesNotHaveDuplicates();
			assertThat(ids(runs)).isEqualTo(ids);
			// Some of them had been claimed, and their handlers not called.
			Set<String> lost = ids(runs.stream().filter((run) -> run.endsWith(" 2")).toList());
			logger.info("{} ran before the kill, {} of these were recorded; {} were claimed again, {} ran again", ran,
					recorded, lost.size(), runs.size() - JOBS_IN_ALL);
			assertThat(lost).hasSizeGreaterThanOrEqualTo(runs.size() - JOBS_IN_ALL)
				.as("one that runs and one that is left to be recorded, of each thread")
				.hasSizeLessThanOrEqualTo(2 * CONCURRENCY);
			lost.forEach((id) -> assertLostFirstRun(find(observer, id)));
			assertThat(jobs(observer, "attempt > 1")).isEqualTo(lost.size());
			assertThat(events(observer, "type = 'job.completed'")).isEqualTo(JOBS_IN_ALL);
		}
		assertThat(client().count(DEAD)).isZero();
		assertNothingIsLeftAtTheBroker();
	}

	private Application.Starter quick() {
		return settings(application()).with(Quick.class).property("ojs.store.overdue-after", "5m");
	}

	private static Set<String> enqueue(Application application) {
		List<Job> jobs = application.ojs()
			.enqueueAll(IntStream.range(0, JOBS_IN_ALL)
				.mapToObj((i) -> JobRequest.of("quick.write").queue("desk"))
				.toList());
		return ids(jobs.stream().map(Job::id).toList());
	}

	private static Set<String> ids(List<String> runs) {
		Set<String> ids = new TreeSet<>();
		runs.forEach((run) -> ids.add(run.split(" ")[0]));
		return ids;
	}

	private static long completed(Application application) {
		return jobs(application, "state = 'completed'");
	}

	private static long completedIn(Application application, List<String> runs) {
		return runs.stream().filter((run) -> {
			Job job = find(application, run.split(" ")[0]).job();
			return job.attempt() == 1 && job.errors().isEmpty() && job.state().isTerminal();
		}).count();
	}

	private static long jobs(Application application, String condition) {
		return count(application, "select count(*) from ojs_job where " + condition);
	}

	/** Its handler does nothing but to write down that it ran. */
	static class Quick {

		private final Path ledger;

		Quick(@Value("${" + StoreCrashes.LEDGER + "}") Path ledger) {
			this.ledger = ledger;
		}

		@OjsJobHandler(value = "quick.write", queue = "desk", concurrency = CONCURRENCY)
		void write(JobContext context) {
			StoreCrashes.note(this.ledger, context.job().id() + " " + context.attempt());
		}

	}

}
