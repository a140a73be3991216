package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.jdbc.internal.fetch.JdbcFetchStore;
import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.Rfc3339;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.ClaimRequest;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A run that begins or ends alone, or together with others, does so as one that is looked
 * at before, as it is within the transaction of a caller, whatever has become of its row
 * meanwhile.
 */
abstract class PlainRunsContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	@ParameterizedTest
	@ValueSource(strings = { "priority = 0", "attempt = max_attempts", "max_attempts = 0", "attempt = 1",
			"version_key = 7000000000", "expires_at = timestamp '2001-01-01 00:00:00'", "tenant = 'acme'",
			"tenant = 'acme', awaits_turn = false", "tenant = 'acme', awaits_turn = true", "awaits_turn = true",
			"rate_key = 'mails'", "blocked_by = cast(id as varchar(36))", "blocked_rank = 3", "has_places = true",
			"worker_wait_since = timestamp '2001-01-01 00:00:00'",
			"worker_wait_until = timestamp '2001-01-01 00:00:00'", "queue = 'elsewhere'", "type = 'other.type'",
			"state = 'scheduled', due_at = timestamp '2001-01-01 00:00:00'",
			"state = 'retryable', due_at = timestamp '2099-01-01 00:00:00'", "state = 'completed'",
			"state = 'cancelled'", "workflow_id = '00000000-0000-7000-8000-000000000000', workflow_step = 1",
			"errors = '[{\"type\":\"T\",\"message\":\"x\",\"attempt\":1,"
					+ "\"occurred_at\":\"2026-01-01T00:00:00Z\"}]'",
			"relay_at = null", "relay_at = timestamp '2099-01-01 00:00:00'",
			"envelope = replace(envelope, 'email', 'gmail')" })
	void begins(String change) {
		EncodedJob looked = this.stores.available();
		EncodedJob alone = this.stores.available();
		EncodedJob together = this.stores.available();
		EncodedJob other = this.stores.available();
		change(change, looked, alone, together);
		Claim expected = looked(() -> claim(looked).get(0));
		Claim one = claim(alone).get(0);
		List<Claim> more = claim(together, other);
		assertThat(told(one, alone)).isEqualTo(told(more.get(0), together)).isEqualTo(told(expected, looked));
		assertThat(row(alone)).isEqualTo(row(together)).isEqualTo(row(looked));
		assertThat(events(alone)).isEqualTo(events(together)).isEqualTo(events(looked));
		assertThat(more.get(1)).isInstanceOf(Claim.Taken.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "priority = 0", "run = 2", "state = 'cancelled'", "state = 'available'",
			"rate_key = 'mails'", "tenant = 'acme'", "worker = 'another'",
			"workflow_id = '00000000-0000-7000-8000-000000000000', workflow_step = 1" })
	void ends(String change) {
		EncodedJob looked = this.stores.available();
		EncodedJob alone = this.stores.available();
		EncodedJob together = this.stores.available();
		EncodedJob other = this.stores.available();
		Outcome expected = completed(looked);
		Outcome one = completed(alone);
		List<Outcome> more = List.of(completed(together), completed(other));
		change(change, looked, alone, together);
		Instant later = NOW.plusSeconds(1);
		boolean valid = looked(() -> this.stores.attempts.settle(List.of(expected), later).get(0));
		assertThat(this.stores.attempts.settle(List.of(one), later)).containsExactly(valid);
		assertThat(this.stores.attempts.settle(more, later)).containsExactly(valid, true);
		assertThat(row(alone)).isEqualTo(row(together)).isEqualTo(row(looked));
		assertThat(events(alone)).isEqualTo(events(together)).isEqualTo(events(looked));
		assertThat(ends(alone)).isEqualTo(ends(together)).isEqualTo(ends(looked));
	}

	@ParameterizedTest
	@ValueSource(strings = { "priority = 0", "run = 2", "state = 'cancelled'", "state = 'available'",
			"rate_key = 'mails'", "tenant = 'acme'", "worker = 'another'",
			"workflow_id = '00000000-0000-7000-8000-000000000000', workflow_step = 1" })
	void endsWhatWasFetched(String change) {
		EncodedJob looked = this.stores.available();
		EncodedJob alone = this.stores.available();
		EncodedJob together = this.stores.available();
		EncodedJob other = this.stores.available();
		Map<String, Outcome> outcomes = new HashMap<>();
		new JdbcFetchStore(this.stores.database)
			.fetch(new ProcessFetch("mail", 4, 4, "worker-1", Duration.ofSeconds(30), HandledJobs.ALL), NOW)
			.runs()
			.forEach((run) -> outcomes.put(run.lease().jobId(), new Outcome.Completed(run.lease(), Map.of("sent", 1))));
		change(change, looked, alone, together);
		Instant later = NOW.plusSeconds(1);
		boolean valid = looked(
				() -> this.stores.attempts.settle(List.of(outcomes.get(looked.job().id())), later).get(0));
		assertThat(this.stores.attempts.settle(List.of(outcomes.get(alone.job().id())), later)).containsExactly(valid);
		assertThat(this.stores.attempts
			.settle(List.of(outcomes.get(together.job().id()), outcomes.get(other.job().id())), later))
			.containsExactly(valid, true);
		assertThat(row(alone)).isEqualTo(row(together)).isEqualTo(row(looked));
		assertThat(events(alone)).isEqualTo(events(together)).isEqualTo(events(looked));
		assertThat(ends(alone)).isEqualTo(ends(together)).isEqualTo(ends(looked));
	}

	@Test
	void endsInItsOwnWay() {
		EncodedJob failed = this.stores.available();
		EncodedJob done = this.stores.available();
		Lease lease = completed(failed).lease();
		JobError error = new JobError("java.lang.IllegalStateException", null, "no", 1, Rfc3339.utc(NOW), List.of(),
				Map.of());
		assertThat(this.stores.attempts
			.settle(List.of(new Outcome.Discarded(lease, error, Transition.EXHAUST), completed(done)), NOW))
			.containsExactly(true, true);
		assertThat(this.stores.state(failed)).isEqualTo(JobState.DISCARDED);
		assertThat(this.stores.state(done)).isEqualTo(JobState.COMPLETED);
		assertThat(this.stores.attempts.settle(List.of(new Outcome.Completed(lease, null)), NOW))
			.containsExactly(false);
	}

	@Test
	void beginsNothingThatItCannotRun() {
		EncodedJob looked = this.stores.available();
		EncodedJob alone = this.stores.available();
		EncodedJob together = this.stores.available();
		EncodedJob other = this.stores.available();
		HandledJobs none = new HandledJobs(Map.of(), false);
		Claim expected = looked(() -> claim(List.of(request(looked).handled(none))).get(0));
		Claim one = claim(List.of(request(alone).handled(none))).get(0);
		Claim two = claim(List.of(request(together).handled(none), request(other))).get(0);
		assertThat(told(one, alone)).isEqualTo(told(two, together))
			.isEqualTo(told(expected, looked))
			.startsWith("WaitForWorker");
		assertThat(row(alone)).isEqualTo(row(together)).isEqualTo(row(looked));
	}

	@Test
	void endIsToldToWhoeverAsksAgainSinceAnotherHasFailed() {
		EncodedJob job = this.stores.available();
		Outcome done = completed(job);
		Lease other = completed(this.stores.available()).lease();
		Outcome broken = new Outcome.Retried(other, TestStores.error("x"), Instant.MAX, Instant.MAX);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.stores.attempts.settle(List.of(done, broken), NOW));
		assertThat(this.stores.attempts.settle(List.of(done), NOW)).containsExactly(true);
		assertThat(this.stores.state(job)).isEqualTo(JobState.COMPLETED);
		assertThat(this.stores.attempts.settle(List.of(done), NOW)).containsExactly(false);
	}

	@Test
	void beginIsToldToWhoeverAsksAgainSinceAnotherHasFailed() {
		EncodedJob job = this.stores.available();
		Job unknown = this.stores.encoded((made) -> made).job();
		ClaimRequest broken = request(new EncodedJob(unknown, new byte[] { (byte) 0xff }, 3));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> claim(List.of(request(job), broken)));
		Claim again = claim(List.of(new ClaimRequest(job, "mail", 1, Map.of(), Duration.ofSeconds(30), Set.of(NOW))))
			.get(0);
		assertThat(again).isInstanceOfSatisfying(Claim.Taken.class,
				(taken) -> assertThat(taken.job().job().attempt()).isOne());
	}

	@Test
	void isPartOfTheTransactionOfItsCaller() {
		EncodedJob job = this.stores.available();
		rolledBack(() -> this.stores.taken(job, NOW));
		Claim.Taken taken = this.stores.taken(job, NOW);
		assertThat(taken.job().job().attempt()).isOne();
		rolledBack(() -> this.stores.attempts.settle(List.of(new Outcome.Completed(taken.lease(), null)), NOW));
		assertThat(this.stores.state(job).isTerminal()).isFalse();
	}

	private <T> T looked(Supplier<T> work) {
		return Objects.requireNonNull(this.stores.users().execute((status) -> work.get()));
	}

	private void rolledBack(Runnable work) {
		this.stores.users().executeWithoutResult((status) -> {
			work.run();
			status.setRollbackOnly();
		});
	}

	private void change(String change, EncodedJob... jobs) {
		for (EncodedJob job : jobs) {
			this.stores.jdbc()
				.update("update ojs_job set " + change + " where id = ?", UUID.fromString(job.job().id()));
		}
	}

	private List<Claim> claim(EncodedJob... jobs) {
		return claim(List.of(jobs).stream().map(PlainRunsContract::request).toList());
	}

	private List<Claim> claim(List<ClaimRequest> requests) {
		return this.stores.attempts.claim(requests, "worker", NOW, true);
	}

	private static ClaimRequest request(EncodedJob job) {
		HandledJobs handled = new HandledJobs(Map.of(job.job().type(), List.of(VersionRange.only(JobVersion.LOWEST))),
				true);
		return new ClaimRequest(job, job.job().queue(), 1, Map.of(), Duration.ofSeconds(30)).handled(handled);
	}

	private Outcome completed(EncodedJob job) {
		Lease lease = ((Claim.Taken) claim(job).get(0)).lease();
		return new Outcome.Completed(lease, Map.of("sent", 1));
	}

	private static String told(Claim claim, EncodedJob job) {
		return claim.toString()
			.replace(job.job().id(), "ID")
			.replaceAll("createdAt=[^,]*", "")
			.replaceAll("run=[1-9][0-9]*", "run=N");
	}

	private Map<String, @Nullable Object> row(EncodedJob job) {
		Map<String, @Nullable Object> row = new LinkedHashMap<>();
		this.stores.jdbc()
			.queryForMap("select * from ojs_job where id = ?", UUID.fromString(job.job().id()))
			.forEach((column, value) -> row.put(column.toLowerCase(Locale.ROOT), value));
		List.of("id", "envelope", "created_at", "enqueued_at").forEach(row::remove);
		if ("active".equals(row.get("state"))) {
			// It stays where it is unless other columns that indexes have change too.
			row.remove("fetchable");
		}
		// Each has another one.
		row.computeIfPresent("run", (column, value) -> ((Number) value).longValue() > 0);
		return row;
	}

	private List<String> events(EncodedJob job) {
		return this.stores.events()
			.stream()
			.filter((event) -> event.subject().equals(job.job().id()))
			.map((event) -> List
				.of(event.type(), event.source(), event.queue(), String.valueOf(event.tenant()), event.data(),
						event.type().equals("job.enqueued") ? "" : event.time())
				.toString()
				.replace(job.job().id(), "ID"))
			.toList();
	}

	private List<String> ends(EncodedJob job) {
		return this.stores.jdbc()
			.queryForList("select concat(workflow_id, step, state) from ojs_workflow_end where job_id = ?",
					String.class, UUID.fromString(job.job().id()));
	}

}
