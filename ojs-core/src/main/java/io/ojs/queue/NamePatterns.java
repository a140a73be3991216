package io.ojs.queue;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names in which {@code *} stands for any characters, dots too.
 */
final class NamePatterns {

	private NamePatterns() {
	}

	static boolean matches(List<String> patterns, String name) {
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
