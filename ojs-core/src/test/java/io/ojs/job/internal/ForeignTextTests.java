package io.ojs.job.internal;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import io.ojs.job.InvalidJobException;
import io.ojs.job.UndecodableJobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What others wrote is shown so that it can do nothing to a log or a terminal.
 */
class ForeignTextTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			000a, \\n
			000d, \\r
			0009, \\t
			0000, \\u0000
			001b, \\u001b
			007f, \\u007f
			0085, \\u0085
			2028, \\u2028
			2029, \\u2029
			202e, \\u202e
			200b, \\u200b
			feff, \\ufeff
			e000, \\ue000
			d800, \\ud800
			""")
	void escapesWhatIsNoVisibleCharacter(String hex, String shown) {
		String text = "a" + (char) Integer.parseInt(hex, 16) + "b";
		assertThat(ForeignText.escape(text)).isEqualTo("a" + shown + "b");
	}

	@Test
	void escapesBeyondTheBasicPlane() {
		assertThat(ForeignText.escape("a" + Character.toString(0xE0001) + "b")).isEqualTo("a\\u{e0001}b");
	}

	@Test
	void leavesWhatPeopleWrite() {
		String text = "Grüße, 世界 — \"quoted\" 👍 e\u0301 a b\\n";
		assertThat(ForeignText.escape(text)).isEqualTo(text);
	}

	@Test
	void cutsLongTextBetweenCharacters() {
		assertThat(ForeignText.escape("abcdef", 3)).isEqualTo("abc…");
		assertThat(ForeignText.escape("abc", 3)).isEqualTo("abc");
		assertThat(ForeignText.escape("ab👍c", 3)).isEqualTo("ab…");
		assertThat(ForeignText.escape("\n\n\n\n", 2)).isEqualTo("\\n\\n…");
	}

	@Test
	void showsValues() {
		assertThat(ForeignText.show(null)).isEqualTo("missing");
		assertThat(ForeignText.show(12)).isEqualTo("12");
		assertThat(ForeignText.show("a\nb")).isEqualTo("\"a\\nb\"");
		assertThat(ForeignText.show(List.of("a\u001b[2Jb"))).isEqualTo("[a\\u001b[2Jb]");
		assertThat(ForeignText.show("x".repeat(200))).isEqualTo('"' + "x".repeat(120) + "…\"");
	}

	@Test
	void stackTracesShowNothingRaw() {
		IllegalStateException deepest = new IllegalStateException("a\r\nFORGED \u001b[31m");
		RuntimeException suppressed = new RuntimeException("\u202eb");
		IllegalArgumentException thrown = new IllegalArgumentException("c", new RuntimeException("d", deepest));
		thrown.addSuppressed(suppressed);
		// A circle.
		suppressed.addSuppressed(thrown);
		Throwable escaped = ForeignText.escape(thrown);
		assertThat(escaped).hasToString("java.lang.IllegalArgumentException: c");
		assertThat(escaped.getStackTrace()).isEqualTo(thrown.getStackTrace());
		StringWriter trace = new StringWriter();
		escaped.printStackTrace(new PrintWriter(trace));
		assertThat(trace.toString()).contains("java.lang.IllegalStateException: a\\r\\nFORGED \\u001b[31m",
				"java.lang.RuntimeException: \\u202eb");
		assertThat(trace.toString().lines()).noneMatch((line) -> line.startsWith("FORGED"))
			.noneMatch((line) -> line.contains("\u001b") || line.contains("\u202e"));
		Exception harmless = new Exception("fine", new Exception("fine, too"));
		assertThat(ForeignText.escape(harmless)).isSameAs(harmless);
		Exception silent = new Exception() {

			@Override
			public String toString() {
				throw new IllegalStateException("does not say");
			}

		};
		assertThat(ForeignText.escape(silent)).isSameAs(silent);
	}

	@Test
	void whatRevealedABadJobIsEscaped() {
		Exception cause = new Exception("a\nb");
		assertThat(new InvalidJobException("args", 1, "must be real", cause).getCause()).hasMessageContaining("a\\nb");
		assertThat(new UndecodableJobException("no job", cause).getCause()).hasMessageContaining("a\\nb");
	}

	@Test
	void exceptionsAboutJobsShowNothingRaw() {
		InvalidJobException ex = new InvalidJobException("meta.a\nb", "x\r\n2026-01-01 ERROR forged", "must be real");
		assertThat(ex)
			.hasMessage("Invalid job: 'meta.a\\nb' must be real, but was \"x\\r\\n2026-01-01 ERROR forged\".");
		assertThat(ex.field()).isEqualTo("meta.a\nb");
		assertThat(ex.problem()).isEqualTo("must be real");
	}

	@ParameterizedTest
	@CsvSource({ "abc, 3, abc", "abc, 2, ab", "a\uD83D\uDE00b, 2, a", "a\uD83D\uDE00b, 3, a\uD83D\uDE00" })
	void beginningHasNoHalfOfASurrogatePair(String text, int limit, String beginning) {
		assertThat(ForeignText.beginning(text, limit)).isEqualTo(beginning);
	}

}
