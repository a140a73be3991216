package io.ojs.internal.unique;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.text.Normalizer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.ojs.internal.json.JsonPath;
import io.ojs.job.InvalidJobException;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in the canonical form of RFC 8785, with text in the Unicode form NFC (OJS
 * Unique Jobs §4.2). A number that a double cannot represent becomes text, as RFC 8785
 * recommends (appendix D): as a number it would equal its neighbour.
 */
final class CanonicalJson {

	private static final int FIRST_MARK = 0x300;

	private static final int MAX_MARKS = 30;

	/** Character types of marks, which NFC sorts after their base character. */
	private static final int MARKS = 1 << Character.NON_SPACING_MARK | 1 << Character.COMBINING_SPACING_MARK
			| 1 << Character.ENCLOSING_MARK;

	private final StringBuilder json = new StringBuilder();

	private final JsonPath path;

	private CanonicalJson(JsonPath path) {
		this.path = path;
	}

	/**
	 * Writes a value.
	 * @param field the path of the value, for errors
	 * @param value a string, number, boolean, {@code null}, list or map
	 * @throws InvalidJobException if it has none
	 */
	static String write(String field, @Nullable Object value) {
		CanonicalJson canonical = new CanonicalJson(new JsonPath(field));
		canonical.append(value);
		return canonical.json.toString();
	}

	private void append(@Nullable Object value) {
		if (value == null || value instanceof Boolean) {
			this.json.append(value);
		}
		else if (value instanceof String text) {
			string(text);
		}
		else if (value instanceof Number number) {
			number(number);
		}
		else if (value instanceof List<?> list) {
			array(list);
		}
		else if (value instanceof Map<?, ?> map) {
			object(map);
		}
		else {
			throw new InvalidJobException(this.path.toString(), value.getClass(),
					"must be of JSON's own types to be compared");
		}
	}

	private void array(List<?> values) {
		this.json.append('[');
		for (int i = 0; i < values.size(); i++) {
			this.json.append((i > 0) ? "," : "");
			this.path.enter(i);
			append(values.get(i));
			this.path.leave();
		}
		this.json.append(']');
	}

	private void object(Map<?, ?> values) {
		// Strings compare by UTF-16 code units, which is the order of RFC 8785 §3.2.3.
		Map<String, @Nullable Object> sorted = new TreeMap<>();
		values.forEach((key, value) -> {
			String name = normalized(String.valueOf(key));
			if (sorted.containsKey(name)) {
				throw new InvalidJobException(this.path.toString(), name,
						"must not have two keys that are one in Unicode's form NFC");
			}
			sorted.put(name, value);
		});
		this.json.append('{');
		String separator = "";
		for (Map.Entry<String, @Nullable Object> entry : sorted.entrySet()) {
			this.json.append(separator);
			string(entry.getKey());
			this.json.append(':');
			this.path.enter(entry.getKey());
			append(entry.getValue());
			this.path.leave();
			separator = ",";
		}
		this.json.append('}');
	}

	private void number(Number number) {
		DecimalNumber decimal = DecimalNumber.of(exact(number));
		DecimalNumber canonical = decimal.ofDouble();
		this.json.append((canonical != null) ? canonical.toString() : '"' + decimal.toString() + '"');
	}

	private BigDecimal exact(Number number) {
		if (number instanceof BigDecimal decimal) {
			return decimal;
		}
		if (number instanceof BigInteger whole) {
			return new BigDecimal(whole);
		}
		if (number instanceof Double || number instanceof Float) {
			if (!Double.isFinite(number.doubleValue())) {
				throw new InvalidJobException(this.path.toString(), number,
						"must be a finite number: JSON has no other");
			}
			return new BigDecimal(number.toString());
		}
		return BigDecimal.valueOf(number.longValue());
	}

	/**
	 * Normalizes text to NFC. Text with more marks in a row than the Stream-Safe Text
	 * Format of UAX #15 allows stays unchanged: sorting marks takes quadratic time, and
	 * no language has such words.
	 */
	private static String normalized(String text) {
		return (!isBelowMarks(text) && isStreamSafe(text)) ? Normalizer.normalize(text, Normalizer.Form.NFC) : text;
	}

	/**
	 * Whether all characters are below the marks. Such text, which includes all ASCII
	 * text, is already NFC.
	 */
	private static boolean isBelowMarks(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) >= FIRST_MARK) {
				return false;
			}
		}
		return true;
	}

	private static boolean isStreamSafe(String text) {
		int marks = 0;
		for (int i = 0; i < text.length();) {
			int c = text.codePointAt(i);
			marks = (c >= FIRST_MARK && (MARKS >> Character.getType(c) & 1) != 0) ? marks + 1 : 0;
			if (marks > MAX_MARKS) {
				return false;
			}
			i += Character.charCount(c);
		}
		return true;
	}

	private void string(String text) {
		String normalized = normalized(text);
		this.json.append('"');
		for (int i = 0; i < normalized.length(); i++) {
			char c = normalized.charAt(i);
			if (Character.isSurrogate(c)) {
				pair(normalized, i++);
			}
			else {
				character(c);
			}
		}
		this.json.append('"');
	}

	private void pair(String text, int at) {
		if (!Character.isHighSurrogate(text.charAt(at)) || at + 1 == text.length()
				|| !Character.isLowSurrogate(text.charAt(at + 1))) {
			throw new InvalidJobException(this.path.toString(), "\\u%04x at %d".formatted((int) text.charAt(at), at),
					"must be text that UTF-8 can carry, without half a surrogate pair");
		}
		this.json.append(text, at, at + 2);
	}

	private void character(char c) {
		switch (c) {
			case '"', '\\' -> this.json.append('\\').append(c);
			case '\b' -> this.json.append("\\b");
			case '\t' -> this.json.append("\\t");
			case '\n' -> this.json.append("\\n");
			case '\f' -> this.json.append("\\f");
			case '\r' -> this.json.append("\\r");
			default -> this.json.append((c < ' ') ? "\\u%04x".formatted((int) c) : c);
		}
	}

}
