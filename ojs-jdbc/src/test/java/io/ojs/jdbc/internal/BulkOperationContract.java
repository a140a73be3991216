package io.ojs.jdbc.internal;

import java.lang.reflect.Proxy;
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
import java.util.Set;
import java.util.function.Supplier;

import io.ojs.client.OjsOperations;
import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.event.StoredEvent;
import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.bulk.BulkAction;
import io.ojs.internal.bulk.BulkOperation;
import io.ojs.internal.bulk.BulkRequest;
import io.ojs.internal.bulk.BulkRunner;
import io.ojs.internal.bulk.BulkState;
import io.ojs.internal.bulk.BulkWork;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.admin.JdbcAdminStore;
import io.ojs.jdbc.internal.bulk.JdbcBulkOperationStore;
import io.ojs.job.JobState;
import io.ojs.retry.RetryOverrides;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.store.internal.attempt.Outcome;
import io.ojs.store.internal.relay.RelayedJob;
import io.ojs.tenant.Tenants;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
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

	private final BulkWork work = new BulkWork(this.replays, this.store, this.admin, this.ojs, this.stores.producers);

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
		assertThat(this.one.runNext()).isTrue();
		BulkOperation done = find(id);
		assertThat(done.state()).isEqualTo(BulkState.COMPLETED);
		assertThat(done.progress().done()).isEqualTo(1200);
		assertThat(done.progress().matched()).isEqualTo(1200);
		assertThat(done.progress().complete()).isTrue();
		assertThat(done.by()).isEqualTo("ann");
		assertThat(done.process()).isEqualTo("one");
		assertThat(done.endedAt()).isEqualTo(this.clock.now);
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(late);
		assertThat(this.one.runNext()).isFalse();
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
		assertThat(this.one.runNext()).isTrue();
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
		assertThat(slow.runNext()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(600);
		assertThat(ids(DeadLetterFilter.ANY)).isEqualTo(again).hasSize(1);
	}

	@Test
	void anotherProcessGoesOn() {
		many(1200);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		BulkRunner killed = runner("killed", failingFrom(3));
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(killed::runNext);
		BulkOperation left = find(id);
		assertThat(left.state()).isEqualTo(BulkState.RUNNING);
		assertThat(left.progress().done()).isEqualTo(500);
		assertThat(this.other.runNext()).as("before the lease is over").isFalse();
		this.clock.now = this.clock.now.plus(LEASE).plusMillis(1);
		assertThat(this.other.runNext()).isTrue();
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
				assertThat(this.other.runNext()).isTrue();
			}
		}));
		assertThat(slow.runNext()).isTrue();
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
		assertThat(stopping[0].runNext()).isTrue();
		// Its thread would have ended before it gave the operation up.
		stopping[0].close();
		assertThat(find(id).progress().done()).isLessThan(1200);
		assertThat(this.other.runNext()).as("without waiting").isTrue();
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
		assertThat(runner.runNext()).isTrue();
		assertThat(find(id).state()).isEqualTo(BulkState.STOPPED);
		assertThat(find(id).progress().done()).isEqualTo(500);
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(700);
		assertThat(this.one.stop(id)).get().extracting(BulkOperation::state).isEqualTo(BulkState.STOPPED);
		assertThat(runner.runNext()).isFalse();
	}

	@Test
	void stopsBeforeItBegins() {
		many(1);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		assertThat(this.one.stop(id)).get().extracting(BulkOperation::state).isEqualTo(BulkState.STOPPED);
		assertThat(this.one.runNext()).isFalse();
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(1);
		assertThat(told(id)).extracting(StoredEvent::type).containsExactly("operation.stopped");
	}

	@Test
	void keepsLimitRateAndChanges() {
		many(700);
		BulkRequest request = new BulkRequest(DeadLetterFilter.ANY.until(end()), null, 600L, 100.0,
				ReplayOverrides.NONE.queue("later").priority(3).retry(RetryOverrides.NONE.maxAttempts(1)));
		String id = insert(BulkAction.REPLAY, request);
		assertThat(find(id).request()).isEqualTo(request);
		BulkRunner killed = runner("killed", failingFrom(3));
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(killed::runNext);
		this.clock.now = this.clock.now.plusSeconds(1);
		assertThat(runner("killed", this.stores.transactions).runNext()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(600);
		assertThat(find(id).state()).isEqualTo(BulkState.COMPLETED);
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(100);
		assertThat(this.jdbc.queryForObject(
				"select count(*) from ojs_job where queue = 'later' and priority = 3 and max_attempts = 1", Long.class))
			.isEqualTo(600);
		assertThat(this.stores.jdbc()
			.queryForObject("select max(relay_at) from ojs_job where queue = 'later'", OffsetDateTime.class)
			.toInstant()).as("at the rate, from the beginning of the operation").isEqualTo(NOON.plusMillis(5990));
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
		assertThat(this.one.runNext()).isTrue();
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
		assertThat(this.one.runNext()).isTrue();
		assertThat(find(id).progress().done()).isEqualTo(600);
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(other);
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
		BulkRequest request = new BulkRequest(null,
				new JobFilter("q", "a.*", Set.of(), false, null, this.clock.now, Set.of(), null), null, null,
				ReplayOverrides.NONE);
		String id = insert(BulkAction.CANCEL, request);
		assertThat(find(id).progress().matched()).isEqualTo(2);
		assertThat(this.one.runNext()).isTrue();
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
		BulkRequest request = new BulkRequest(null,
				new JobFilter("q", null, EnumSet.of(JobState.COMPLETED), false, null, this.clock.now, Set.of(), null),
				null, null, ReplayOverrides.NONE);
		String id = insert(BulkAction.DELETE, request);
		assertThat(find(id).progress().matched()).isOne();
		assertThat(find(id).progress().complete()).isTrue();
		assertThat(this.one.runNext()).isTrue();
		assertThat(find(id).progress().done()).isOne();
		assertThat(this.jobs.find(done.job().id())).isEmpty();
		assertThat(this.jobs.find(waits.job().id())).isPresent();
	}

	@Test
	void changesJobsOfItsTenantAlone() {
		for (String tenant : List.of("acme", "other")) {
			record(found(job("q", "a.b", (builder) -> builder.meta(Map.of(Tenants.META_KEY, tenant)))));
		}
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY.tenant("acme"), null));
		assertThat(this.one.runNext()).isTrue();
		assertThat(find(id).progress().done()).isOne();
		assertThat(ids(DeadLetterFilter.ANY.tenant("other"))).hasSize(1);
	}

	@Test
	void failsWithItsReason() {
		many(1);
		String id = insert(BulkAction.REPLAY, letters(DeadLetterFilter.ANY, null));
		BulkWork broken = new BulkWork(this.replays, this.store, this.admin, this.ojs, this.stores.producers);
		this.jdbc.update("update ojs_operation set position = 'nowhere'");
		assertThat(
				new BulkRunner(this.operations, this.stores.transactions, broken, "one", LEASE, this.clock).runNext())
			.isTrue();
		assertThat(find(id).state()).isEqualTo(BulkState.FAILED);
		assertThat(find(id).problem()).contains("cursor");
		assertThat(told(id)).extracting(StoredEvent::type).containsExactly("operation.started", "operation.failed");
		assertThat(this.other.runNext()).isFalse();
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
		return new BulkRequest(bounded, null, limit, null, ReplayOverrides.NONE);
	}

	private String insert(BulkAction action, BulkRequest request) {
		String id = this.ids.next();
		this.operations.insert(BulkOperation.of(id, action, request, null, "ann",
				this.work.count(action, request, this.clock.now, 100_000), this.clock.now));
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
