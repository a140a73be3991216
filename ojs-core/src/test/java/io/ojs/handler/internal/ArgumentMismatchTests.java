package io.ojs.handler.internal;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.handler.ArgumentMismatchException;
import io.ojs.handler.JobFailedException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Arguments that do not fit a handler's method: the method is not called, and the message
 * names it, the parameter and what came.
 */
class ArgumentMismatchTests {

	private final Handlers handlers = new Handlers();

	@ParameterizedTest
	@CsvSource({ "send, 0, 2 arguments", "send, 1, 2 arguments", "send, 3, 2 arguments", "one, 0, 1 argument",
			"one, 2, 1 argument", "none, 1, 0 arguments", "optionalLast, 0, 1 to 2 arguments",
			"optionalLast, 3, 1 to 2 arguments",
			// What stands behind an Optional must be there.
			"optionalFirst, 1, 2 arguments", "optionalFirst, 3, 2 arguments", "optionalBetween, 2, 3 to 4 arguments" })
	void tooFewOrTooMany(String method, int count, String takes) {
		Object[] args = new Object[count];
		Arrays.fill(args, "x");
		assertMismatch(method, args).hasMessageContainingAll("Handlers." + method + "(", "takes " + takes,
				"but 'args' has " + count);
		assertThat(this.handlers.calls).isZero();
	}

	@Test
	void whatCameIsShownSoThatItCanDoNothing() {
		for (String hostile : List.of("x\r\n2026-01-01 ERROR forged", "\u001b[2J", "\u202e")) {
			assertMismatch("counts", Map.of(hostile, "many")).message().doesNotContain(hostile).contains("\\");
			assertMismatch("number", hostile).message().doesNotContain(hostile);
		}
	}

	static List<Arguments> wrongTypes() {
		return List.of(arguments("number", "abc", "args[0]"), arguments("number", new BigDecimal("1.5"), "args[0]"),
				arguments("number", 3_000_000_000L, "args[0]"), arguments("number", null, "args[0]"),
				arguments("number", List.of(1), "args[0]"), arguments("number", "", "args[0]"),
				arguments("flag", null, "args[0]"), arguments("flag", "perhaps", "args[0]"),
				arguments("one", List.of("x"), "args[0]"), arguments("one", Map.of("a", 1), "args[0]"),
				arguments("line", "apple", "args[0]"),
				arguments("line", Map.of("article", "apple", "count", "x"), "args[0].count"),
				arguments("line", Map.of("article", "apple"), "args[0].count"),
				arguments("lines", List.of(Map.of("article", "a", "count", 1), 5), "args[0][1]"),
				arguments("lines", Map.of("article", "apple", "count", 3), "args[0]"),
				arguments("counts", Map.of("apple", "many"), "args[0].apple"), arguments("color", "BLUE", "args[0]"));
	}

	@ParameterizedTest(name = "{0} of {1}")
	@MethodSource("wrongTypes")
	void wrongType(String method, @Nullable Object value, String place) {
		assertMismatch(method, value).hasMessageContainingAll("Parameter 'value' of Handlers." + method + "(",
				"'" + place + "'");
		assertThat(this.handlers.calls).isZero();
	}

	@Test
	void messageIsForAPerson() {
		assertMismatch("number", "abc").hasMessageStartingWith(
				"Parameter 'value' of Handlers.number(int value) cannot take what the job brings. Invalid job: "
						+ "'args[0]' must fit int");
		assertMismatch("send", "x")
			.hasMessage("Handlers.send(String to, int times) takes 2 arguments, but 'args' " + "has 1.");
	}

	@ParameterizedTest
	@CsvSource({ "checked, java.io.IOException", "unchecked, java.lang.IllegalStateException",
			"error, java.lang.StackOverflowError", "failed, io.ojs.handler.JobFailedException" })
	void whatTheMethodThrowsComesOutAsItIs(String method, Class<? extends Throwable> type) {
		assertThatThrownBy(() -> HandlerFixture.handler(this.handlers, method).handle(HandlerFixture.attempt()))
			.isExactlyInstanceOf(type)
			.hasMessage("mine");
	}

	private AbstractThrowableAssert<?, ?> assertMismatch(String method, @Nullable Object... args) {
		return assertThatThrownBy(
				() -> HandlerFixture.handler(this.handlers, method).handle(HandlerFixture.attempt(args)))
			.isInstanceOf(ArgumentMismatchException.class);
	}

	enum Color {

		RED

	}

	record Line(String article, int count) {
	}

	/** A record that checks what it is made of. */
	record Address(String text) {

		Address {
			if (!text.contains("@")) {
				throw new IllegalArgumentException("no address");
			}
		}

	}

	@SuppressWarnings("unused")
	static final class Handlers {

		private int calls;

		void none() {
			this.calls++;
		}

		void one(String value) {
			this.calls++;
		}

		void send(String to, int times) {
			this.calls++;
		}

		void optionalLast(String to, Optional<String> cc) {
			this.calls++;
		}

		void optionalFirst(Optional<String> cc, String to) {
			this.calls++;
		}

		void optionalBetween(String to, Optional<String> cc, String text, Optional<String> more) {
			this.calls++;
		}

		void number(int value) {
			this.calls++;
		}

		void flag(boolean value) {
			this.calls++;
		}

		void line(Line value) {
			this.calls++;
		}

		void lines(List<Line> value) {
			this.calls++;
		}

		void counts(Map<String, Integer> value) {
			this.calls++;
		}

		void address(Address value) {
			this.calls++;
		}

		void color(Color value) {
			this.calls++;
		}

		void checked() throws IOException {
			throw new IOException("mine");
		}

		void unchecked() {
			throw new IllegalStateException("mine");
		}

		void error() {
			throw new StackOverflowError("mine");
		}

		void failed() {
			throw JobFailedException.discard("a.b", "mine");
		}

	}

}
