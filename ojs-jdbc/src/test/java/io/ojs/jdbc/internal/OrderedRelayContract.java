package io.ojs.jdbc.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import io.ojs.store.internal.NewJob;
import io.ojs.store.internal.relay.RelayedJob;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the relay takes of queues that keep their jobs in order.
 */
abstract class OrderedRelayContract extends StoreContract {

	private static final Instant NOW = TestStores.NOW;

	private static final Instant UNTIL = NOW.plusSeconds(100);

	@Test
	void takesThemAsTheyWereEnqueued() {
		String first = ordered("mail", NOW);
		String second = ordered("mail", NOW.minusSeconds(1));
		String third = ordered("mail", NOW.minusSeconds(2));
		assertThat(this.stores.relay.take(NOW, UNTIL, 10).jobs()).as("for those that may overtake others").isEmpty();
		assertThat(takeOrdered(NOW.minusSeconds(3), 10)).isEmpty();
		assertThat(takeOrdered(NOW, 2)).containsExactly(first, second);
		publish(first, second);
		assertThat(takeOrdered(NOW, 2)).containsExactly(third);
	}

	@Test
	void laterOnesDoNotPassThoseThatAreOnTheirWay() {
		String first = ordered("mail", NOW);
		String second = ordered("mail", NOW);
		assertThat(takeOrdered(NOW, 1)).containsExactly(first);
		assertThat(takeOrdered(NOW, 10)).isEmpty();
		this.stores.relay.giveBack(List.of(first), NOW.plusSeconds(5));
		assertThat(takeOrdered(NOW.plusSeconds(4), 10)).isEmpty();
		assertThat(takeOrdered(NOW.plusSeconds(5), 10)).containsExactly(first, second);
	}

	@Test
	void laterOnesWaitForOneThatCannotBePublishedUntilItIsADeadLetter() {
		String bad = ordered("mail", NOW);
		String next = ordered("mail", NOW);
		assertThat(takeOrdered(NOW, 1)).containsExactly(bad);
		this.stores.relay.giveBack(List.of(bad), NOW.plusSeconds(2));
		assertThat(takeOrdered(NOW.plusSeconds(1), 10)).isEmpty();
		assertThat(takeOrdered(NOW.plusSeconds(2), 1)).containsExactly(bad);
		assertThat(this.stores.relay.bury(Map.of(bad, "It is too large."), NOW.plusSeconds(2))).hasSize(1);
		assertThat(takeOrdered(NOW.plusSeconds(2), 10)).containsExactly(next);
	}

	@Test
	void oneThatIsLockedHoldsUpNoOtherQueueAndIsNotPassed() {
		String first = ordered("mail", NOW);
		String locked = ordered("mail", NOW);
		String last = ordered("mail", NOW);
		String other = ordered("images", NOW.plusSeconds(1));
		this.stores.users().executeWithoutResult((status) -> {
			this.stores.lock(locked);
			assertThat(Threads.apart(() -> takeOrdered(NOW.plusSeconds(1), 10))).containsExactly(first);
			publish(first);
			assertThat(Threads.apart(() -> takeOrdered(NOW.plusSeconds(1), 10))).containsExactly(other);
		});
		assertThat(takeOrdered(NOW.plusSeconds(1), 10)).containsExactly(locked, last);
	}

	@Test
	void queuesDoNotWaitForEachOther() {
		String first = ordered("mail", NOW.minusSeconds(1));
		ordered("mail", NOW.minusSeconds(1));
		assertThat(takeOrdered(NOW, 1)).containsExactly(first);
		String other = ordered("images", NOW);
		assertThat(takeOrdered(NOW, 10)).containsExactly(other);
	}

	@Test
	void whatIsScheduledHoldsNobodyUp() {
		String scheduled = ordered("mail", NOW.plusSeconds(60), JobState.SCHEDULED);
		String available = ordered("mail", NOW);
		assertThat(takeOrdered(NOW, 10)).containsExactly(available);
		publish(available);
		assertThat(takeOrdered(NOW.plusSeconds(60), 10)).containsExactly(scheduled);
	}

	@Test
	void theirOrderIsKeptHoweverManyRelaysThereAre() throws Exception {
		List<NewJob> jobs = IntStream.range(0, 60).mapToObj((i) -> newJob("mail", NOW, JobState.AVAILABLE)).toList();
		this.stores.jobs.insert(jobs);
		List<String> published = new CopyOnWriteArrayList<>();
		Threads.together(4, (thread) -> {
			while (published.size() < jobs.size()) {
				List<String> taken = takeOrdered(NOW, 7);
				published.addAll(taken);
				publish(taken.toArray(String[]::new));
			}
		});
		assertThat(published).containsExactlyElementsOf(jobs.stream().map((job) -> job.encoded().job().id()).toList());
	}

	private String ordered(String queue, Instant relayAt) {
		return ordered(queue, relayAt, JobState.AVAILABLE);
	}

	private String ordered(String queue, Instant relayAt, JobState state) {
		NewJob job = newJob(queue, relayAt, state);
		this.stores.jobs.insert(List.of(job));
		return job.encoded().job().id();
	}

	private NewJob newJob(String queue, Instant relayAt, JobState state) {
		EncodedJob job = this.stores.encoded((fields) -> Job.builder(this.stores.id(), "email.send", queue)
			.state(state)
			.createdAt(TestStores.time(NOW))
			.scheduledAt((state == JobState.SCHEDULED) ? TestStores.time(relayAt) : null));
		return new NewJob(job, Map.of(), relayAt, true);
	}

	private List<String> takeOrdered(Instant now, int limit) {
		return this.stores.relay.takeOrdered(now, UNTIL, limit).jobs().stream().map(RelayedJob::id).toList();
	}

	private void publish(String... ids) {
		this.stores.relay.published("mail", TestStores.until(UNTIL, List.of(ids)), NOW);
	}

}
