package io.ojs.jdbc.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.EventFeed;
import io.ojs.event.EventPage;
import io.ojs.event.StoredEvent;
import io.ojs.event.internal.EventTail;
import io.ojs.jdbc.internal.attempt.JdbcAttemptStore;
import io.ojs.jdbc.internal.event.JdbcEventFeed;
import io.ojs.jdbc.internal.event.JdbcEventTail;
import io.ojs.job.JobState;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.attempt.Claim;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

abstract class EventFeedContract extends StoreContract {

	@Test
	void readsOnFromAPosition() {
		EncodedJob first = this.stores.available();
		EncodedJob second = this.stores.available();
		List<StoredEvent> page = this.stores.feed.after(0, Set.of(), Set.of(), 1);
		assertThat(page).singleElement().satisfies((event) -> {
			assertThat(event.subject()).isEqualTo(first.job().id());
			assertThat(event.source()).isEqualTo("ojs://test/store");
			assertThat(event.time()).isEqualTo(TestStores.NOW);
			assertThat(event.data()).containsAllEntriesOf(Map.of("job_type", "email.send", "queue", "mail"));
		});
		List<StoredEvent> next = this.stores.feed.after(page.get(0).position(), Set.of(), Set.of(), 10);
		assertThat(next).extracting(StoredEvent::subject).containsExactly(second.job().id());
		assertThat(this.stores.feed.after(next.get(0).position(), Set.of(), Set.of(), 10)).isEmpty();
	}

	/** It orders nothing, and does not wait for rows that other readers have locked. */
	@Test
	void tailReadsWhatIsCommitted() {
		EventTail tail = new JdbcEventTail(this.stores.database);
		long begin = tail.end();
		EncodedJob job = this.stores.available();
		this.stores.taken(job, TestStores.NOW);
		List<EventTail.Row> rows = tail.after(begin, 10);
		assertThat(rows).flatExtracting(EventTail.Row::events)
			.containsExactly(new EventTail.Event("job.enqueued", job.job().id(), "mail"),
					new EventTail.Event("job.started", job.job().id(), "mail"));
		assertThat(rows).extracting(EventTail.Row::tenant).containsOnlyNulls();
		assertThat(tail.end()).isEqualTo(rows.get(1).seq());
		assertThat(tail.after(begin, 1)).containsExactly(rows.get(0));
		assertThat(tail.after(tail.end(), 10)).isEmpty();
		assertThat(tail.at(List.of(rows.get(1).seq(), rows.get(1).seq() + 1))).containsExactly(rows.get(1));
		assertThat(tail.at(List.of())).isEmpty();
		assertThat(this.stores.jdbc().queryForList("select feed_position from ojs_event", Long.class))
			.containsOnlyNulls();
	}

	@Test
	void filters() {
		EncodedJob job = this.stores.available();
		this.stores.taken(job, TestStores.NOW);
		this.stores.scheduled(TestStores.LATER);
		assertThat(types(Set.of("job.started"), Set.of())).containsExactly("job.started");
		assertThat(types(Set.of("job.*"), Set.of("mail"))).containsExactly("job.enqueued", "job.started",
				"job.scheduled");
		assertThat(types(Set.of("job.scheduled", "queue.*"), Set.of())).containsExactly("job.scheduled");
		assertThat(types(Set.of(), Set.of("other"))).isEmpty();
		assertThat(types(Set.of("jo_.*", "job.start%"), Set.of())).isEmpty();
	}

	private List<String> types(Set<String> types, Set<String> queues) {
		return this.stores.feed.after(0, types, queues, 100).stream().map(StoredEvent::type).toList();
	}

	@Test
	void pagesAreNotEndless() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.stores.feed.after(0, Set.of(), Set.of(), 0));
		assertThatIllegalArgumentException().isThrownBy(() -> this.stores.feed.after(0, Set.of(), Set.of(), 1001));
	}

	@Test
	void findsRareEventsBehindManyOthers() {
		for (int i = 0; i < 5; i++) {
			this.stores.jobs.insert(IntStream.range(0, 500)
				.mapToObj((n) -> TestStores.newJob(this.stores.encoded((job) -> job), null))
				.toList());
		}
		// More rows than are given a position at once.
		this.stores.jdbc()
			.batchUpdate("insert into ojs_event (source, occurred_at, events) values ('s', current_timestamp, '[]')",
					Collections.nCopies(1100, new Object[0]));
		this.stores.scheduled(TestStores.LATER);
		assertThat(types(Set.of("job.scheduled"), Set.of())).hasSize(1);
		assertThat(this.stores.feed.after(0, Set.of(), Set.of(), 1000)).hasSize(1000);
	}

	@Test
	void whatIsCommittedLateComesLater() throws Exception {
		EncodedJob slow = this.stores.encoded((job) -> job);
		CountDownLatch written = new CountDownLatch(1);
		CountDownLatch commit = new CountDownLatch(1);
		Thread writer = new Thread(() -> this.stores.users().executeWithoutResult((status) -> {
			this.stores.keep(slow, null);
			written.countDown();
			await(commit);
		}));
		writer.start();
		await(written);
		EncodedJob quick = this.stores.available();
		List<StoredEvent> before = this.stores.events();
		assertThat(before).extracting(StoredEvent::subject).containsExactly(quick.job().id());
		commit.countDown();
		writer.join();
		assertThat(this.stores.feed.after(before.get(0).position(), Set.of(), Set.of(), 10))
			.extracting(StoredEvent::subject)
			.containsExactly(slow.job().id());
	}

	@Test
	void whatIsRolledBackHasNotHappened() {
		EncodedJob first = this.stores.available();
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.available();
			status.setRollbackOnly();
		});
		EncodedJob second = this.stores.available();
		assertThat(this.stores.events()).extracting(StoredEvent::subject)
			.containsExactly(first.job().id(), second.job().id());
	}

	@Test
	void whatWasReadKeepsItsPlaceWhateverBecomesOfItsReader() {
		this.stores.available();
		this.stores.users().executeWithoutResult((status) -> {
			assertThat(this.stores.events()).hasSize(1);
			status.setRollbackOnly();
		});
		assertThat(this.stores.jdbc()
			.queryForObject("select count(*) from ojs_event where feed_position is null", Integer.class)).isZero();
	}

	@Test
	void whereThereIsNoFeedJobsBecomeWhatTheyBecomeWithOne() {
		StoreDatabase quiet = this.stores.withoutFeed();
		JdbcJobStore jobs = new JdbcJobStore(quiet);
		JdbcAttemptStore attempts = new JdbcAttemptStore(quiet);
		List<EncodedJob> kept = IntStream.range(0, 5).mapToObj((i) -> this.stores.encoded((job) -> job)).toList();
		jobs.insert(List.of(TestStores.newJob(kept.get(0), null)));
		jobs.insert(kept.subList(1, 5).stream().map((job) -> TestStores.newJob(job, null)).toList());
		List<Claim> claims = new ArrayList<>(claim(attempts, kept.subList(0, 1)));
		claims.addAll(claim(attempts, kept.subList(1, 4)));
		List<Outcome> outcomes = claims.stream()
			.<Outcome>map((claim) -> new Outcome.Completed(((Claim.Taken) claim).lease(), null))
			.toList();
		assertThat(attempts.settle(outcomes.subList(0, 1), TestStores.NOW)).containsExactly(true);
		assertThat(attempts.settle(outcomes.subList(1, 4), TestStores.NOW)).containsExactly(true, true, true);
		jobs.cancel(kept.get(4).job().id(), TestStores.NOW);
		assertThat(kept).extracting(this.stores::state)
			.containsExactly(JobState.COMPLETED, JobState.COMPLETED, JobState.COMPLETED, JobState.COMPLETED,
					JobState.CANCELLED);
		assertThat(this.stores.told(kept.get(4))).containsExactly("job.cancelled");
		assertThat(this.stores.events()).isEmpty();
	}

	private List<Claim> claim(JdbcAttemptStore attempts, List<EncodedJob> jobs) {
		return attempts.claim(jobs.stream().map(this.stores::request).toList(), "worker-1", TestStores.NOW, true);
	}

	@Test
	void positionsGoOnWithinARowOfManyEvents() {
		List<EncodedJob> jobs = IntStream.range(0, 1500).mapToObj((i) -> this.stores.encoded((job) -> job)).toList();
		this.stores.jobs.insert(jobs.stream().map((job) -> TestStores.newJob(job, null)).toList());
		this.stores.available();
		List<StoredEvent> read = new ArrayList<>();
		List<StoredEvent> page;
		do {
			page = this.stores.feed.after(read.isEmpty() ? 0 : read.get(read.size() - 1).position(), Set.of(), Set.of(),
					7);
			read.addAll(page);
		}
		while (page.size() == 7);
		assertThat(read).extracting(StoredEvent::subject)
			.startsWith(jobs.stream().map((job) -> job.job().id()).toArray(String[]::new))
			.hasSize(1501);
		assertThat(read).extracting(StoredEvent::position).doesNotHaveDuplicates().isSorted();
	}

	@Test
	void picksWhatIsWantedOfEventsThatWereWrittenTogether() {
		List<NewJob> jobs = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			String queue = (i % 2 == 0) ? "mail" : "print";
			JobState state = (i < 3) ? JobState.AVAILABLE : JobState.SCHEDULED;
			Map<String, String> meta = (i % 3 == 0) ? Map.of("tenant_id", "acme") : Map.of();
			jobs.add(TestStores.newJob(this.stores.encoded((job) -> job.queue(queue)
				.state(state)
				.scheduledAt((state == JobState.SCHEDULED) ? TestStores.time(TestStores.LATER) : null)
				.meta(meta)), TestStores.LATER));
		}
		this.stores.jobs.insert(jobs);
		assertThat(picked(jobs, Set.of("job.scheduled"), Set.of(), null)).containsExactlyInAnyOrder(3, 4, 5);
		assertThat(picked(jobs, Set.of(), Set.of("print"), null)).containsExactlyInAnyOrder(1, 3, 5);
		assertThat(picked(jobs, Set.of(), Set.of(), "acme")).containsExactly(0, 3);
		assertThat(picked(jobs, Set.of("job.*"), Set.of("print"), "acme")).containsExactly(3);
		assertThat(picked(jobs, Set.of("job.enqueued"), Set.of("mail", "print"), null)).containsExactlyInAnyOrder(0, 1,
				2);
	}

	@Test
	void pagePassesOverWhatIsNotWanted() {
		for (int i = 0; i < 10; i++) {
			this.stores.available();
		}
		EventPage page = this.stores.feed.page(0, Set.of("job.started"), Set.of(), null, 10);
		assertThat(page.events()).isEmpty();
		assertThat(page.more()).isFalse();
		EncodedJob job = this.stores.available();
		this.stores.taken(job, TestStores.NOW);
		EventPage next = this.stores.feed.page(page.position(), Set.of("job.started"), Set.of(), null, 1);
		assertThat(next.events()).extracting(StoredEvent::subject).containsExactly(job.job().id());
		assertThat(next.position()).isEqualTo(next.events().get(0).position());
		assertThat(this.stores.feed.page(page.position(), Set.of(), Set.of(), null, 10).events())
			.extracting(StoredEvent::subject)
			.containsOnly(job.job().id());
	}

	@Test
	void pageThatIsFullLeavesNothingOutOfARow() {
		List<NewJob> jobs = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			jobs.add(TestStores.newJob(this.stores.encoded((job) -> job), TestStores.LATER));
		}
		this.stores.jobs.insert(jobs);
		EventPage page = this.stores.feed.page(0, Set.of(), Set.of(), null, 2);
		assertThat(page.events()).hasSize(2);
		assertThat(page.more()).isTrue();
		assertThat(this.stores.feed.page(page.position(), Set.of(), Set.of(), null, 2).events()).hasSize(1);
	}

	@Test
	void pageEndsWhenItsTimeIsOver() {
		for (int i = 0; i < 10; i++) {
			this.stores.available();
		}
		this.stores.taken(this.stores.available(), TestStores.NOW);
		EventFeed feed = new JdbcEventFeed(this.stores.database, Duration.ZERO);
		EventPage page = feed.page(0, Set.of("job.started"), Set.of(), null, 10);
		assertThat(page.events()).isEmpty();
		assertThat(page.position()).isPositive();
		assertThat(page.more()).isTrue();
		assertThat(feed.after(0, Set.of("job.started"), Set.of(), 10)).hasSize(1);
	}

	@Test
	void tenantDoesNotSeeProcesses() {
		EncodedJob job = this.stores.keep(this.stores.encoded((request) -> request.meta(Map.of("tenant_id", "acme"))),
				TestStores.LATER);
		this.stores.taken(job, TestStores.NOW);
		assertThat(this.stores.feed.after(0, Set.of("job.started"), Set.of(), 10).get(0).data())
			.containsKey("worker_id");
		assertThat(this.stores.feed.after(0, Set.of("job.started"), Set.of(), "acme", 10).get(0).data())
			.containsEntry("attempt", 1)
			.doesNotContainKey("worker_id");
	}

	/** Read one by one. */
	private List<Integer> picked(List<NewJob> jobs, Set<String> types, Set<String> queues, @Nullable String tenant) {
		List<String> ids = jobs.stream().map((job) -> job.encoded().job().id()).toList();
		List<Integer> picked = new ArrayList<>();
		long position = 0;
		for (List<StoredEvent> one; !(one = this.stores.feed.after(position, types, queues, tenant, 1)).isEmpty();) {
			position = one.get(0).position();
			picked.add(ids.indexOf(one.get(0).subject()));
		}
		return picked;
	}

	@Test
	void aRowThatCannotBeReadHidesNoOthers() {
		EncodedJob first = this.stores.available();
		this.stores.jdbc()
			.update("insert into ojs_event (source, occurred_at, events) values ('s', current_timestamp, '[{')");
		EncodedJob second = this.stores.available();
		assertThat(this.stores.events()).extracting(StoredEvent::subject)
			.containsExactly(first.job().id(), second.job().id());
	}

	@Test
	void aReaderThatHasNothingToNumberWaitsForNoOther() throws Exception {
		this.stores.available();
		assertThat(this.stores.events()).hasSize(1);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.jdbc().queryForList("select feed_position from ojs_feed where name = 'events' for update");
			assertThat(CompletableFuture.supplyAsync(this.stores::events).orTimeout(20, TimeUnit.SECONDS).join())
				.hasSize(1);
		});
	}

	@Test
	void readersMissNothingWhileOthersWrite() throws Exception {
		AtomicInteger writing = new AtomicInteger(4);
		Set<String> written = ConcurrentHashMap.newKeySet();
		List<List<StoredEvent>> seen = List.of(new ArrayList<>(), new ArrayList<>());
		Threads.together(6, (thread) -> {
			if (thread < 4) {
				for (int i = 0; i < 30; i++) {
					write(written, i % 7 == 0);
				}
				writing.decrementAndGet();
				return;
			}
			List<StoredEvent> mine = seen.get(thread - 4);
			boolean last;
			do {
				last = writing.get() == 0;
				mine.addAll(this.stores.feed.after(mine.isEmpty() ? 0 : mine.get(mine.size() - 1).position(), Set.of(),
						Set.of(), 17));
			}
			while (!last || mine.size() < 3 * written.size());
		});
		for (List<StoredEvent> mine : seen) {
			assertThat(mine).extracting(StoredEvent::position).doesNotHaveDuplicates().isSorted();
			for (String id : written) {
				assertThat(mine.stream().filter((event) -> event.subject().equals(id)).map(StoredEvent::type))
					.containsExactly("job.enqueued", "job.started", "job.cancelled");
			}
		}
	}

	private void write(Set<String> written, boolean rollBack) {
		EncodedJob job = this.stores.encoded((fields) -> fields);
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.keep(job, null);
			Thread.yield();
			if (rollBack) {
				status.setRollbackOnly();
			}
		});
		if (!rollBack) {
			this.stores.taken(job, TestStores.NOW);
			this.stores.jobs.cancel(job.job().id(), TestStores.NOW);
			written.add(job.job().id());
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
