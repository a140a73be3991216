package io.ojs.boot.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.ojs.boot.it.HttpClusterClient.Answer;
import io.ojs.boot.it.HttpClusterNotes.Call;
import io.ojs.boot.it.HttpClusterNotes.Settled;
import tools.jackson.databind.JsonNode;

/**
 * A worker that speaks HTTP and nothing else. It does as the protocol has it: one job
 * after the other, a heartbeat for all that it has while one takes long, and whatever
 * gets no answer is asked again.
 */
final class HttpClusterWorker implements Runnable {

	static final String ERROR_TYPE = "NoLuck";

	private static final int MAX_COUNT = 10;

	private static final int OK = 200;

	private static final int CONFLICT = 409;

	/** A fraction of a lease, so that one that is late does no harm. */
	private static final Duration HEARTBEAT = HttpCluster.LEASE.dividedBy(4);

	private final String name;

	private final HttpClusterClient client;

	private final HttpClusterNotes notes;

	private final Random random;

	private final BooleanSupplier stopped;

	/** What it has, and since when it has not asked for its lease. */
	private final Map<String, Run> held = new LinkedHashMap<>();

	HttpClusterWorker(String name, int port, HttpClusterNotes notes, long seed, BooleanSupplier stopped) {
		this.name = name;
		this.client = new HttpClusterClient(name, port, notes);
		this.notes = notes;
		this.random = new Random(seed);
		this.stopped = stopped;
	}

	@Override
	public void run() {
		try {
			while (!this.stopped.getAsBoolean()) {
				fetch();
				if (this.held.isEmpty()) {
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
				}
				for (Run run : List.copyOf(this.held.values())) {
					work(run);
				}
			}
		}
		catch (InterruptedException ex) {
			this.notes.unexpected(this.name + " was interrupted");
		}
		catch (RuntimeException ex) {
			this.notes.unexpected(this.name + " ended by " + ex);
		}
	}

	private void fetch() throws InterruptedException {
		Answer answer = this.client.ask(Call.FETCH, "/workers/fetch",
				Map.of("queues", List.of(HttpCluster.QUEUE), "worker_id", this.name, "count",
						1 + this.random.nextInt(MAX_COUNT), "visibility_timeout_ms", HttpCluster.LEASE.toMillis()));
		if (answer.status() != OK) {
			this.notes.unexpected("fetch: " + answer);
			return;
		}
		for (JsonNode job : answer.body().get("jobs")) {
			String id = job.get("id").asString();
			int attempt = job.get("attempt").asInt();
			this.notes.fetched(id, attempt, this.name, System.currentTimeMillis());
			this.held.put(id, new Run(id, attempt, job.at("/args/0").asInt(), answer.began()));
		}
	}

	private void work(Run run) throws InterruptedException {
		long end = System.nanoTime() + HttpCluster.duration(run.number).toNanos();
		for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
			LockSupport.parkNanos(Math.min(left, HEARTBEAT.toNanos()));
			if (end - System.nanoTime() > 0) {
				heartbeat();
			}
		}
		if (this.held.remove(run.id) == null) {
			return;
		}
		boolean fails = HttpCluster.fails(run.number, run.attempt);
		Answer answer = fails ? nack(run) : ack(run);
		if (answer.status() != OK && answer.status() != CONFLICT) {
			this.notes.unexpected((fails ? "nack" : "ack") + " of " + run.id + ": " + answer);
		}
		note(run, fails ? Call.NACK : Call.ACK, answer, answer.status());
	}

	private Answer ack(Run run) throws InterruptedException {
		return this.client.ask(Call.ACK, "/workers/ack",
				Map.of("job_id", run.id, "worker_id", this.name, "attempt", run.attempt, "result", run.number));
	}

	private Answer nack(Run run) throws InterruptedException {
		return this.client.ask(Call.NACK, "/workers/nack",
				Map.of("job_id", run.id, "worker_id", this.name, "attempt", run.attempt, "error",
						Map.of("code", "handler_error", "type", ERROR_TYPE, "message", "once", "retryable", true)));
	}

	/** For all that it has: those that wait for their turn have leases too. */
	private void heartbeat() throws InterruptedException {
		List<String> ids = new ArrayList<>(this.held.keySet());
		Answer answer = this.client.ask(Call.HEARTBEAT, "/workers/heartbeat",
				Map.of("worker_id", this.name, "active_jobs", ids));
		if (answer.status() != OK) {
			this.notes.unexpected("heartbeat: " + answer);
			return;
		}
		this.notes.heartbeat();
		for (JsonNode lost : answer.body().get("jobs_lost")) {
			note(this.held.remove(lost.asString()), Call.HEARTBEAT, answer, CONFLICT);
		}
		answer.body().get("jobs_extended").forEach((id) -> this.held.get(id.asString()).since = answer.began());
	}

	private void note(Run run, Call call, Answer answer, int status) {
		this.notes.settled(new Settled(run.id, run.attempt, this.name, call, status, answer.currentState(),
				answer.asked(), System.currentTimeMillis() - run.since));
	}

	/** A run that this worker has. */
	private static final class Run {

		private final String id;

		private final int attempt;

		private final int number;

		private long since;

		Run(String id, int attempt, int number, long since) {
			this.id = id;
			this.attempt = attempt;
			this.number = number;
			this.since = since;
		}

	}

}
