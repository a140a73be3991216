package io.ojs.test.internal.browser;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Builds with numbers in a row try each part of each test.
 */
class PartTests {

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 4, 6, 12 })
	void eachTestGetsEachOfItsPartsInThreeTimesAsManyBuilds(int parts) {
		for (int test = 0; test < 20; test++) {
			String name = "page [" + test + "]";
			for (int begin : new int[] { 0, 1, -7 }) {
				Set<Integer> tried = new TreeSet<>();
				for (int number = begin; number < begin + Part.BUILDS * parts; number++) {
					if (Part.has(name, number)) {
						tried.add(Part.first("subject " + test, parts, number));
					}
				}
				assertThat(tried).as("%s from build %d on", name, begin).hasSize(parts);
			}
		}
	}

	/** Three builds in a row run all tests. */
	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1, 6 })
	void eachTestRunsInOneOfThreeBuilds(int number) {
		for (int test = 0; test < 20; test++) {
			String name = "page [" + test + "]";
			assertThat(IntStream.range(number, number + 3).filter((build) -> Part.has(name, build))).hasSize(1);
		}
	}

}
