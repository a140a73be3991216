package io.ojs.job;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Text that others wrote, as it can be shown: in a message of an exception, in a line of
 * a log. Whoever can send a message could else write lines of their own into a log, or
 * tell a terminal what to do.
 */
public final class ForeignText {

	private static final int SHOWN = 120;

	private ForeignText() {
	}

	/**
	 * Shows a value.
	 * @param value any value
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
	 * Makes text harmless and keeps all of it.
	 * @param text any text
	 * @return the same text; what is no visible character is written like {@code \n} or
	 * <code>&#92;u001b</code>
	 */
	public static String escape(String text) {
		return escape(text, Integer.MAX_VALUE);
	}

	/**
	 * Makes text harmless and short.
	 * @param text any text
	 * @param limit how many characters of it to show at most; … stands for the rest
	 * @return the beginning of the text; what is no visible character is written like
	 * {@code \n} or <code>&#92;u001b</code>
	 */
	public static String escape(String text, int limit) {
		StringBuilder shown = new StringBuilder();
		int end = Math.min(text.length(), limit);
		if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
			end--;
		}
		for (int i = 0; i < end;) {
			int c = text.codePointAt(i);
			append(shown, c);
			i += Character.charCount(c);
		}
		return (end < text.length()) ? shown.append('…').toString() : shown.toString();
	}

	/**
	 * Makes an exception harmless, with its causes and what it suppressed, as a stack
	 * trace shows them.
	 * @param thrown any exception
	 * @return the same, if all of its text is visible; otherwise one that only shows the
	 * text, escaped, and the stack trace
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

	/** Exceptions of others may fail to say why they failed. */
	private static String text(Throwable thrown) {
		try {
			return String.valueOf(thrown);
		}
		catch (RuntimeException ex) {
			return thrown.getClass().getName();
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

	/** Direction marks and other formats change how the rest of a line is read. */
	private static boolean isVisible(int c) {
		return switch (Character.getType(c)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
					Character.PARAGRAPH_SEPARATOR, Character.PRIVATE_USE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

	/** What a stack trace shows of an exception. */
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
