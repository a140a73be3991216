package io.ojs.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.ojs.benchmark.contender.Setting;
import io.ojs.benchmark.measure.Run;
import io.ojs.benchmark.page.Facts;

/**
 * The file beside the results: where and when they were measured, and which runs are
 * done. It is written after each run, so that a full run can be resumed after an
 * interruption.
 */
final class Journal {

	private final Path results;

	/** Whether results of other versions or of another machine are refused. */
	private final boolean strict;

	private final String begun;

	private final Map<String, String> machine;

	private final Map<String, String> versions = new TreeMap<>();

	private final Set<String> done = new LinkedHashSet<>();

	private final Set<String> failures = new LinkedHashSet<>();

	private Journal(Path results, boolean strict, String begun) throws IOException {
		this.results = results;
		this.strict = strict;
		this.begun = begun;
		this.machine = Facts.thisMachine();
	}

	/**
	 * For results that begin now.
	 * @param results their file
	 */
	static Journal begin(Path results) throws IOException {
		return new Journal(results, false, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
	}

	/**
	 * For further results. Runs of other versions or of another machine count as not
	 * done.
	 * @param results their file, which need not exist
	 */
	static Journal add(Path results) throws IOException {
		return of(results, false);
	}

	/**
	 * For the rest of a run that was interrupted.
	 * @param results their file, which need not exist
	 * @throws IllegalStateException if they were measured on another machine
	 */
	static Journal resume(Path results) throws IOException {
		return of(results, true);
	}

	private static Journal of(Path results, boolean strict) throws IOException {
		Path file = Facts.beside(results);
		if (!Files.exists(results) || !Files.exists(file)) {
			return begin(results);
		}
		Facts before = Facts.read(file);
		Journal journal = new Journal(results, strict, before.begun());
		journal.versions.putAll(before.versions());
		journal.failures.addAll(before.failures());
		journal.done.addAll(before.done());
		String kernel = before.machine().getOrDefault(Facts.KERNEL, "");
		journal.machine.computeIfPresent(Facts.KERNEL,
				(name, now) -> kernel.isEmpty() ? now : kernel.contains(now) ? kernel : kernel + ", " + now);
		journal.compare(before.machine(), journal.machine);
		return journal;
	}

	/**
	 * Tells what is measured and what with.
	 * @param found versions by name
	 * @throws IllegalStateException if results that are resumed are of other versions
	 */
	void versions(Map<String, String> found) {
		compare(this.versions, found);
		this.versions.putAll(found);
	}

	/** Figures of two states of the code, or of two machines, make no ratio. */
	private void compare(Map<String, String> before, Map<String, String> now) {
		List<String> differences = new ArrayList<>();
		before.forEach((name, value) -> {
			String other = now.getOrDefault(name, value);
			if (!name.equals(Facts.KERNEL) && !value.equals(other)) {
				differences.add("%s was \"%s\" and is \"%s\"".formatted(name, value, other));
			}
		});
		if (differences.isEmpty()) {
			return;
		}
		if (this.strict) {
			throw new IllegalStateException("%s cannot be resumed: %s. Begin again, without --resume"
				.formatted(this.results, String.join(", ", differences)));
		}
		this.done.clear();
	}

	boolean isDone(Run run) {
		return isDone(Plan.key(run));
	}

	boolean isDone(String key) {
		return this.done.contains(key);
	}

	void done(Run run) throws IOException {
		this.failures.remove(Plan.text(run));
		done(Plan.key(run));
	}

	void done(String key) throws IOException {
		this.done.add(key);
		write();
	}

	void failed(Run run) throws IOException {
		this.failures.add(Plan.text(run));
		write();
	}

	/** In the words of readers. */
	List<String> failures() {
		return List.copyOf(this.failures);
	}

	void write() throws IOException {
		new Facts(this.begun, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), this.machine, this.versions,
				failures(), Setting.all(), List.copyOf(this.done))
			.write(Facts.beside(this.results));
	}

}
