package io.ojs.job.internal;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Matches names against patterns in which {@code *} stands for any characters, including
 * dots.
 */
public final class NamePatterns {

	private NamePatterns() {
	}

	/**
	 * Whether a name matches.
	 * @return whether one of them equals or matches the name
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
