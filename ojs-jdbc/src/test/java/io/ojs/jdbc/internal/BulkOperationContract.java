package io.ojs.jdbc.internal;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.function.Supplier;

import io.ojs.client.OjsOperations;
import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.event.StoredEvent;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.bulk.BulkAction;
import io.ojs.internal.bulk.BulkOperation;
import io.ojs.internal.bulk.BulkOperationStore;
import io.ojs.internal.bulk.BulkRequest;
import io.ojs.internal.bulk.BulkRunner;
import io.ojs.internal.bulk.BulkState;
import io.ojs.internal.bulk.BulkWork;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.admin.JdbcAdminStore;
import io.ojs.jdbc.internal.admin.JdbcJobSearch;
import io.ojs.jdbc.internal.bulk.JdbcBulkOperationStore;
import io.ojs.job.JobState;
import io.ojs.internal.engine.Times;
import io.ojs.retry.RetryOverrides;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Operations on many jobs: each job is changed once, whichever processes work them and
 * however they end.
 */
abstract class BulkOperationContract extends DeadLetterContract {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final JdbcBulkOperationStore operations = new JdbcBulkOperationStore(this.stores.database);

	private final JdbcAdminStore admin = new JdbcAdminStore(this.stores.database);

	private final StoreDeadLetters replays = new StoreDeadLetters(this.store, this.stores.transactions,
			new JsonValues(JsonMapper.shared()), this.codec, 1024 * 1024, this.clock, this.wakes::incrementAndGet);

	/** Cancels jobs in the store, and does nothing else. */
	private final OjsOperations ojs = (OjsOperations) Proxy
		.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { OjsOperations.class }, (proxy, method,
				arguments) -> this.jobs.cancel((String) arguments[0], this.clock.now).map((stored) -> stored.job()));

	private final JdbcJobSearch search = new JdbcJobSearch(this.stores.database);

	private final BulkWork work = new BulkWork(this.replays, this.store, this.admin, this.search, this.ojs,
			this.stores.producers);

	private final BulkRunner one = runner("one", this.stores.transactions);

	private final BulkRunner other = runner("other", this.stores.transactions);

	private BulkRunner runner(String process, StoreTransactions transactions) {
		return new BulkRunner(this.operations, transactions, this.work, process, LEASE, this.clock);
	}

	@Test
	void replaysWhatWasSeen() {
		many(1200);
		Instant seen = this.letters.end(DeadLetterFilter.ANY).orElseThrow();
		this.clock.now = NOON.plusSeconds(1);
		String late = dead("q", "a.b");
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY.until(seen), null));
		assertThat(this.one.runDue()).isTrue();
		BulkOperation done = find(id);
		assertThat(done.state()).isEqualTo(BulkState.COMPLETED);
		assertThat(done.progress().done()).isEqualTo(1200);
		assertThat(done.progress().matched()).isEqualTo(1200);
		assertThat(done.progress().complete()).isTrue();
		assertThat(done.by()).isEqualTo("ann");
		assertThat(done.process()).isEqualTo("one");
		assertThat(done.endedAt()).isEqualTo(this.clock.now);
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(late);
		assertThat(this.one.runDue()).isFalse();
		assertThat(told(id)).extracting(StoredEvent::type).containsExactly("operation.started", "operation.completed");
		assertThat(told(id).get(1).data()).containsEntry("action", "replay")
			.containsEntry("matched", 1200)
			.containsEntry("done", 1200)
			.containsEntry("failed", 0)
			.containsEntry("by", "ann");
	}

	@Test
	void eventsOfItsJobsNameTheCallerThatHasAskedForIt() {
		String replayed = dead("q", "a.b");
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		assertThat(this.one.runDue()).isTrue();
		assertThat(told(replayed)).filteredOn((event) -> event.type().equals("dead_letter.retried"))
			.extracting((event) -> event.data().get("by"))
			.containsExactly(find(id).by())
			.containsExactly("ann");
		assertThat(this.stores.producers.current()).isEqualTo("test");
	}

	@Test
	void failsAgainWithoutAnotherReplay() {
		many(600);
		Instant seen = this.letters.end(DeadLetterFilter.ANY).orElseThrow();
		this.clock.now = NOON.plusSeconds(1);
		List<String> again = new ArrayList<>();
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY.until(seen), null));
		BulkRunner slow = runner("slow", between(() -> {
			this.clock.now = this.clock.now.plusSeconds(1);
			if (again.isEmpty() && find(id).progress().done() > 0) {
				RelayedJob job = this.relay.take(this.clock.now, this.clock.now, 1).jobs().get(0);
				record(found(job.encoded()));
				again.add(job.encoded().job().id());
			}
		}));
		assertThat(slow.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(600);
		assertThat(ids(DeadLetterFilter.ANY)).isEqualTo(again).hasSize(1);
	}

	@Test
	void anotherProcessGoesOn() {
		many(1200);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		BulkRunner killed = runner("killed", failingFrom(3));
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(killed::runDue);
		BulkOperation left = find(id);
		assertThat(left.state()).isEqualTo(BulkState.RUNNING);
		assertThat(left.progress().done()).isEqualTo(500);
		assertThat(this.other.runDue()).as("before the lease is over").isFalse();
		this.clock.now = this.clock.now.plus(LEASE).plusMillis(1);
		assertThat(this.other.runDue()).isTrue();
		BulkOperation done = find(id);
		assertThat(done.state()).isEqualTo(BulkState.COMPLETED);
		assertThat(done.progress().done()).isEqualTo(1200);
		assertThat(done.process()).isEqualTo("other");
		assertThat(replays()).as("each once").isEqualTo(Map.of(1, 1200L));
		assertThat(told(id)).extracting(StoredEvent::type)
			.as("also each once")
			.containsExactly("operation.started", "operation.completed");
	}

	/** The lease of a process that is slow, not dead, may be over. */
	@Test
	void processWhoseLeaseIsOverDoesNothingMore() {
		many(1200);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		BulkRunner slow = runner("slow", between(() -> {
			if (find(id).progress().done() == 500 && "slow".equals(find(id).process())) {
				this.clock.now = this.clock.now.plus(LEASE).plusMillis(1);
				assertThat(this.other.runDue()).isTrue();
			}
		}));
		assertThat(slow.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(1200);
		assertThat(find(id).process()).isEqualTo("other");
		assertThat(replays()).isEqualTo(Map.of(1, 1200L));
	}

	@Test
	void processThatStopsGivesItUp() {
		many(1200);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		BulkRunner[] stopping = new BulkRunner[1];
		stopping[0] = runner("stopping", between(() -> {
			if (find(id).progress().done() == 500) {
				stopping[0].close();
			}
		}));
		assertThat(stopping[0].runDue()).isTrue();
		// Its thread would have ended before it gave the operation up.
		stopping[0].close();
		assertThat(find(id).progress().done()).isLessThan(1200);
		assertThat(this.other.runDue()).as("without waiting").isTrue();
		assertThat(find(id).progress().done()).isEqualTo(1200);
		assertThat(replays()).isEqualTo(Map.of(1, 1200L));
	}

	@Test
	void stopsAfterTheBatch() {
		many(1200);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		BulkRunner runner = runner("one", between(() -> {
			if (find(id).progress().done() == 500) {
				assertThat(this.one.stop(id)).get().extracting(BulkOperation::state).isEqualTo(BulkState.STOPPING);
			}
		}));
		assertThat(runner.runDue()).isTrue();
		assertThat(find(id).state()).isEqualTo(BulkState.STOPPED);
		assertThat(find(id).progress().done()).isEqualTo(500);
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(700);
		assertThat(this.one.stop(id)).get().extracting(BulkOperation::state).isEqualTo(BulkState.STOPPED);
		assertThat(runner.runDue()).isFalse();
	}

	@Test
	void stopsBeforeItBegins() {
		many(1);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		assertThat(this.one.stop(id)).get().extracting(BulkOperation::state).isEqualTo(BulkState.STOPPED);
		assertThat(this.one.runDue()).isFalse();
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(1);
		assertThat(told(id)).extracting(StoredEvent::type).containsExactly("operation.stopped");
	}

	@Test
	void keepsLimitRateAndChanges() {
		many(700);
		BulkRequest request = BulkRequest.of(DeadLetterFilter.ANY.until(end()), 600L, 500.0,
				ReplayOverrides.NONE.queue("later").priority(3).retry(RetryOverrides.NONE.maxAttempts(1)));
		String id = insert(BulkAction.REPLAY, request);
		assertThat(find(id).request()).isEqualTo(request);
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(500);
		this.clock.now = this.clock.now.plusSeconds(1);
		assertThat(this.one.runDue()).isTrue();
		this.clock.now = this.clock.now.plusSeconds(1);
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(600);
		assertThat(find(id).state()).isEqualTo(BulkState.COMPLETED);
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(100);
		assertThat(this.jdbc.queryForObject(
				"select count(*) from ojs_job where queue = 'later' and priority = 3 and max_attempts = 1", Long.class))
			.isEqualTo(600);
	}

	/** What waits for its time is a dead letter until then, so that it can be stopped. */
	@Test
	void replaysAtItsRate() {
		many(12);
		String id = insert(BulkAction.REPLAY,
				BulkRequest.of(DeadLetterFilter.ANY.until(end()), null, 5.0, ReplayOverrides.NONE));
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(5);
		assertThat(find(id).state()).isEqualTo(BulkState.RUNNING);
		assertThat(find(id).process()).as("in a pause").isNull();
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(7);
		assertThat(this.jdbc.queryForObject("select max(relay_at) from ojs_job", OffsetDateTime.class).toInstant())
			.as("spread over the second")
			.isEqualTo(NOON.plusMillis(800));
		this.clock.now = NOON.plusMillis(999);
		assertThat(this.one.runDue()).isFalse();
		this.clock.now = NOON.plusSeconds(1);
		assertThat(this.other.runDue()).as("any process goes on").isTrue();
		assertThat(find(id).progress().done()).isEqualTo(10);
		this.clock.now = NOON.plusSeconds(3600);
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(12);
		assertThat(find(id).state()).as("the last ones are not sent yet").isEqualTo(BulkState.RUNNING);
		this.clock.now = this.clock.now.plusSeconds(1);
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).state()).isEqualTo(BulkState.COMPLETED);
		assertThat(replays()).isEqualTo(Map.of(1, 12L));
		assertThat(told(id)).extracting(StoredEvent::type).containsExactly("operation.started", "operation.completed");
	}

	@Test
	void replaysLessThanOneInASecond() {
		many(2);
		String id = insert(BulkAction.REPLAY,
				BulkRequest.of(DeadLetterFilter.ANY.until(end()), null, 0.1, ReplayOverrides.NONE));
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isOne();
		this.clock.now = NOON.plusMillis(9999);
		assertThat(this.one.runDue()).isFalse();
		this.clock.now = NOON.plusSeconds(10);
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(2);
	}

	@Test
	void stopsInAPause() {
		many(12);
		String id = insert(BulkAction.REPLAY,
				BulkRequest.of(DeadLetterFilter.ANY.until(end()), null, 5.0, ReplayOverrides.NONE));
		assertThat(this.one.runDue()).isTrue();
		assertThat(this.other.stop(id)).get().extracting(BulkOperation::state).isEqualTo(BulkState.STOPPED);
		this.clock.now = NOON.plusSeconds(10);
		assertThat(this.one.runDue()).isFalse();
		assertThat(find(id).progress().done()).isEqualTo(5);
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(7);
	}

	@Test
	void othersGoOnInItsPauses() {
		many(3);
		String slow = insert(BulkAction.REPLAY,
				BulkRequest.of(DeadLetterFilter.ANY.until(end()), 2L, 1.0, ReplayOverrides.NONE));
		String deletion = insert(BulkAction.DELETE, letters(DeadLetterFilter.ANY, null));
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(slow).progress().done()).isOne();
		assertThat(find(deletion).state()).isEqualTo(BulkState.COMPLETED);
		assertThat(find(deletion).progress().done()).isEqualTo(2);
	}

	@Test
	void replaysWithRatesGoOnSideBySide() {
		many(8);
		String first = insert(BulkAction.REPLAY,
				BulkRequest.of(DeadLetterFilter.ANY.until(end()), 3L, 1.0, ReplayOverrides.NONE));
		String second = insert(BulkAction.REPLAY,
				BulkRequest.of(DeadLetterFilter.ANY.until(end()), 3L, 0.5, ReplayOverrides.NONE));
		assertThat(this.operations.nextDue()).contains(NOON);
		assertThat(this.one.runDue()).isTrue();
		assertThat(List.of(find(first).progress().done(), find(second).progress().done())).containsExactly(1L, 1L);
		assertThat(this.operations.nextDue()).contains(NOON.plusSeconds(1));
		this.clock.now = NOON.plusSeconds(1);
		assertThat(this.one.runDue()).isTrue();
		assertThat(List.of(find(first).progress().done(), find(second).progress().done())).containsExactly(2L, 1L);
		assertThat(this.operations.nextDue()).contains(NOON.plusSeconds(2));
		this.clock.now = NOON.plusSeconds(2);
		assertThat(this.one.runDue()).isTrue();
		assertThat(List.of(find(first).progress().done(), find(second).progress().done())).containsExactly(3L, 2L);
	}

	@Test
	void longDeletionLeavesReplaysTheirTurn() {
		many(1502);
		String replay = insert(BulkAction.REPLAY,
				BulkRequest.of(DeadLetterFilter.ANY.until(end()), 2L, 1.0, ReplayOverrides.NONE));
		assertThat(this.one.runDue()).isTrue();
		String deletion = insert(BulkAction.DELETE, letters(DeadLetterFilter.ANY, null));
		List<Long> deleted = new ArrayList<>();
		BulkRunner runner = runner("one", between(() -> {
			this.clock.now = this.clock.now.plusMillis(600);
			if (find(replay).progress().done() == 2) {
				deleted.add(find(deletion).progress().done());
			}
		}));
		assertThat(runner.runDue()).isTrue();
		assertThat(find(replay).progress().done()).isEqualTo(2);
		assertThat(find(deletion).progress().done()).isEqualTo(1500);
		assertThat(deleted.get(0)).as("in the middle of it").isBetween(1L, 1000L);
	}

	@Test
	void knowsWhatBecameOfItsJobs() {
		many(4);
		String late = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, 3L));
		assertThat(this.one.runDue()).isTrue();
		List<RelayedJob> jobs = this.relay.take(this.clock.now, this.clock.now, 10).jobs();
		assertThat(jobs).hasSize(3);
		this.attempts.settle(List.of(new Outcome.Completed(claim(jobs.get(0).encoded()).lease(), null)), NOON);
		record(found(jobs.get(1).encoded()));
		assertThat(this.operations.outcome(late, 10)).isEqualTo(new BulkOperationStore.Outcome(
				Map.of(JobState.COMPLETED, 1L, JobState.DISCARDED, 1L, JobState.AVAILABLE, 1L), true));
		assertThat(this.operations.outcome(late, 2).complete()).isFalse();
		assertThat(this.search.search(JobSearch.Criteria.ANY.filter(JobFilter.ANY.operation(late)), null, 10).jobs())
			.extracting((found) -> found.row().id.toString())
			.containsExactlyInAnyOrderElementsOf(jobs.stream().map((job) -> job.encoded().job().id()).toList());
		this.clock.now = NOON.plusSeconds(1);
		insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		assertThat(this.one.runDue()).isTrue();
		assertThat(this.operations.outcome(late, 10).jobs()).as("those that it replayed last")
			.isEqualTo(Map.of(JobState.COMPLETED, 1L, JobState.AVAILABLE, 1L));
	}

	@Test
	void listsWhatStays() {
		String bad = dead("q", "a.b");
		this.jdbc.update("update ojs_job set envelope = '{' where id = cast(? as uuid)", bad);
		EncodedJob expired = job("q", "a.b",
				(builder) -> builder.expiresAt(NOON.plusSeconds(1).atOffset(ZoneOffset.UTC)));
		record(found(expired));
		dead("q", "a.b");
		this.clock.now = NOON.plusSeconds(2);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		assertThat(this.one.runDue()).isTrue();
		BulkOperation.Progress progress = find(id).progress();
		assertThat(progress.done()).isOne();
		assertThat(progress.failed()).isOne();
		assertThat(progress.skipped()).isEqualTo(Map.of("expired", 1L));
		assertThat(progress.errors()).extracting(BulkOperation.Unchanged::jobId)
			.containsExactlyInAnyOrder(bad, expired.job().id());
	}

	@Test
	void deletesDeadLetters() {
		many(600);
		String other = dead("other", "a.b");
		this.clock.now = NOON.plusSeconds(1);
		String id = insert(BulkAction.DELETE, letters(DeadLetterFilter.ANY.origin("q"), null));
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(600);
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(other);
	}

	@Test
	void countsWhatAnotherTransactionHasLocked() throws SQLException {
		many(3);
		String locked = dead("q", "a.b");
		this.clock.now = NOON.plusSeconds(1);
		try (Connection other = Objects.requireNonNull(this.jdbc.getDataSource()).getConnection()) {
			other.setAutoCommit(false);
			try (PreparedStatement lock = other.prepareStatement("select id from ojs_job where id = ? for update")) {
				lock.setObject(1, UUID.fromString(locked));
				lock.executeQuery();
			}
			String replay = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
			assertThat(this.one.runDue()).isTrue();
			assertThat(find(replay).progress().done()).isEqualTo(3);
			assertThat(find(replay).progress().skipped()).containsExactly(Map.entry("locked", 1L));
			for (BulkRequest request : List.of(letters(DeadLetterFilter.ANY, null), jobs(JobFilter.ANY))) {
				String delete = insert(BulkAction.DELETE, request);
				assertThat(this.one.runDue()).isTrue();
				assertThat(find(delete).progress().done()).isZero();
				assertThat(find(delete).progress().skipped()).containsExactly(Map.entry("locked", 1L));
			}
			other.rollback();
		}
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(locked);
	}

	@Test
	void cancelsJobsThatHaveNotEnded() {
		List<EncodedJob> waiting = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			waiting.add(insert(job("q", "a.b")));
		}
		EncodedJob kept = insert(job("q", "c.d"));
		this.attempts.settle(List.of(new Outcome.Completed(claim(waiting.get(0)).lease(), null)), NOON);
		this.clock.now = NOON.plusSeconds(1);
		BulkRequest request = jobs(new JobFilter("q", "a.*", Set.of(), false, null, null, Set.of(), null));
		String id = insert(BulkAction.CANCEL, request);
		assertThat(find(id).progress().matched()).isEqualTo(2);
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(2);
		assertThat(this.jobs.find(waiting.get(1).job().id()).orElseThrow().job().state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.jobs.find(waiting.get(0).job().id()).orElseThrow().job().state()).isEqualTo(JobState.COMPLETED);
		assertThat(this.jobs.find(kept.job().id()).orElseThrow().job().state()).isEqualTo(JobState.AVAILABLE);
	}

	@Test
	void deletesJobsThatHaveEnded() {
		EncodedJob done = insert(job("q", "a.b"));
		EncodedJob waits = insert(job("q", "a.b"));
		this.attempts.settle(List.of(new Outcome.Completed(claim(done).lease(), null)), NOON);
		this.clock.now = NOON.plusSeconds(1);
		BulkRequest request = jobs(
				new JobFilter("q", null, EnumSet.of(JobState.COMPLETED), false, null, null, Set.of(), null));
		String id = insert(BulkAction.DELETE, request);
		assertThat(find(id).progress().matched()).isOne();
		assertThat(find(id).progress().complete()).isTrue();
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isOne();
		assertThat(this.jobs.find(done.job().id())).isEmpty();
		assertThat(this.jobs.find(waits.job().id())).isPresent();
	}

	/** Jobs are chosen as the list of jobs does it. */
	@Test
	void changesWhatTheListShows() {
		EncodedJob wanted = insert(job("q", "a.b", (builder) -> builder.meta(Map.of("customer", "4711"))));
		EncodedJob other = insert(job("q", "a.b", (builder) -> builder.meta(Map.of("customer", "4712"))));
		this.clock.now = NOON.plusSeconds(1);
		JobSearch.Criteria criteria = new JobSearch.Criteria(JobFilter.ANY.queue("q"), "0", null,
				Set.of("customer=4711"), null, null, null, null);
		BulkRequest request = BulkRequest.of(criteria, this.clock.now, null);
		String id = insert(BulkAction.CANCEL, request);
		assertThat(find(id).request()).isEqualTo(request);
		assertThat(find(id).progress().matched()).isOne();
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isOne();
		assertThat(this.jobs.find(wanted.job().id()).orElseThrow().job().state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.jobs.find(other.job().id()).orElseThrow().job().state()).isEqualTo(JobState.AVAILABLE);
		String failed = dead("q", "a.b", "java.net.ConnectException");
		dead("q", "a.b", "java.io.IOException");
		this.clock.now = NOON.plusSeconds(2);
		String deletion = insert(BulkAction.DELETE, BulkRequest.of(new JobSearch.Criteria(JobFilter.ANY, null, null,
				Set.of(), "java.net.ConnectException", "REFUSED", null, null), this.clock.now, null));
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(deletion).progress().done()).isOne();
		assertThat(this.jobs.find(failed)).isEmpty();
	}

	@Test
	void keepsAllThatJobsAreChosenBy() {
		String id = this.ids.next();
		JobFilter filter = new JobFilter("q", "a.*", EnumSet.of(JobState.ACTIVE, JobState.AVAILABLE), false,
				NOON.minusNanos(1), NOON.plusNanos(1), Set.of(id), "acme")
			.operation(this.ids.next());
		BulkRequest request = BulkRequest.of(new JobSearch.Criteria(filter, "0191e4c8", "4f5a6b",
				Set.of("#urgent", "customer=47*"), "java.io.IOException", "refused", this.ids.next(), "worker-1"),
				NOON.plusNanos(2), 3L);
		assertThat(find(insert(BulkAction.CANCEL, request)).request()).isEqualTo(request);
	}

	/** They were not among those that were counted. */
	@Test
	void leavesJobsThatEndedLater() {
		EncodedJob late = insert(job("q", "a.b"));
		this.clock.now = NOON.plusSeconds(1);
		String id = insert(BulkAction.DELETE, jobs(JobFilter.ANY));
		this.attempts.settle(List.of(new Outcome.Completed(claim(late).lease(), null)), NOON.plusSeconds(2));
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isZero();
		assertThat(this.jobs.find(late.job().id())).isPresent();
	}

	@Test
	void changesJobsOfItsTenantAlone() {
		for (String tenant : List.of("acme", "other")) {
			record(found(job("q", "a.b", (builder) -> builder.meta(Map.of(Tenants.META_KEY, tenant)))));
		}
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY.tenant("acme"), null));
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isOne();
		assertThat(ids(DeadLetterFilter.ANY.tenant("other"))).hasSize(1);
	}

	@Test
	void cancelsAndDeletesJobsOfItsTenantAlone() {
		for (String tenant : List.of("acme", "other")) {
			insert(job("q", "a.b", (builder) -> builder.meta(Map.of(Tenants.META_KEY, tenant))));
		}
		this.clock.now = NOON.plusSeconds(1);
		for (BulkAction action : List.of(BulkAction.CANCEL, BulkAction.DELETE)) {
			String id = insert(action, jobs(JobFilter.ANY.tenant("acme")));
			this.clock.now = this.clock.now.plusSeconds(1);
			if (action == BulkAction.CANCEL) {
				assertThat(this.one.runDue()).isTrue();
				assertThat(states()).isEqualTo(Map.of("cancelled", 1L, "available", 1L));
				this.clock.now = this.clock.now.plusSeconds(1);
				this.jobs.cancel(this.jdbc.queryForObject("select cast(id as varchar) from ojs_job where tenant = ?",
						String.class, "other"), this.clock.now);
			}
			else {
				assertThat(this.one.runDue()).isTrue();
				assertThat(states()).isEqualTo(Map.of("cancelled", 1L));
			}
			assertThat(find(id).progress().done()).isOne();
			this.clock.now = this.clock.now.plusSeconds(1);
		}
		assertThat(this.jdbc.queryForObject("select tenant from ojs_job", String.class)).isEqualTo("other");
	}

	private Map<String, Long> states() {
		return this.jdbc.queryForList("select state from ojs_job", String.class)
			.stream()
			.collect(Collectors.groupingBy((state) -> state, Collectors.counting()));
	}

	@Test
	void cancelsAndDeletesMoreThanABatch() {
		for (int i = 0; i < 1100; i++) {
			insert(job("q", "a.b"));
		}
		this.clock.now = NOON.plusSeconds(1);
		BulkRequest all = jobs(JobFilter.ANY.queue("q").since(NOON.minus(Duration.ofDays(1))));
		assertThat(this.work.count(BulkAction.CANCEL, all, 500).complete()).isFalse();
		assertThat(this.work.count(BulkAction.CANCEL, all, 5000)).isEqualTo(BulkOperation.Progress.of(1100, true));
		String cancelled = insert(BulkAction.CANCEL, all);
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(cancelled).progress().done()).isEqualTo(1100);
		assertThat(states()).isEqualTo(Map.of("cancelled", 1100L));
		this.clock.now = NOON.plusSeconds(2);
		String deleted = insert(BulkAction.DELETE, jobs(JobFilter.ANY.queue("q")));
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(deleted).progress().done()).isEqualTo(1100);
		assertThat(states()).isEmpty();
	}

	/** They were not among those that were counted. */
	@Test
	void leavesJobsThatCameLater() {
		EncodedJob early = insert(job("q", "a.b"));
		EncodedJob late = insert(job("q", "a.b"));
		this.clock.now = NOON.plusSeconds(1);
		String id = insert(BulkAction.CANCEL, jobs(JobFilter.ANY));
		this.jdbc.update("update ojs_job set created_at = ? where id = cast(? as uuid)", Times.utc(NOON.plusSeconds(2)),
				late.job().id());
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(id).progress().done()).isOne();
		assertThat(this.jobs.find(early.job().id()).orElseThrow().job().state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.jobs.find(late.job().id()).orElseThrow().job().state()).isEqualTo(JobState.AVAILABLE);
	}

	/** A tenant reads its events, and the reason may name parts of the database. */
	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "acme")
	void failsWithItsReason(@Nullable String tenant) {
		many(1);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null), tenant);
		BulkWork broken = new BulkWork(this.replays, this.store, this.admin, new JdbcJobSearch(this.stores.database),
				this.ojs, this.stores.producers);
		this.jdbc.update("update ojs_operation set position = 'nowhere'");
		assertThat(new BulkRunner(this.operations, this.stores.transactions, broken, "one", LEASE, this.clock).runDue())
			.isTrue();
		assertThat(find(id).state()).isEqualTo(BulkState.FAILED);
		assertThat(find(id).problem()).contains("cursor");
		assertThat(told(id)).extracting(StoredEvent::type).containsExactly("operation.started", "operation.failed");
		assertThat(told(id).get(1).data().containsKey("problem")).isEqualTo(tenant == null);
		assertThat(this.other.runDue()).isFalse();
	}

	/** Such as one of a later version, in a rolling deployment. */
	@Test
	void oneThatCannotBeReadFailsAlone() {
		many(1);
		String unreadable = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		this.jdbc.update("update ojs_operation set request = '{\"until\": \"+10000-01-01T00:00:00Z\"}'");
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		assertThat(list(null, Set.of(), null)).containsExactly(id, unreadable);
		assertThat(this.one.runDue()).isTrue();
		assertThat(find(unreadable).state()).isEqualTo(BulkState.FAILED);
		assertThat(find(unreadable).problem()).contains("cannot read what was asked for");
		assertThat(find(unreadable).progress().done()).isZero();
		assertThat(find(id).progress().done()).isOne();
	}

	@Test
	void listsTheNewestFirst() {
		String first = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		String second = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		assertThat(list(null, Set.of(), null)).containsExactly(second, first);
		assertThat(list(null, Set.of(), second)).containsExactly(first);
		assertThat(list("acme", Set.of(), null)).isEmpty();
		this.one.stop(first);
		assertThat(list(null, Set.of(BulkState.WAITING, BulkState.RUNNING), null)).containsExactly(second);
		this.clock.now = NOON.plus(31, ChronoUnit.DAYS);
		assertThat(this.stores.retention.pruneOperations(this.clock.now.minus(30, ChronoUnit.DAYS), 10)).isOne();
		assertThat(list(null, Set.of(), null)).containsExactly(second);
	}

	@Test
	void countsUpToABound() {
		many(5);
		assertThat(this.store.countUpTo(DeadLetterFilter.ANY, 3)).isEqualTo(new AdminStore.BoundedCount(3, false));
		assertThat(this.store.countUpTo(DeadLetterFilter.ANY, 5)).isEqualTo(new AdminStore.BoundedCount(5, true));
		JobFilter any = JobFilter.ANY;
		assertThat(this.admin.countUpTo(any, true, 3)).isEqualTo(new AdminStore.BoundedCount(3, false));
		assertThat(this.admin.countUpTo(any, true, 5)).isEqualTo(new AdminStore.BoundedCount(5, true));
		assertThat(this.admin.countUpTo(any, false, 5)).isEqualTo(new AdminStore.BoundedCount(0, true));
		assertThat(this.admin.countUpTo(any.tenant("acme"), true, 5)).isEqualTo(new AdminStore.BoundedCount(0, true));
	}

	private List<String> list(@Nullable String tenant, Set<BulkState> states, @Nullable String before) {
		return this.operations.list(tenant, states, before, 10).stream().map(BulkOperation::id).toList();
	}

	private Instant end() {
		return this.letters.end(DeadLetterFilter.ANY).orElse(this.clock.now);
	}

	private BulkRequest letters(DeadLetterFilter filter, @Nullable Long limit) {
		DeadLetterFilter bounded = (filter.until() != null) ? filter : filter.until(end());
		return BulkRequest.of(bounded, limit, null, ReplayOverrides.NONE);
	}

	private BulkRequest jobs(JobFilter filter) {
		return BulkRequest.of(JobSearch.Criteria.ANY.filter(filter), this.clock.now, null);
	}

	private String insert(BulkAction action, BulkRequest request) {
		return insert(action, request, null);
	}

	private String insert(BulkAction action, BulkRequest request, @Nullable String tenant) {
		String id = this.ids.next();
		this.operations.insert(BulkOperation.of(id, action, request, tenant, "ann",
				this.work.count(action, request, 100_000), this.clock.now));
		return id;
	}

	private List<StoredEvent> told(String id) {
		return this.stores.events().stream().filter((event) -> event.subject().equals(id)).toList();
	}

	private BulkOperation find(String id) {
		return this.operations.find(id).orElseThrow();
	}

	/** The number of jobs by how often they were replayed. */
	private Map<Integer, Long> replays() {
		return this.jdbc.query("select replays, count(*) as jobs from ojs_job group by replays", (rows) -> {
			Map<Integer, Long> replays = new HashMap<>();
			while (rows.next()) {
				replays.put(rows.getInt("replays"), rows.getLong("jobs"));
			}
			return replays;
		});
	}

	/** Runs something before each transaction of a runner. */
	private StoreTransactions between(Runnable before) {
		return new Transactions(before);
	}

	/** The database goes away before the n-th transaction is committed. */
	private StoreTransactions failingFrom(int transaction) {
		int[] begun = new int[1];
		return new Transactions(() -> {
			begun[0]++;
			if (begun[0] >= transaction - 1) {
				throw new StoreUnavailableException("gone", null, false);
			}
		});
	}

	private final class Transactions implements StoreTransactions {

		private final Runnable before;

		Transactions(Runnable before) {
			this.before = before;
		}

		@Override
		public <T> T inTransaction(Supplier<T> work) {
			this.before.run();
			return BulkOperationContract.this.stores.transactions.inTransaction(work);
		}

		@Override
		public void afterCommit(Runnable action) {
			BulkOperationContract.this.stores.transactions.afterCommit(action);
		}

		@Override
		public boolean isActive() {
			return BulkOperationContract.this.stores.transactions.isActive();
		}

	}

}
