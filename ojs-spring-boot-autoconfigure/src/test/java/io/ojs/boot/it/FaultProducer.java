package io.ojs.boot.it;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.ojs.client.BatchEnqueueException;
import io.ojs.client.EnqueueException;
import io.ojs.client.OjsOperations;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;

/**
 * Enqueues jobs until the broker has confirmed them, however often it takes: as anybody
 * does who must not lose one, always with the same id.
 */
final class FaultProducer {

	private static final int BATCH = 10;

	private final JobIdGenerator ids = new JobIdGenerator(Clock.systemUTC());

	private final OjsOperations ojs;

	private final String queue;

	private final String type;

	private final FaultLedger ledger;

	private final AtomicInteger unknown = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	private volatile long pauseNanos = TimeUnit.MILLISECONDS.toNanos(5);

	private volatile boolean over;

	FaultProducer(OjsOperations ojs, String queue, String type, FaultLedger ledger) {
		this.ojs = ojs;
		this.queue = queue;
		this.type = type;
		this.ledger = ledger;
	}

	/** Half of them one by one and the other half in batches, at the same time. */
	List<Thread> enqueue(int from, int to) {
		int middle = (from + to) / 2;
		List<Thread> threads = List.of(new Thread(() -> oneByOne(requests(from, middle)), "producer"),
				new Thread(() -> inBatches(requests(middle, to)), "batch-producer"));
		threads.forEach(Thread::start);
		return threads;
	}

	/** Has each of the two take so long over so many jobs. */
	void takeTime(Duration time, int jobs) {
		this.pauseNanos = time.toNanos() / (jobs / 2);
	}

	void end() {
		this.over = true;
	}

	/** Answers that left it open whether the broker has a job. */
	int unknown() {
		return this.unknown.get();
	}

	/** Answers that said that it has not. */
	int refused() {
		return this.refused.get();
	}

	private List<JobRequest> requests(int from, int to) {
		return IntStream.range(from, to)
			.mapToObj((i) -> JobRequest.of(this.type, i).queue(this.queue).id(this.ids.next()))
			.toList();
	}

	private void oneByOne(List<JobRequest> requests) {
		for (JobRequest request : requests) {
			boolean confirmed = false;
			while (!confirmed && !this.over) {
				try {
					this.ledger.confirmed(this.ojs.enqueue(request).id());
					confirmed = true;
				}
				catch (EnqueueException ex) {
					count(ex);
				}
			}
			LockSupport.parkNanos(this.pauseNanos);
		}
	}

	private void inBatches(List<JobRequest> requests) {
		for (int i = 0; i < requests.size(); i += BATCH) {
			List<JobRequest> open = requests.subList(i, Math.min(i + BATCH, requests.size()));
			while (!open.isEmpty() && !this.over) {
				open = batch(open);
			}
			LockSupport.parkNanos(this.pauseNanos * BATCH);
		}
	}

	private List<JobRequest> batch(List<JobRequest> requests) {
		try {
			this.ojs.enqueueAll(requests).forEach((job) -> this.ledger.confirmed(job.id()));
			return List.of();
		}
		catch (BatchEnqueueException ex) {
			ex.enqueued().forEach((job) -> this.ledger.confirmed(job.id()));
			ex.failures().forEach(this::count);
			List<String> safe = ex.enqueued().stream().map(Job::id).toList();
			return requests.stream().filter((request) -> !safe.contains(request.id())).toList();
		}
	}

	private void count(EnqueueException ex) {
		(ex.isOutcomeUnknown() ? this.unknown : this.refused).incrementAndGet();
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
	}

}
