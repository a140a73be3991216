package io.ojs.job.internal;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Makes text from outside safe to show in a message of an exception or in a log line.
 * Without that, a sender of a message could write lines of its own into a log, or send
 * control sequences to a terminal.
 */
public final class ForeignText {

	private static final int SHOWN = 120;

	private ForeignText() {
	}

	/**
	 * Shows a value.
	 * @return the beginning of its text, escaped, in quotes if it is text;
	 * {@code missing} for {@code null}
	 */
	public static String show(@Nullable Object value) {
		if (value == null) {
			return "missing";
		}
		String shown = escape(String.valueOf(value), SHOWN);
		return (value instanceof CharSequence) ? '"' + shown + '"' : shown;
	}

	/**
	 * Escapes text and keeps all of it.
	 * @return the same text; characters that are not visible are written like {@code \n}
	 * or <code>&#92;u001b</code>
	 */
	public static String escape(String text) {
		return escape(text, Integer.MAX_VALUE);
	}

	/**
	 * Escapes text and truncates it.
	 * @param limit how many characters of the text to show at most; … stands for the rest
	 * @return the beginning of the text; characters that are not visible are written like
	 * {@code \n} or <code>&#92;u001b</code>
	 */
	public static String escape(String text, int limit) {
		StringBuilder shown = new StringBuilder();
		int end = end(text, limit);
		for (int i = 0; i < end;) {
			int c = text.codePointAt(i);
			append(shown, c);
			i += Character.charCount(c);
		}
		return (end < text.length()) ? shown.append('…').toString() : shown.toString();
	}

	/**
	 * Truncates text.
	 * @param limit the most characters to keep
	 * @return the beginning of the text, without half a surrogate pair, which could not
	 * be written as UTF-8
	 */
	public static String beginning(String text, int limit) {
		return text.substring(0, end(text, limit));
	}

	private static int end(String text, int limit) {
		if (text.length() <= limit) {
			return text.length();
		}
		return Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
	}

	/**
	 * Escapes the text of an exception, of its causes and of its suppressed exceptions,
	 * as a stack trace shows them.
	 * @return the same exception if all of its text is visible; otherwise one with the
	 * escaped text and the stack trace
	 */
	public static Throwable escape(Throwable thrown) {
		return isVisible(thrown, newSet()) ? thrown : Escaped.of(thrown, newSet());
	}

	private static Set<Throwable> newSet() {
		return Collections.newSetFromMap(new IdentityHashMap<>());
	}

	private static boolean isVisible(Throwable thrown, Set<Throwable> seen) {
		if (!seen.add(thrown)) {
			return true;
		}
		Throwable cause = thrown.getCause();
		return text(thrown).codePoints().allMatch(ForeignText::isVisible) && (cause == null || isVisible(cause, seen))
				&& Arrays.stream(thrown.getSuppressed()).allMatch((each) -> isVisible(each, seen));
	}

	/**
	 * Returns the text of an object whose {@code toString()} can throw.
	 * @return the text; the name of the class if the object throws
	 */
	public static String text(Object foreign) {
		try {
			return String.valueOf(foreign);
		}
		catch (RuntimeException ex) {
			return foreign.getClass().getName();
		}
	}

	private static void append(StringBuilder shown, int c) {
		switch (c) {
			case '\n' -> shown.append("\\n");
			case '\r' -> shown.append("\\r");
			case '\t' -> shown.append("\\t");
			default -> {
				if (isVisible(c)) {
					shown.appendCodePoint(c);
				}
				else if (Character.isBmpCodePoint(c)) {
					shown.append("\\u%04x".formatted(c));
				}
				else {
					shown.append("\\u{%x}".formatted(c));
				}
			}
		}
	}

	/**
	 * Whether a character is visible. Direction marks and other formats are not: they
	 * change how the rest of a line is read.
	 */
	private static boolean isVisible(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
					Character.PARAGRAPH_SEPARATOR, Character.PRIVATE_USE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

	/** The text and the stack trace of an exception, without its class. */
	private static final class Escaped extends Throwable {

		private static final long serialVersionUID = 1L;

		private Escaped(Throwable of, @Nullable Throwable cause) {
			super(ForeignText.escape(text(of)), cause);
			setStackTrace(of.getStackTrace());
		}

		static Throwable of(Throwable thrown, Set<Throwable> seen) {
			seen.add(thrown);
			Throwable cause = thrown.getCause();
			Throwable escaped = new Escaped(thrown, (cause != null && !seen.contains(cause)) ? of(cause, seen) : null);
			for (Throwable suppressed : thrown.getSuppressed()) {
				if (!seen.contains(suppressed)) {
					escaped.addSuppressed(of(suppressed, seen));
				}
			}
			return escaped;
		}

		@Override
		public String toString() {
			return String.valueOf(getMessage());
		}

	}

}
