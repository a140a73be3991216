package io.ojs.job;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names in which {@code *} stands for any characters, dots too.
 */
public final class NamePatterns {

	private NamePatterns() {
	}

	/**
	 * Whether a name is meant.
	 * @param patterns names and patterns
	 * @param name the name
	 * @return whether one of them is the name, or stands for it
	 */
	public static boolean matches(List<String> patterns, String name) {
		for (String pattern : patterns) {
			if (pattern.equals("*") || pattern.equals(name) || (pattern.contains("*") && glob(pattern, name))) {
				return true;
			}
		}
		return false;
	}

	private static boolean glob(String pattern, String name) {
		String regex = Pattern.compile("\\*")
			.splitAsStream(pattern + "\0")
			.map((part) -> part.endsWith("\0") ? part.substring(0, part.length() - 1) : part)
			.map(Pattern::quote)
			.collect(Collectors.joining(".*"));
		return Pattern.matches(regex, name);
	}

}
