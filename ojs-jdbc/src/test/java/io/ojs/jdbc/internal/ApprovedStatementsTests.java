package io.ojs.jdbc.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.jdbc.internal.event.JdbcEventFeed;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.jdbc.internal.relay.JdbcRelayStore;
import io.ojs.jdbc.internal.retention.JdbcRetentionStore;
import io.ojs.job.internal.HandledJobs;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the store sends to PostgreSQL for each step of a job, whole, as it can be
 * explained there. With {@code -Dojs.approve=true} the file is written anew; read what
 * has changed in it.
 */
class ApprovedStatementsTests {

	private static final Path APPROVED = Path.of("src/test/resources/io/ojs/jdbc/statements.sql");

	private static final int WIDTH = 120;

	private final PostgresDatabase database = PostgresServer.shared().newDatabase();

	private final TestStores stores = new TestStores(TestStores.of(this.database));

	private final CountedStatements statements = new CountedStatements(this.stores.database);

	private final JdbcJobStore jobs = new JdbcJobStore(this.statements.database());

	private final JdbcAttemptStore attempts = new JdbcAttemptStore(this.statements.database());

	private final JdbcRelayStore relay = new JdbcRelayStore(this.statements.database());

	private final StringBuilder said = new StringBuilder();

	@AfterEach
	void close() {
		this.stores.close();
		this.database.close();
	}

	@Test
	void eachStepOfAJobSendsWhatWasApproved() throws IOException {
		List<EncodedJob> some = jobs(10);
		said("enqueue one job", () -> this.jobs.insert(newJobs(some.subList(0, 1))));
		said("enqueue many jobs", () -> this.jobs.insert(newJobs(some.subList(1, 10))));
		said("find a job", () -> this.jobs.find(some.get(0).job().id()));
		said("note that the broker has jobs",
				() -> this.relay.published("mail", TestStores.until(TestStores.LATER, ids(some)), TestStores.NOW));
		List<Lease> leases = new ArrayList<>();
		said("claim one job", () -> leases.addAll(claim(some.subList(0, 1))));
		said("claim many jobs", () -> leases.addAll(claim(some.subList(1, 10))));
		said("complete one job", () -> settle(new Outcome.Completed(leases.get(0), null)));
		said("complete many jobs",
				() -> settle(leases.subList(1, 5)
					.stream()
					.map((lease) -> new Outcome.Completed(lease, null))
					.toArray(Outcome[]::new)));
		said("retry one job", () -> settle(
				new Outcome.Retried(leases.get(5), TestStores.error("no"), TestStores.LATER, TestStores.LATER)));
		said("make one job a dead letter",
				() -> settle(new Outcome.Discarded(leases.get(6), TestStores.error("no"), Transition.EXHAUST)));
		said("cancel one job", () -> this.jobs.cancel(some.get(7).job().id(), TestStores.NOW));
		said("look when the relay has work", this.relay::nextAt);
		said("take what the relay is to publish",
				() -> this.relay.take(TestStores.LATER.plusSeconds(60), TestStores.LATER.plusSeconds(90), 100));
		said("look for runs that are lost", () -> this.attempts.reap(TestStores.NOW.plusSeconds(600), 100));
		said("read the feed of events",
				() -> new JdbcEventFeed(this.statements.database()).after(0, Set.of(), Set.of(), 100));
		said("delete jobs that ended long ago", () -> new JdbcRetentionStore(this.statements.database())
			.prune(TestStores.NOW.plus(TestStores.RETENTION.discarded()).plusSeconds(60), 100));
		said("enqueue one job with labels",
				() -> this.jobs.insert(newJobs(List.of(this.stores.encoded((job) -> job.meta("customer", 4711))))));
		if (Boolean.getBoolean("ojs.approve")) {
			Files.createDirectories(APPROVED.getParent());
			Files.writeString(APPROVED, this.said);
		}
		assertThat(this.said.toString()).isEqualTo(Files.readString(APPROVED));
	}

	/** A queue that has fewer jobs than a process wants has no more. */
	@Test
	void fetchAsksOnceAndWritesOnce() {
		JdbcFetchStore fetches = new JdbcFetchStore(this.statements.database());
		ProcessFetch request = new ProcessFetch("mail", 5, 5, "process-1", Duration.ofSeconds(30), HandledJobs.ALL);
		for (int count = 1; count <= 2; count++) {
			this.jobs.insert(newJobs(jobs(count)));
			this.statements.reset();
			assertThat(fetches.fetch(request, TestStores.NOW.plusSeconds(count)).runs()).hasSize(count);
			assertThat(this.statements.texts()).filteredOn((text) -> text.contains("fetchable and blocked_by is null"))
				.hasSize(1);
			assertThat(this.statements.texts()).filteredOn((text) -> text.startsWith("with told as")).hasSize(1);
			assertThat(this.statements.texts()).noneMatch((text) -> text.startsWith("insert"));
		}
	}

	private void said(String step, Runnable work) {
		this.statements.reset();
		work.run();
		this.said.append("-- ").append(step).append("\n\n");
		Stream.of(this.statements.texts().toArray(String[]::new))
			.distinct()
			.forEach((text) -> this.said.append(wrapped(text)).append(";\n\n"));
	}

	/** In lines that fit a page. */
	private static String wrapped(String text) {
		StringBuilder wrapped = new StringBuilder();
		int length = 0;
		for (String word : text.split(" ")) {
			if (length > 0) {
				boolean full = length + 1 + word.length() > WIDTH;
				wrapped.append(full ? "\n  " : " ");
				length = full ? 2 : length + 1;
			}
			wrapped.append(word);
			length += word.length();
		}
		return wrapped.toString();
	}

	private List<EncodedJob> jobs(int count) {
		return Stream.generate(() -> this.stores.encoded((job) -> job)).limit(count).toList();
	}

	private static List<NewJob> newJobs(List<EncodedJob> jobs) {
		return jobs.stream().map((job) -> TestStores.newJob(job, TestStores.LATER)).toList();
	}

	private static List<String> ids(List<EncodedJob> jobs) {
		return jobs.stream().map((job) -> job.job().id()).toList();
	}

	private List<Lease> claim(List<EncodedJob> jobs) {
		return this.attempts.claim(jobs.stream().map(this.stores::request).toList(), "worker-1", TestStores.NOW, true)
			.stream()
			.map((claim) -> ((Claim.Taken) claim).lease())
			.toList();
	}

	private void settle(Outcome... outcomes) {
		assertThat(this.attempts.settle(List.of(outcomes), TestStores.NOW)).containsOnly(true);
	}

}
