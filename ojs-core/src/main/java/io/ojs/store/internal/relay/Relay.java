package io.ojs.store.internal.relay;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

import io.ojs.internal.log.SafeLogger;
import io.ojs.job.internal.ForeignText;
import io.ojs.retry.internal.Backoff;
import io.ojs.store.internal.Poller;
import org.slf4j.Logger;

/**
 * Publishes jobs that the broker does not have: jobs that are due, jobs of ordered
 * queues, jobs whose tenant has its turn, and jobs that were not published right after
 * their commit. Any number of relays can run at the same time, on many instances; each
 * takes different jobs.
 */
public final class Relay implements AutoCloseable {

	/** The default number of jobs that are taken at once. */
	public static final int DEFAULT_BATCH_SIZE = 500;

	/** The default of the longest sleep. */
	public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

	/**
	 * The default of how long other relays leave alone the jobs that this one has taken.
	 */
	public static final Duration DEFAULT_HOLD = Duration.ofSeconds(30);

	private static final Logger logger = SafeLogger.of(Relay.class);

	/** Shorter sleeps would be a busy loop. */
	private static final Duration LEAST_SLEEP = Duration.ofMillis(20);

	/** How often to try to publish a job. */
	private static final int TRIES = 3;

	/** The pauses before other tries. */
	private static final Backoff TRY_AGAIN = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2));

	private static final int MOST_REMEMBERED = 10_000;

	/** The first pause if jobs are due and this relay does not get them. */
	private static final Duration SHORT_SLEEP = Duration.ofMillis(100);

	private final RelayStore store;

	private final JobPublisher publisher;

	private final Clock clock;

	private final int batchSize;

	private final Duration pollInterval;

	private final Duration hold;

	/** The pauses while jobs are due and this relay gets none. */
	private final Backoff inVain;

	private final Poller poller = new Poller("ojs-relay", "The relay cannot reach the job store", this::relay);

	private final RefusingQueues refusing = new RefusingQueues();

	/**
	 * How often in a row single jobs could not be published, for reasons of their own.
	 */
	private final Map<String, Integer> failures = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
			// Another relay may have published the job, or it was cancelled.
			return size() > MOST_REMEMBERED;
		}

	};

	/** How often in a row jobs were due and this relay got none. */
	private int fruitless;

	/**
	 * Creates a relay.
	 * @param store knows the jobs that the broker does not have
	 */
	public Relay(RelayStore store, JobPublisher publisher, Clock clock, int batchSize, Duration pollInterval) {
		this(store, publisher, clock, batchSize, pollInterval, DEFAULT_HOLD);
	}

	/**
	 * Creates a relay, with the time for which it holds jobs.
	 * @param store knows the jobs that the broker does not have
	 * @param hold how long other relays leave alone the jobs that this one has taken. If
	 * the broker takes longer to confirm jobs, they are published twice
	 */
	public Relay(RelayStore store, JobPublisher publisher, Clock clock, int batchSize, Duration pollInterval,
			Duration hold) {
		this.store = store;
		this.publisher = publisher;
		this.clock = clock;
		this.batchSize = batchSize;
		this.pollInterval = pollInterval;
		this.hold = hold;
		this.inVain = new Backoff(SHORT_SLEEP, pollInterval);
	}

	/**
	 * Starts the thread of the relay.
	 */
	public void start() {
		this.poller.start();
	}

	/**
	 * Starts the next round at once, because there is something to publish. Does not
	 * wait.
	 */
	public void wake() {
		this.poller.wake();
	}

	/**
	 * Publishes all jobs that are due. To be called by one thread at a time.
	 * @return the pause before the next round
	 */
	Duration relay() {
		if (!this.publisher.isReady()) {
			return Backoff.jittered(this.pollInterval);
		}
		boolean found = false;
		boolean more = true;
		while (more && !this.poller.isStopped()) {
			RelayStore.Taken ordered = this.store.takeOrdered(now(), now().plus(this.hold), this.batchSize);
			more = relay(ordered);
			RelayStore.Taken others = this.poller.isStopped() ? RelayStore.Taken.NOTHING
					: this.store.take(now(), now().plus(this.hold), this.batchSize);
			more |= relay(others);
			RelayStore.Taken inTurn = this.poller.isStopped() ? RelayStore.Taken.NOTHING
					: this.store.takeInTurn(now(), now().plus(this.hold), (queue) -> true, this.batchSize);
			more |= relay(inTurn);
			found |= !ordered.isEmpty() || !others.isEmpty() || !inTurn.isEmpty();
		}
		if (this.poller.isStopped() || !this.publisher.isReady()) {
			return Backoff.jittered(this.pollInterval);
		}
		Duration untilNext = this.store.nextAt().map((next) -> Duration.between(now(), next)).orElse(this.pollInterval);
		if (untilNext.compareTo(LEAST_SLEEP) >= 0) {
			this.fruitless = 0;
			return Collections.min(List.of(untilNext, this.pollInterval));
		}
		return pauseInVain(found);
	}

	/**
	 * Returns the pause if jobs are due that this relay did not get: another relay has
	 * them, or they wait for earlier jobs of their ordered queue.
	 */
	private Duration pauseInVain(boolean found) {
		this.fruitless = found ? 1 : this.fruitless + 1;
		Duration backoff = this.inVain.after(this.fruitless);
		// Before the backoff is over, other jobs may be due, or the jobs that block may
		// be done.
		Duration untilNext = this.store.nextAfter(now())
			.map((next) -> Duration.between(now(), next))
			.orElse(this.pollInterval);
		Duration pause = Collections.min(List.of(backoff, untilNext));
		if (pause.compareTo(SHORT_SLEEP) < 0) {
			pause = Backoff.jittered(SHORT_SLEEP);
		}
		return Collections.min(List.of(pause, this.pollInterval));
	}

	/** Publishes jobs. Returns whether there may be more to publish right now. */
	private boolean relay(RelayStore.Taken taken) {
		if (taken.isEmpty()) {
			return false;
		}
		return taken.jobs().isEmpty() || relay(taken.jobs());
	}

	private boolean relay(List<RelayedJob> jobs) {
		Map<Instant, List<String>> later = new HashMap<>();
		List<RelayedJob> wanted = new ArrayList<>(jobs.size());
		for (RelayedJob job : jobs) {
			this.refusing.until(job.queue(), now())
				.ifPresentOrElse((until) -> add(later, until, job), () -> wanted.add(job));
		}
		PublishReport report = wanted.isEmpty() ? PublishReport.NOTHING : publish(wanted);
		report.confirmedByQueue(wanted).forEach((queue, confirmed) -> this.store.published(queue, confirmed, now()));
		Map<Boolean, List<RelayedJob>> taken = wanted.stream()
			.collect(Collectors.partitioningBy((job) -> report.confirmed().contains(job.id())));
		List<RelayedJob> published = taken.getOrDefault(true, List.of());
		published.forEach((job) -> this.failures.remove(job.id()));
		Map<Boolean, List<RelayedJob>> others = taken.getOrDefault(false, List.of())
			.stream()
			.collect(Collectors.partitioningBy((job) -> report.failed().containsKey(job.id())));
		List<RelayedJob> refused = others.getOrDefault(false, List.of());
		this.refusing.taken(published, refused);
		refused.forEach((job) -> add(later, this.refusing.refused(job, report.refused().get(job.id()), now()), job));
		failed(others.getOrDefault(true, List.of()), report.failed(), later);
		later.forEach((at, ids) -> this.store.giveBack(ids, at));
		return this.publisher.isReady();
	}

	/**
	 * Tries jobs later that failed for reasons of their own, or makes dead letters of
	 * them. They do not delay other jobs of their queue.
	 */
	private void failed(List<RelayedJob> jobs, Map<String, String> reasons, Map<Instant, List<String>> later) {
		Map<String, String> hopeless = new LinkedHashMap<>();
		for (RelayedJob job : jobs) {
			String reason = String.valueOf(reasons.get(job.id()));
			int times = this.failures.merge(job.id(), 1, Integer::sum);
			if (times < TRIES) {
				logger.warn("Job {} of queue '{}' could not be published, and is tried again: {}", job.id(),
						job.queue(), ForeignText.escape(reason));
				add(later, now().plus(TRY_AGAIN.after(times)), job);
			}
			else {
				logger.warn("Job {} of queue '{}' becomes a dead letter. It could not be published in {} tries: {}",
						job.id(), job.queue(), times, ForeignText.escape(reason));
				hopeless.put(job.id(), "The job could not be published in %d tries: %s".formatted(times, reason));
			}
		}
		if (!hopeless.isEmpty()) {
			this.store.bury(hopeless, now());
			this.failures.keySet().removeAll(hopeless.keySet());
		}
	}

	private static void add(Map<Instant, List<String>> later, Instant at, RelayedJob job) {
		later.computeIfAbsent(at, (key) -> new ArrayList<>()).add(job.id());
	}

	private PublishReport publish(List<RelayedJob> jobs) {
		try {
			return this.publisher.publish(jobs).join();
		}
		catch (RuntimeException ex) {
			// Given back, not held until another relay takes them: it would fail the same
			// way.
			Throwable cause = (ex instanceof CompletionException && ex.getCause() != null) ? ex.getCause() : ex;
			logger.debug("{} jobs could not be published", jobs.size(), cause);
			return new PublishReport(Set.of(),
					jobs.stream().collect(Collectors.toMap(RelayedJob::id, (job) -> cause.toString())), Map.of());
		}
	}

	private Instant now() {
		return this.clock.instant();
	}

	/** Stops the relay after the batch in progress. */
	@Override
	public void close() {
		this.poller.close();
	}

}
