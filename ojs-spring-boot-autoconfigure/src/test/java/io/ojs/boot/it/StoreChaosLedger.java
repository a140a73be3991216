package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.ojs.test.internal.database.PostgresDatabase;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What was enqueued and what ran, as those wrote it down who did it, against what the
 * database says when all is over.
 */
final class StoreChaosLedger {

	/** An id, an attempt and a time. */
	private static final int LINE = 36 + 1 + 1 + 1 + 13 + 1;

	private final Path folder;

	private final int jobs;

	private final JdbcTemplate jdbc;

	StoreChaosLedger(Path folder, int jobs, PostgresDatabase database) {
		this.folder = folder;
		this.jobs = jobs;
		this.jdbc = new JdbcTemplate(
				new DriverManagerDataSource(database.url(), database.username(), database.password()));
	}

	Path confirmed() {
		return this.folder.resolve("confirmed");
	}

	Path runs() {
		return this.folder.resolve("runs");
	}

	Path parts() {
		return this.folder.resolve("parts");
	}

	/** The number of runs, without reading all of them. */
	long progress() {
		try {
			return Files.exists(runs()) ? Files.size(runs()) / LINE : 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean isAllConfirmed() {
		return StoreChaos.lines(confirmed()).size() >= this.jobs;
	}

	/** Some of the jobs that have not ended, or that somebody has yet to look after. */
	List<Map<String, Object>> unfinished() {
		return this.jdbc.queryForList("select id, state, attempt, errors, relay_at, published_at, lease_until, worker, "
				+ "due_at from ojs_job where ended_at is null or relay_at is not null or lease_until is not null "
				+ "or state in ('available', 'active', 'retryable', 'scheduled', 'pending') limit 5");
	}

	long count(String condition) {
		return Objects
			.requireNonNull(this.jdbc.queryForObject("select count(*) from ojs_job where " + condition, Long.class));
	}

	/**
	 * Calls of handlers that were lost with their worker, so that another one followed.
	 */
	long lostAndRepeated() {
		Map<String, Map<Integer, String>> errors = errors();
		return lines().stream().filter((run) -> "WORKER_LOST".equals(error(errors, run.id(), run.attempt()))).count();
	}

	/**
	 * The longest time in which no handler was called, from the first call to the last.
	 */
	Duration longestPause() {
		long[] times = lines().stream().mapToLong(Run::millis).sorted().toArray();
		return Duration
			.ofMillis(IntStream.range(1, times.length).mapToLong((i) -> times[i] - times[i - 1]).max().orElse(0));
	}

	int runsInAll() {
		return lines().size();
	}

	void assertNoneLostAndNoneEndedTwice() {
		List<String> expected = IntStream.range(0, this.jobs).mapToObj(StoreChaos::id).toList();
		assertThat(StoreChaos.lines(confirmed())).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(ids("true")).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(ids("state = 'discarded' and dead_lettered_at is not null")).containsExactlyInAnyOrderElementsOf(
				IntStream.range(0, this.jobs).filter(StoreChaos::failsAlways).mapToObj(StoreChaos::id).toList());
		assertThat(count("state not in ('completed', 'discarded')")).isZero();
		assertThat(this.jdbc.queryForList("select subject, string_agg(type, ',') from " + EventRows.ALL
				+ " where type in ('job.completed', 'job.dead_lettered', 'job.discarded', 'job.cancelled') group by subject "
				+ "having count(*) <> 1"))
			.as("jobs that ended more than once")
			.isEmpty();
	}

	/**
	 * Each attempt has one reason to be over: it was the last one and a success, or there
	 * is its error. The handler was called once for it, or, if its worker was lost, at
	 * most once; and never beside an attempt.
	 */
	void assertEachAttemptIsExplained() {
		Map<String, Integer> calls = new HashMap<>();
		lines().forEach((run) -> calls.merge(run.id() + " " + run.attempt(), 1, Integer::sum));
		assertThat(calls).as("calls of one attempt").allSatisfy((run, times) -> assertThat(times).isEqualTo(1));
		Map<String, Map<Integer, String>> errors = errors();
		assertThat(this.jdbc.queryForList("select id, attempt, errors from ojs_job where "
				+ "coalesce(json_array_length(cast(errors as json)), 0) "
				+ "<> case when state = 'completed' then attempt - 1 else attempt end"))
			.as("jobs with more or fewer errors than failed attempts")
			.isEmpty();
		this.jdbc.query("select cast(id as varchar) as id, state, attempt from ojs_job", (row) -> {
			String id = row.getString("id");
			int attempts = row.getInt("attempt");
			for (int attempt = 1; attempt <= attempts; attempt++) {
				String error = error(errors, id, attempt);
				boolean succeeded = attempt == attempts && row.getString("state").equals("completed");
				assertThat(error != null).as("error of attempt %d of job %s", attempt, id).isNotEqualTo(succeeded);
				if (calls.remove(id + " " + attempt) == null) {
					assertThat(error).as("attempt %d of job %s, for which no handler was called", attempt, id)
						.isEqualTo("WORKER_LOST");
				}
			}
		});
		assertThat(calls).as("calls that are no attempt").isEmpty();
	}

	private List<String> ids(String condition) {
		return this.jdbc.queryForList("select cast(id as varchar) from ojs_job where " + condition, String.class);
	}

	/** By job and attempt: the code, or else the type. */
	private Map<String, Map<Integer, String>> errors() {
		Map<String, Map<Integer, String>> errors = new HashMap<>();
		this.jdbc.query("select cast(id as varchar) as id, cast(error ->> 'attempt' as int) as attempt, "
				+ "coalesce(error ->> 'code', error ->> 'type') as what "
				+ "from ojs_job, json_array_elements(cast(errors as json)) as error", (row) -> {
					errors.computeIfAbsent(row.getString("id"), (id) -> new HashMap<>())
						.put(row.getInt("attempt"), row.getString("what"));
				});
		return errors;
	}

	private static String error(Map<String, Map<Integer, String>> errors, String id, int attempt) {
		return errors.getOrDefault(id, Map.of()).get(attempt);
	}

	List<Run> lines() {
		return StoreChaos.lines(runs())
			.stream()
			.map((line) -> line.split(" "))
			.map((parts) -> new Run(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2])))
			.toList();
	}

	record Run(String id, int attempt, long millis) {
	}

}
