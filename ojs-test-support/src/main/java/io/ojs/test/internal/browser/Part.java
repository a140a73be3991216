package io.ojs.test.internal.browser;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The part of many similar cases that a build tries: {@code -Dojs.test.part} chooses it,
 * and builds with numbers in a row try all. {@code -Dojs.test.dashboard=all} tries all at
 * once.
 */
public final class Part {

	private static final boolean ALL = "all".equals(System.getProperty("ojs.test.dashboard"));

	private static final Integer CHOSEN = Integer.getInteger("ojs.test.part");

	private static final int NUMBER = (CHOSEN != null) ? CHOSEN : 0;

	/** In one of so many builds with numbers in a row, a test runs. */
	static final int BUILDS = 3;

	private Part() {
	}

	/**
	 * Whether this build runs a test: one of three if it has a number, or all.
	 */
	static boolean has(String test) {
		return ALL || CHOSEN == null || has(test, NUMBER);
	}

	static boolean has(String test, int number) {
		return Math.floorMod((long) test.hashCode() + number, BUILDS) == 0;
	}

	/**
	 * Returns the cases that this build tries.
	 * @param subject what the cases are tried with: a build tries different ones with
	 * each subject
	 * @param parts how many builds that run a test it takes to try all: three times as
	 * many in a row
	 */
	public static <T> List<T> of(List<T> cases, String subject, int parts) {
		int first = first(subject, parts, NUMBER);
		return IntStream.range(0, cases.size())
			.filter((index) -> ALL || index % parts == first)
			.mapToObj(cases::get)
			.toList();
	}

	/**
	 * The last digit of the number, in the base of three, has chosen the tests: with it,
	 * each test could get the same parts again and again.
	 */
	static int first(String subject, int parts, int number) {
		return Math.floorMod((long) subject.hashCode() + Math.floorDiv(number, BUILDS), parts);
	}

}
