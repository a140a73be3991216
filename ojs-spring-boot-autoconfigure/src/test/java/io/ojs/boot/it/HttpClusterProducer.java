package io.ojs.boot.it;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

import io.ojs.boot.it.HttpClusterClient.Answer;
import io.ojs.boot.it.HttpClusterNotes.Call;

/**
 * Enqueues jobs over HTTP, in batches with ids of its own. What gets no answer is
 * enqueued again: when there is such a job, all of the batch is there.
 */
final class HttpClusterProducer implements Runnable {

	static final int BATCH = 25;

	private static final int CREATED = 201;

	private static final int CONFLICT = 409;

	private final HttpClusterClient client;

	private final HttpClusterNotes notes;

	private final AtomicInteger next;

	private final int jobs;

	private final IntSupplier limit;

	/**
	 * Creates it.
	 * @param next the first number that nobody enqueues yet; others have it too
	 * @param jobs how many there are to be
	 * @param limit the number before which all may be enqueued now
	 */
	HttpClusterProducer(HttpClusterClient client, HttpClusterNotes notes, AtomicInteger next, int jobs,
			IntSupplier limit) {
		this.client = client;
		this.notes = notes;
		this.next = next;
		this.jobs = jobs;
		this.limit = limit;
	}

	@Override
	public void run() {
		try {
			for (int first = this.next.getAndAdd(BATCH); first < this.jobs; first = this.next.getAndAdd(BATCH)) {
				int end = Math.min(first + BATCH, this.jobs);
				while (end > this.limit.getAsInt()) {
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
				}
				enqueue(IntStream.range(first, end).boxed().toList());
			}
		}
		catch (InterruptedException ex) {
			this.notes.unexpected("A producer was interrupted");
		}
		catch (RuntimeException ex) {
			this.notes.unexpected("A producer ended by " + ex);
		}
	}

	private void enqueue(List<Integer> numbers) throws InterruptedException {
		List<Map<String, Object>> batch = numbers.stream().map(HttpClusterProducer::job).toList();
		Answer answer = this.client.ask(Call.ENQUEUE, "/jobs/batch", Map.of("jobs", batch));
		boolean duplicate = answer.status() == CONFLICT && answer.asked() > 0 && isOneOf(numbers, answer);
		if (answer.status() != CREATED && !duplicate) {
			this.notes.unexpected("enqueue: " + answer);
		}
		this.notes.enqueued(numbers.size(), duplicate);
	}

	private static boolean isOneOf(List<Integer> numbers, Answer answer) {
		String existing = answer.body().at("/error/details/existing_job_id").asString("");
		return numbers.stream().map(StoreChaos::id).anyMatch(existing::equals);
	}

	private static Map<String, Object> job(int number) {
		return Map.of("id", StoreChaos.id(number), "type", HttpCluster.TYPE, "args", List.of(number), "options",
				Map.of("queue", HttpCluster.QUEUE));
	}

}
