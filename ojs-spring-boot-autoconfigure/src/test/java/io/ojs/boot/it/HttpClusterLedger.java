package io.ojs.boot.it;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.ojs.boot.it.HttpClusterNotes.Call;
import io.ojs.boot.it.HttpClusterNotes.Fetched;
import io.ojs.boot.it.HttpClusterNotes.Settled;
import io.ojs.test.internal.database.PostgresDatabase;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients and handlers have done, against what the database says when all is over.
 */
final class HttpClusterLedger {

	/** An instance knows the time of the database as exactly as it has read it. */
	private static final long CLOCKS = 500;

	private static final int OK = 200;

	private final int jobs;

	private final HttpClusterNotes notes;

	private final StoreChaosLedger handlers;

	private final JdbcTemplate jdbc;

	private final AtomicInteger byHandlers = new AtomicInteger();

	private final AtomicInteger killed = new AtomicInteger();

	private final AtomicInteger late = new AtomicInteger();

	private final AtomicInteger failed = new AtomicInteger();

	private final AtomicInteger unansweredOutcomes = new AtomicInteger();

	private Map<String, List<Fetched>> fetched = Map.of();

	private Map<String, List<Settled>> settled = Map.of();

	private Map<String, Long> calls = Map.of();

	private Map<String, Map<String, String>> errors = Map.of();

	private Map<String, Start> starts = Map.of();

	HttpClusterLedger(int jobs, HttpClusterNotes notes, StoreChaosLedger handlers, PostgresDatabase database) {
		this.jobs = jobs;
		this.notes = notes;
		this.handlers = handlers;
		this.jdbc = new JdbcTemplate(
				new DriverManagerDataSource(database.url(), database.username(), database.password()));
	}

	/** Runs that are known to have got somewhere. */
	long progress() {
		return this.notes.acknowledged() + this.handlers.progress();
	}

	/** Each job is there once and has ended once, by the rows and by the events. */
	void assertNoneLostAndNoneTwice() {
		assertThat(this.notes.unexpected()).as("answers that nobody should get").isEmpty();
		List<String> expected = IntStream.range(0, this.jobs).mapToObj(StoreChaos::id).toList();
		assertThat(this.jdbc.queryForList("select cast(id as varchar) from ojs_job where state = 'completed'",
				String.class))
			.containsExactlyInAnyOrderElementsOf(expected);
		assertThat(this.handlers.count("true")).as("jobs").isEqualTo(this.jobs);
		assertThat(this.handlers.unfinished()).as("rows that wait for something").isEmpty();
		assertThat(subjects("type = 'job.enqueued'")).as("enqueued").containsExactlyInAnyOrderElementsOf(expected);
		assertThat(subjects("type in ('job.completed', 'job.dead_lettered', 'job.discarded', 'job.cancelled')"))
			.as("ended")
			.containsExactlyInAnyOrderElementsOf(expected);
	}

	/**
	 * Each attempt was one run of one worker, which the store began once and which ended
	 * once; that of a killed instance, of which no worker ever knew, by its lease.
	 */
	void assertEachRunIsExplained() {
		this.fetched = by(this.notes.fetched(), (run) -> run.id() + " " + run.attempt());
		this.settled = by(this.notes.settled(), (run) -> run.id() + " " + run.attempt());
		this.calls = this.handlers.lines()
			.stream()
			.collect(Collectors.groupingBy((run) -> run.id() + " " + run.attempt(), Collectors.counting()));
		readStarts();
		readErrors();
		int[] runs = new int[1];
		this.jdbc.query("select cast(id as varchar) as id, attempt from ojs_job", (row) -> {
			String id = row.getString("id");
			int attempts = row.getInt("attempt");
			assertThat(this.errors.getOrDefault(id, Map.of())).as("errors of job %s", id).hasSize(attempts - 1);
			for (int attempt = 1; attempt < attempts; attempt++) {
				assertOver(id, attempt);
			}
			assertSucceeded(id + " " + attempts);
			runs[0] += attempts;
		});
		assertThat(this.starts).as("runs that the store has begun").hasSize(runs[0]);
		assertThat(Stream.concat(this.fetched.keySet().stream(), this.calls.keySet().stream()))
			.as("runs of workers and handlers, none of which is another's")
			.doesNotHaveDuplicates()
			.allSatisfy((run) -> assertThat(this.starts).containsKey(run));
		assertThat(this.fetched).allSatisfy((run, each) -> assertThat(each).hasSize(1));
		assertThat(this.calls).allSatisfy((run, times) -> assertThat(times).isEqualTo(1));
		assertThat(accepted().collect(Collectors.groupingBy(Settled::id, Collectors.counting())))
			.as("acks that were accepted, of one job")
			.allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
	}

	/** By its handler, or by a worker that was told so unless the answer was lost. */
	private void assertSucceeded(String run) {
		List<Settled> told = this.settled.getOrDefault(run, List.of());
		if (this.calls.containsKey(run)) {
			assertThat(told).as("what workers were told of run %s, a handler's", run).isEmpty();
			this.byHandlers.incrementAndGet();
			return;
		}
		assertThat(this.fetched).as("runs of workers").containsKey(run);
		assertThat(told).as("what the worker was told of run %s", run).singleElement().satisfies((end) -> {
			assertThat(end.call()).isEqualTo(Call.ACK);
			assertAccepted(end, "completed");
		});
	}

	private void assertOver(String id, int attempt) {
		String run = id + " " + attempt;
		String error = this.errors.get(id).get(Integer.toString(attempt));
		assertThat(error).as("error of run %s", run).isNotNull();
		if (error.equals("lease_lost")) {
			assertLost(run);
			return;
		}
		assertThat(HttpCluster.fails(HttpCluster.number(id), attempt)).as("run %s had to fail: %s", run, error)
			.isTrue();
		this.failed.incrementAndGet();
		if (error.equals(HttpClusterWorker.ERROR_TYPE)) {
			assertThat(this.settled.get(run)).as("what the worker was told of run %s", run)
				.singleElement()
				.satisfies((end) -> {
					assertThat(end.call()).isEqualTo(Call.NACK);
					assertAccepted(end, null);
				});
		}
		else {
			assertThat(error).as("error of run %s", run).isEqualTo(IllegalStateException.class.getName());
			assertThat(this.calls).as("calls of handlers").containsKey(run);
		}
	}

	/** It was told so, or it was done and nobody had told it. */
	private void assertAccepted(Settled end, String state) {
		if (end.status() != OK) {
			assertThat(end.asked()).as("calls without an answer before %s", end).isPositive();
			assertThat(end.state()).as("%s", end).satisfies((now) -> {
				if (state != null) {
					assertThat(now).isEqualTo(state);
				}
			});
			this.unansweredOutcomes.incrementAndGet();
		}
	}

	/**
	 * Either nobody got to know of it, as the answer was lost with the instance; or its
	 * worker was silent for longer than a lease.
	 */
	private void assertLost(String run) {
		assertThat(this.calls).as("handlers' runs, none of which may be lost").doesNotContainKey(run);
		if (this.fetched.containsKey(run)) {
			assertThat(this.settled.get(run)).as("what the worker was told of lost run %s", run)
				.singleElement()
				.satisfies((end) -> {
					assertThat(end.status()).isEqualTo(409);
					assertThat(end.silence()).isGreaterThanOrEqualTo(HttpCluster.LEASE.toMillis());
				});
			this.late.incrementAndGet();
			return;
		}
		Start start = this.starts.get(run);
		assertThat(start).as("start of lost run %s", run).isNotNull();
		assertThat(this.notes.unanswered()).as("fetches without an answer, of which one began run %s: %s", run, start)
			.anyMatch((call) -> call.call() == Call.FETCH && call.worker().equals(start.worker)
					&& call.began() - CLOCKS <= start.millis && start.millis <= call.ended() + CLOCKS
					&& this.notes.kills()
						.stream()
						.anyMatch((kill) -> call.began() <= kill.after() && kill.before() <= call.ended()));
		this.killed.incrementAndGet();
	}

	private Stream<Settled> accepted() {
		return this.notes.settled().stream().filter((end) -> end.call() == Call.ACK && end.status() == OK);
	}

	private void readStarts() {
		this.starts = new HashMap<>();
		this.jdbc.query("select subject, cast(data as json) ->> 'attempt' as attempt, "
				+ "cast(data as json) ->> 'worker_id' as worker, occurred_at from " + EventRows.ALL
				+ " where type = 'job.started'", (row) -> {
					String run = row.getString("subject") + " " + row.getString("attempt");
					Start start = new Start(row.getString("worker"), row.getTimestamp("occurred_at").getTime());
					assertThat(this.starts.put(run, start)).as("starts of run %s", run).isNull();
				});
	}

	private void readErrors() {
		this.errors = new HashMap<>();
		this.jdbc.query("select cast(id as varchar) as id, error ->> 'attempt' as attempt, error ->> 'type' as type "
				+ "from ojs_job, json_array_elements(cast(errors as json)) as error", (row) -> {
					assertThat(this.errors.computeIfAbsent(row.getString("id"), (id) -> new HashMap<>())
						.put(row.getString("attempt"), row.getString("type"))).isNull();
				});
	}

	private List<String> subjects(String condition) {
		return this.jdbc.queryForList("select subject from " + EventRows.ALL + " where " + condition, String.class);
	}

	private static <T> Map<String, List<T>> by(Collection<T> all, Function<T, String> key) {
		return all.stream().collect(Collectors.groupingBy(key));
	}

	/** Jobs that handlers completed, and workers did not. */
	int byHandlers() {
		return this.byHandlers.get();
	}

	/** From when a run began to when the next one did, at most, in milliseconds. */
	long longestPause() {
		long[] times = LongStream
			.concat(this.notes.fetched().stream().mapToLong(Fetched::at),
					this.handlers.lines().stream().mapToLong(StoreChaosLedger.Run::millis))
			.sorted()
			.toArray();
		return IntStream.range(1, times.length).mapToLong((i) -> times[i] - times[i - 1]).max().orElse(0);
	}

	int lostByKills() {
		return this.killed.get();
	}

	int lostBySilence() {
		return this.late.get();
	}

	int failedRuns() {
		return this.failed.get();
	}

	int unansweredOutcomes() {
		return this.unansweredOutcomes.get();
	}

	/** What the feed tells of the begin of a run. */
	private record Start(String worker, long millis) {
	}

}
