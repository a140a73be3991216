package io.ojs.boot.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;

import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Killing an application where a test wants it to be killed.
 */
@Tag("faults")
class ChildApplicationTests extends BrokerTest {

	@TempDir
	private Path folder;

	@Test
	void diesBeforeTheCall() {
		enqueue(1);
		try (ChildApplication child = child().crashAt("before Notes.add").start()) {
			child.killAt("before Notes.add");
			assertThat(child.isAlive()).isFalse();
			assertThat(notes()).isEmpty();
			child.restart();
			await().untilAsserted(() -> assertThat(notes()).containsExactly("0"));
		}
	}

	@Test
	void diesAfterTheCallWithoutAnythingElse() {
		enqueue(1);
		try (ChildApplication child = child().crashAt("after Notes.add").start()) {
			child.killAt("after Notes.add");
			assertThat(notes()).containsExactly("0");
			child.restartAndCrashAgain().killAt("after Notes.add");
			assertThat(notes()).containsExactly("0", "0");
			child.restart();
			await().untilAsserted(() -> assertThat(notes()).containsExactly("0", "0", "0"));
			await().untilAsserted(() -> assertThat(client().count("ojs.queue.notes")).isZero());
		}
	}

	@Test
	void diesAtTheTimeGiven() {
		enqueue(5);
		try (ChildApplication child = child().property("ojs.queues.notes.concurrency", 1).crashAt("noted", 3).start()) {
			child.killAt("noted");
			assertThat(notes()).hasSize(3);
			assertThat(child.output()).containsOnlyOnce(CrashPoint.line("noted"));
			child.restart().awaitStarted();
			await().untilAsserted(
					() -> assertThat(Set.copyOf(notes())).containsExactlyInAnyOrder("0", "1", "2", "3", "4"));
			assertThat(child.output()).doesNotContain(CrashPoint.line("noted"));
		}
	}

	@Test
	void endsWithTheTestAndWithItsJvm() throws Exception {
		ChildApplication child = child().start();
		try (child) {
			child.awaitStarted().abandon();
			assertThat(child.awaitEnd()).isEqualTo(1);
			child.restart().awaitStarted();
		}
		assertThat(ProcessHandle.of(child.pid()).filter(ProcessHandle::isAlive)).isEmpty();
		// Nothing of an application that is killed runs any more.
		assertThat(notes()).isEmpty();
	}

	@Test
	void tellsWhyItDidNotGetThere() {
		try (ChildApplication child = child().property("ojs.no-such-key", 1).start()) {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(child::awaitStarted)
				.withMessageContaining("ended with 1")
				.withMessageContaining("no-such-key");
			assertThatExceptionOfType(AssertionError.class).isThrownBy(child::kill)
				.withMessageContaining("ended of itself");
			assertThatIllegalArgumentException().isThrownBy(() -> child.killAt("noted"))
				.withMessageContaining("not armed");
		}
	}

	private ChildApplication.Starter child() {
		return ChildApplication.on(uri())
			.with(Notes.InFile.class, Handler.class, CrashPoints.class)
			.property("test.notes", notesFile());
	}

	private void enqueue(int jobs) {
		try (Application producer = application().property("ojs.worker.enabled", false).start()) {
			for (int i = 0; i < jobs; i++) {
				producer.ojs().enqueue(JobRequest.of("notes.add", i).queue("notes"));
			}
		}
	}

	private Path notesFile() {
		return this.folder.resolve("notes");
	}

	private List<String> notes() {
		try {
			return Files.exists(notesFile()) ? Files.readAllLines(notesFile()) : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	interface Notes {

		void add(String note);

		static class InFile implements Notes, DisposableBean {

			private final Path file;

			InFile(@Value("${test.notes}") Path file) {
				this.file = file;
			}

			@Override
			public void add(String note) {
				try {
					Files.writeString(this.file, note + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}

			@Override
			public void destroy() {
				add("closed in order");
			}

		}

	}

	static class Handler {

		private final Notes notes;

		Handler(Notes notes) {
			this.notes = notes;
		}

		@OjsJobHandler(value = "notes.add", queue = "notes")
		void add(int number) {
			this.notes.add(Integer.toString(number));
			CrashPoint.reach("noted");
		}

	}

	static class CrashPoints {

		@Bean
		static BeanPostProcessor aroundNotes() {
			return CrashPoint.around(Notes.class);
		}

	}

}
