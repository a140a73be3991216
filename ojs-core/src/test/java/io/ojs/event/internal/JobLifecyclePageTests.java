package io.ojs.event.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.ojs.event.internal.Transition.Telling;
import io.ojs.job.JobState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about the life of a job says what {@link Transition} says.
 */
class JobLifecyclePageTests {

	private static final Path DOCS = Path.of("../src/docs");

	/** The page has these in a sentence below the table. */
	private static final Set<Transition> WITHOUT_DEAD_LETTER = EnumSet.of(Transition.EXHAUST_AND_DISCARD,
			Transition.REJECT_AND_DISCARD);

	private static final String ANY = "any that has not ended";

	private static final Set<JobState> UNFINISHED = EnumSet.of(JobState.SCHEDULED, JobState.PENDING, JobState.AVAILABLE,
			JobState.RETRYABLE, JobState.ACTIVE, JobState.HANDED_OVER);

	private final String page = read("job-lifecycle.md");

	@Test
	void itsTableHasTheTransitionsWithTheirEvents() {
		Set<String> expected = new TreeSet<>();
		for (Transition transition : Transition.values()) {
			if (!WITHOUT_DEAD_LETTER.contains(transition)) {
				expected.addAll(lines(transition));
			}
		}
		// A sentence below the table has it, because it happens together with another
		// transition.
		expected.remove("active -> active: job.started");
		assertThat(fromPage()).containsExactlyElementsOf(expected);
	}

	@Test
	void withoutADeadLetterOnlyTheLastEventIsAnother() {
		assertThat(this.page).contains("the last\n  event is `job.discarded` instead of `job.dead_lettered`");
		assertThat(WITHOUT_DEAD_LETTER).allSatisfy((transition) -> {
			List<Telling> events = new ArrayList<>(transition.tellings());
			assertThat(events.set(events.size() - 1, Telling.DEAD_LETTERED)).isEqualTo(Telling.DISCARDED);
			assertThat(Arrays.stream(Transition.values())
				.filter((other) -> other.from().equals(transition.from()) && other.to() == transition.to())
				.map(Transition::tellings)).contains(events);
		});
	}

	@Test
	void itsListAndItsPictureHaveAllStates() {
		Set<String> states = Arrays.stream(JobState.values()).map(JobState::wireName).collect(Collectors.toSet());
		String list = this.page.substring(0, this.page.indexOf("## What moves a job"));
		assertThat(found("^\\| `([a-z_]+)` \\|", list)).isEqualTo(states);
		assertThat(found("<rect [^>]*/><text [^>]*>([a-z_]+)</text></g>", read("images/job-lifecycle.svg")))
			.isEqualTo(states);
	}

	private static Set<String> lines(Transition transition) {
		String to = transition.to().wireName();
		String events = transition.tellings().stream().map(Telling::wireName).collect(Collectors.joining(", "));
		String rest = to + ": " + events + (transition.isAgain() ? ", again" : "");
		return transition.from().isEmpty() ? Set.of("-> " + rest)
				: transition.from().stream().map((from) -> from.wireName() + " -> " + rest).collect(Collectors.toSet());
	}

	private Set<String> fromPage() {
		Set<String> all = new TreeSet<>();
		String table = this.page.substring(this.page.indexOf("## What moves a job"),
				this.page.indexOf("## What counts as an attempt"));
		for (String row : table.lines().filter((line) -> line.startsWith("| ")).skip(1).toList()) {
			String[] cells = Arrays.stream(row.split("\\|")).map(String::strip).toArray(String[]::new);
			String to = cells[3];
			if (!to.isEmpty()) {
				String events = cells[4].replace("`", "").replace("none", "");
				from(cells[2]).forEach((from) -> all.add(from + "-> " + to + ": " + events));
			}
		}
		return all;
	}

	private static List<String> from(String cell) {
		if (cell.isEmpty()) {
			return List.of("");
		}
		List<String> names = cell.startsWith(ANY)
				? new ArrayList<>(UNFINISHED.stream().map(JobState::wireName).toList()) : List.of(cell.split(", "));
		if (cell.equals(ANY + ", except handed_over")) {
			names.remove(JobState.HANDED_OVER.wireName());
		}
		return names.stream().map((name) -> name + " ").toList();
	}

	private static Set<String> found(String pattern, String text) {
		Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(text);
		return matcher.results().map((result) -> result.group(1)).collect(Collectors.toSet());
	}

	private static String read(String file) {
		try {
			return Files.readString(DOCS.resolve(file));
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read " + file, ex);
		}
	}

}
