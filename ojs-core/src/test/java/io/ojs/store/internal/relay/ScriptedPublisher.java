package io.ojs.store.internal.relay;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.ojs.TestClock;
import io.ojs.client.internal.EncodedJob;
import io.ojs.job.Job;
import io.ojs.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A broker that takes and refuses what it is told to. No broker behaves like this; those
 * have tests of their own.
 */
public final class ScriptedPublisher implements JobPublisher {

	/** When the relay takes jobs, unless they are noted. */
	static final Instant UNTIL = TestClock.START.plusSeconds(10);

	volatile boolean ready = true;

	/** What is thrown by whoever publishes. */
	volatile @Nullable Throwable failure;

	/** The broker's answer, instead of one that comes at once. */
	volatile @Nullable CompletableFuture<PublishReport> answer;

	/** Ids that are not confirmed, and why. */
	final Map<String, String> refused = new ConcurrentHashMap<>();

	/** Ids that cannot be published, and why. */
	final Map<String, String> failed = new ConcurrentHashMap<>();

	/** How many messages there are, by queue. */
	final Map<String, Long> waiting = new ConcurrentHashMap<>();

	volatile int prefetched;

	volatile int consumers;

	/** Ids, by call. */
	final List<List<String>> published = new CopyOnWriteArrayList<>();

	static RelayedJob job(int number, String queue) {
		return job(number, queue, UNTIL);
	}

	static RelayedJob job(int number, String queue, Instant until) {
		Job job = Job.builder(id(number), "test.it", queue).state(JobState.AVAILABLE).build();
		return new RelayedJob(new EncodedJob(job, new byte[0], 3), Map.of(), until);
	}

	static List<RelayedJob> jobs(int from, int to) {
		return IntStream.range(from, to).mapToObj((number) -> job(number, "default")).toList();
	}

	public static String id(int number) {
		return "019539a4-b68c-7def-8000-%012x".formatted(number);
	}

	static List<String> ids(int from, int to) {
		return IntStream.range(from, to).mapToObj(ScriptedPublisher::id).toList();
	}

	@Override
	public boolean isReady() {
		return this.ready;
	}

	@Override
	public CompletableFuture<PublishReport> publish(List<RelayedJob> jobs) {
		this.published.add(jobs.stream().map(RelayedJob::id).toList());
		Throwable failure = this.failure;
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure != null) {
			throw (RuntimeException) failure;
		}
		CompletableFuture<PublishReport> answer = this.answer;
		return (answer != null) ? answer : CompletableFuture.completedFuture(report(jobs));
	}

	PublishReport report(List<RelayedJob> jobs) {
		Set<String> confirmed = new HashSet<>();
		jobs.stream()
			.map(RelayedJob::id)
			.filter((id) -> !this.refused.containsKey(id) && !this.failed.containsKey(id))
			.forEach(confirmed::add);
		return new PublishReport(confirmed, new HashMap<>(this.refused), new HashMap<>(this.failed));
	}

	@Override
	public long waiting(String queue) {
		Long waiting = this.waiting.get(queue);
		if (waiting == null) {
			throw new IllegalStateException("The broker does not tell how many there are in " + queue);
		}
		return waiting;
	}

	@Override
	public int consumers(String queue) {
		return this.consumers;
	}

	@Override
	public int prefetched(String queue) {
		return this.prefetched;
	}

}
