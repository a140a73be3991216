package io.ojs.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.ojs.benchmark.measure.Run;
import io.ojs.benchmark.page.Facts;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class JournalTests {

	private final List<Run> plan = Plan.full(1, 1, Set.of(String.valueOf(Runtime.version().feature())));

	private final Run first = this.plan.get(0);

	private final Run second = this.plan.get(1);

	@TempDir
	Path folder;

	private Path results;

	@BeforeEach
	void results() throws IOException {
		this.results = Files.writeString(this.folder.resolve("results.jsonl"), "");
	}

	@Test
	void runsThatAreDoneAreKnownAfterAnInterruption() throws IOException {
		Journal before = journal(Journal.begin(this.results), "1");
		before.done(this.first);
		before.failed(this.second);
		String begun = facts().begun();

		Journal after = journal(Journal.resume(this.results), "1");

		assertThat(after.isDone(this.first)).isTrue();
		assertThat(after.isDone(this.second)).isFalse();
		assertThat(after.failures()).containsExactly(Plan.text(this.second));
		after.done(this.second);
		assertThat(after.failures()).isEmpty();
		assertThat(facts().failures()).isEmpty();
		assertThat(facts().begun()).isEqualTo(begun);
		assertThat(facts().done()).containsExactly(Plan.key(this.first), Plan.key(this.second));
	}

	@Test
	void withoutResultsNothingIsDone() throws IOException {
		journal(Journal.begin(this.results), "1").done(this.first);
		Files.delete(this.results);

		assertThat(journal(Journal.resume(this.results), "2").isDone(this.first)).isFalse();
	}

	@Test
	void resultsThatBeginHaveNothingOfThoseBefore() throws IOException {
		journal(Journal.begin(this.results), "1").done(this.first);

		assertThat(journal(Journal.begin(this.results), "1").isDone(this.first)).isFalse();
	}

	@Test
	void resultsOfOtherCodeAreNotResumed() throws IOException {
		journal(Journal.begin(this.results), "1").done(this.first);

		Journal after = Journal.resume(this.results);

		assertThatIllegalStateException().isThrownBy(() -> after.versions(Map.of("OJS", "2")))
			.withMessage(
					this.results + " cannot be resumed: OJS was \"1\" and is \"2\". Begin again, without --resume");
	}

	@Test
	void resultsOfOtherCodeCanBeAddedToAndAreNotDone() throws IOException {
		journal(Journal.begin(this.results), "1").done(this.first);

		Journal after = journal(Journal.add(this.results), "2");
		after.done(this.second);

		assertThat(facts().done()).containsExactly(Plan.key(this.second));
		assertThat(facts().versions()).containsEntry("OJS", "2");
	}

	@Test
	void resultsOfAnotherMachineAreNotResumed() throws IOException {
		machine("cores", "7");

		assertThatIllegalStateException().isThrownBy(() -> Journal.resume(this.results))
			.withMessageContaining("cores was \"7\"");
	}

	@Test
	void anotherKernelIsTold() throws IOException {
		machine("kernel", "Abacus 1");

		journal(Journal.resume(this.results), "1").done(this.second);

		assertThat(facts().machine().get("kernel")).isEqualTo("Abacus 1, " + Facts.thisMachine().get("kernel"));
	}

	private void machine(String name, String value) throws IOException {
		journal(Journal.begin(this.results), "1").done(this.first);
		Facts facts = facts();
		Map<String, String> machine = new TreeMap<>(facts.machine());
		machine.put(name, value);
		new Facts(facts.begun(), facts.ended(), machine, facts.versions(), facts.failures(), facts.settings(),
				facts.done())
			.write(Facts.beside(this.results));
	}

	private static Journal journal(Journal journal, String code) {
		journal.versions(Map.of("OJS", code));
		return journal;
	}

	private Facts facts() throws IOException {
		return Facts.read(Facts.beside(this.results));
	}

}
