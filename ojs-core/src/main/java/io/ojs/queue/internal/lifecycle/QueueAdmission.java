package io.ojs.queue.internal.lifecycle;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.ojs.client.internal.EncodedJob;
import io.ojs.internal.thread.Threads;
import io.ojs.job.Job;
import io.ojs.queue.OverflowPolicy;
import io.ojs.queue.ProducerNotAllowedException;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueDepth;
import io.ojs.queue.QueueEvent;
import io.ojs.queue.QueueFullException;
import io.ojs.queue.QueueNotAcceptingException;
import io.ojs.queue.QueueRefusedException;
import io.ojs.queue.UnknownQueueException;
import io.ojs.queue.internal.LiveQueue;
import io.ojs.queue.internal.QueueDepths;
import io.ojs.store.internal.Admission;
import org.jspecify.annotations.Nullable;

/**
 * Decides which jobs queues take, before they are enqueued (OJS Queue Configuration §5,
 * §6.1, §6.5).
 */
public final class QueueAdmission implements Admission {

	/** How often a producer checks for room in a full queue. */
	private static final Duration POLL = Duration.ofMillis(100);

	private final QueueRegistry registry;

	private final QueueDepths depths;

	private final QueueEvents events;

	private final AdmissionOptions options;

	private final Executor afterCommit;

	private final Clock clock;

	/**
	 * Creates an admission.
	 * @param afterCommit runs an action after the commit of the caller's transaction, and
	 * not at all after a rollback
	 */
	public QueueAdmission(QueueRegistry registry, QueueDepths depths, QueueEvents events, AdmissionOptions options,
			Executor afterCommit, Clock clock) {
		this.registry = registry;
		this.depths = depths;
		this.events = events;
		this.options = options;
		this.afterCommit = afterCommit;
		this.clock = clock;
	}

	@Override
	public boolean locks(List<EncodedJob> jobs) {
		return jobs.stream().anyMatch((job) -> this.registry.get(job.job().queue()).config().isLimited());
	}

	/**
	 * Locks queues that have limits, in the transaction that inserts their jobs.
	 * @return the decision, which admits all jobs or throws a
	 * {@link QueueRefusedException}; then the caller must not insert any. It also throws
	 * if there is no room and the queue has {@link OverflowPolicy#BLOCK}: a transaction
	 * that waited would keep the locks that other transactions need to make room. See
	 * {@link #patiently}
	 */
	@Override
	public Decision lock(List<EncodedJob> jobs) {
		Instant now = this.clock.instant();
		Set<String> limited = new HashSet<>();
		byQueue(jobs).keySet().forEach((queue) -> {
			if (this.registry.get(queue).config().isLimited()) {
				this.depths.lock(queue, now);
				limited.add(queue);
			}
		});
		return new Decision() {

			@Override
			public void admit(List<EncodedJob> kept) {
				each(kept, (queue, ofQueue) -> makeRoom(queue, ofQueue, now));
			}

			@Override
			public void merge(List<EncodedJob> merged) {
				each(merged, QueueAdmission.this::checkRoom);
			}

			private void each(List<EncodedJob> all, BiConsumer<String, List<EncodedJob>> ofLimited) {
				all.forEach((job) -> check(job.job()));
				byQueue(all).forEach((queue, ofQueue) -> {
					QueueAdmission.this.registry.notice(queue);
					if (limited.contains(queue)) {
						ofLimited.accept(queue, ofQueue);
					}
				});
			}

		};
	}

	/** Checks that a queue is within its limits, after some of its jobs were merged. */
	private void checkRoom(String queue, List<EncodedJob> jobs) {
		QueueConfig config = this.registry.get(queue).config();
		QueueDepth depth = this.depths.depth(queue);
		boolean tooMany = depth.jobs() > limit(config.maxSize());
		if (tooMany || depth.bytes() > limit(config.maxSizeBytes())) {
			throw new QueueFullException(jobs.get(0).job(), tooMany ? "max_size" : "max_size_bytes",
					tooMany ? limit(config.maxSize()) : limit(config.maxSizeBytes()), depth, policy(config));
		}
	}

	private static OverflowPolicy policy(QueueConfig config) {
		return (config.overflowPolicy() != null) ? config.overflowPolicy() : OverflowPolicy.REJECT;
	}

	/**
	 * Groups jobs by queue, in the order of names, so that two batches do not lock queues
	 * in different orders.
	 */
	private static Map<String, List<EncodedJob>> byQueue(List<EncodedJob> jobs) {
		Map<String, List<EncodedJob>> byQueue = new TreeMap<>();
		jobs.forEach((job) -> byQueue.computeIfAbsent(job.job().queue(), (queue) -> new ArrayList<>()).add(job));
		return byQueue;
	}

	private void check(Job job) {
		LiveQueue queue = this.registry.get(job.queue());
		if (this.options.strictQueues() && !this.registry.isKnown(job.queue())) {
			throw new UnknownQueueException(job);
		}
		if (!queue.state().acceptsJobs()) {
			throw new QueueNotAcceptingException(job, queue.state());
		}
		queue.typeRefusal(job).ifPresent((refusal) -> {
			throw refusal;
		});
	}

	/**
	 * Checks whether the caller may enqueue to the queues of some jobs. Called on the
	 * caller's thread, because another thread may keep its jobs.
	 * @throws ProducerNotAllowedException if the caller may not enqueue one of them
	 */
	@Override
	public void authorize(List<EncodedJob> jobs) {
		String producer = this.options.producers().current();
		for (EncodedJob job : jobs) {
			this.registry.get(job.job().queue()).producerRefusal(job.job(), producer).ifPresent((refusal) -> {
				throw refusal;
			});
		}
	}

	private void makeRoom(String queue, List<EncodedJob> jobs, Instant now) {
		// Read after the lock: it may have changed while other transactions had the lock.
		QueueConfig config = this.registry.get(queue).config();
		long maxJobs = limit(config.maxSize());
		long maxBytes = limit(config.maxSizeBytes());
		QueueDepth depth = this.depths.depth(queue);
		long bytes = jobs.stream().mapToLong((job) -> job.body().length).sum();
		QueueDepth excess = new QueueDepth(Math.max(0, depth.jobs() + jobs.size() - maxJobs),
				Math.max(0, depth.bytes() + bytes - maxBytes));
		if (excess.jobs() == 0 && excess.bytes() == 0) {
			QueueDepth after = new QueueDepth(depth.jobs() + jobs.size(), depth.bytes() + bytes);
			if (after.jobs() >= maxJobs) {
				happened(List.of(new QueueEvent.Full(queue, after, "max_size", maxJobs)), now);
			}
			else if (after.bytes() + jobs.get(jobs.size() - 1).body().length > maxBytes) {
				happened(List.of(new QueueEvent.Full(queue, after, "max_size_bytes", maxBytes)), now);
			}
			return;
		}
		OverflowPolicy policy = policy(config);
		boolean fits = jobs.size() <= maxJobs && bytes <= maxBytes;
		if (policy == OverflowPolicy.DROP_OLDEST && fits) {
			List<Job> dropped = this.depths.dropOldest(queue, excess, now).orElse(List.of());
			if (!dropped.isEmpty()) {
				happened(dropped.stream().map((job) -> new QueueEvent.Overflow(queue, job)).toList(), now);
				return;
			}
		}
		String limit = (excess.jobs() > 0) ? "max_size" : "max_size_bytes";
		long bound = (excess.jobs() > 0) ? maxJobs : maxBytes;
		throw new QueueFullException(
				jobs.get(firstWithoutRoom(jobs, maxJobs - depth.jobs(), maxBytes - depth.bytes())).job(), limit, bound,
				depth, policy);
	}

	/**
	 * Records events in the transaction of the producer, and notifies listeners after its
	 * commit.
	 */
	private void happened(List<? extends QueueEvent> happened, Instant now) {
		this.events.keep(now, happened);
		this.afterCommit.execute(() -> happened.forEach(this.events::publish));
	}

	private static long limit(@Nullable Long limit) {
		return (limit != null && limit > 0) ? limit : Long.MAX_VALUE / 2;
	}

	private static int firstWithoutRoom(List<EncodedJob> jobs, long roomForJobs, long roomForBytes) {
		long bytes = 0;
		for (int i = 0; i < jobs.size(); i++) {
			bytes += jobs.get(i).body().length;
			if (i >= roomForJobs || bytes > roomForBytes) {
				return i;
			}
		}
		return jobs.size() - 1;
	}

	/**
	 * Enqueues jobs, and tries again while a queue with {@link OverflowPolicy#BLOCK} is
	 * full, until {@link AdmissionOptions#blockTimeout} is over.
	 * @param inTransaction whether the caller is in a transaction: then there is one try
	 * @param enqueue begins a transaction, calls {@link #lock}, makes the decision,
	 * inserts the jobs and commits
	 * @throws QueueRefusedException if a queue refuses one of the jobs, or there was no
	 * room in time
	 */
	@Override
	public <T> T patiently(boolean inTransaction, Supplier<T> enqueue) {
		long deadline = System.nanoTime() + this.options.blockTimeout().toNanos();
		while (true) {
			try {
				return enqueue.get();
			}
			catch (QueueFullException ex) {
				boolean over = deadline - System.nanoTime() <= 0;
				if (ex.policy() != OverflowPolicy.BLOCK || inTransaction || over || !Threads.pause(POLL)) {
					this.events.refused(ex);
					throw ex;
				}
			}
		}
	}

}
