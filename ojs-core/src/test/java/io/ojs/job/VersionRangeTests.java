package io.ojs.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Ranges of versions (OJS Job Versioning §8.1, §15.1).
 */
class VersionRangeTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "*|0.0 1.0 999999999.999999999|", "2.0|2.0|1.9 2.1 0.0", "2|2.0|2.1 1.9",
					">=1.0 <3.0|1.0 1.7 2.999999999|0.9 3.0 3.1", ">=1.0, <3.0|1.0 2.0|3.0", ">=1.0,<3.0|1.0|3.0",
					"<3.0 >=1.0|1.0 2.5|3.0 0.5", ">=2.0|2.0 77.0|1.999999999", "<2.0|0.0 1.9|2.0",
					" >= 1.2  ,  < 1.3 |1.2|1.1 1.3", "999999999.999999999|999999999.999999999|0.0" })
	void saysWhichVersionsAreIn(String text, String in, String out) {
		VersionRange range = VersionRange.parse(text);
		for (String version : in.split(" ")) {
			assertThat(range.contains(JobVersion.parse(version))).as(version).isTrue();
		}
		for (String version : (out != null) ? out.split(" ") : new String[0]) {
			assertThat(range.contains(JobVersion.parse(version))).as(version).isFalse();
		}
		assertThat(VersionRange.parse(range.toString())).isEqualTo(range);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "  ", "^1.0", "~1.0", ">1.0", "<=2.0", "=1.0", "1.0 - 2.0", ">=1.0 || <0.5", "1.x",
			"latest", ">=1.0 >=2.0", "<1.0 <2.0", ">=1.0 <2.0 <3.0", ">=1.0 2.0", ">=", "<", ">=1.0 <", ">=1.0,",
			",<2.0", ">=1.2.3", ">=01.0", "> =1.0", "**", "2.0,", ">=1.0;<2.0", ">=1.0<2.0", ">=1000000000.0" })
	void whatIsNoneIsRefusedWithTheWordsToWrite(String text) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> VersionRange.parse(text))
			.withMessageContaining("'versions' must be *, a version such as 2.0, or bounds such as >=1.0 <3.0")
			.withMessageContaining("only >= and <")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("versions"));
	}

	@ParameterizedTest
	@ValueSource(strings = { ">=2.0 <2.0", ">=3.0 <1.0", "<0.0" })
	void whatHasNoVersionInItIsRefused(String text) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> VersionRange.parse(text))
			.withMessageContaining("must have a version in it");
	}

	/** Against all versions up to 4.4, one by one. */
	@Test
	void agreesWithWhatItsBoundsSay() {
		Random random = new Random(29);
		List<JobVersion> all = new ArrayList<>();
		for (int major = 0; major < 5; major++) {
			for (int minor = 0; minor < 5; minor++) {
				all.add(new JobVersion(major, minor));
			}
		}
		int overlaps = 0;
		for (int i = 0; i < 5000; i++) {
			Sample one = Sample.random(random, all);
			Sample other = Sample.random(random, all);
			VersionRange first = VersionRange.parse(one.text());
			VersionRange second = VersionRange.parse(other.text());
			assertThat(all.stream().filter(first::contains)).as(one.text())
				.containsExactlyElementsOf(all.stream().filter(one.in()).toList());
			assertThat(VersionRange.parse(first.toString())).isEqualTo(first);
			boolean common = all.stream().anyMatch((version) -> one.in().test(version) && other.in().test(version));
			assertThat(first.overlaps(second)).as("%s and %s", first, second)
				.isEqualTo(second.overlaps(first))
				.isEqualTo(common);
			if (!first.overlaps(second)) {
				assertThat(first.compareTo(second) < 0).isEqualTo(first.from().compareTo(second.from()) < 0);
			}
			overlaps += common ? 1 : 0;
		}
		assertThat(overlaps).isBetween(500, 4500);
	}

	/** Nothing that it does not refuse is read as something else than was written. */
	@Test
	void textThatIsNotQuiteARangeIsRefusedOrMeansTheSame() {
		Random random = new Random(31);
		int read = 0;
		for (int i = 0; i < 20_000; i++) {
			StringBuilder text = new StringBuilder(">=1.0 <3.0");
			for (int changes = random.nextInt(3); changes >= 0; changes--) {
				int at = random.nextInt(text.length());
				switch (random.nextInt(3)) {
					case 0 -> text.deleteCharAt(at);
					case 1 -> text.insert(at, "01239. <>=,*^".charAt(random.nextInt(13)));
					default -> text.setCharAt(at, "01239. <>=,*^".charAt(random.nextInt(13)));
				}
				if (text.isEmpty()) {
					text.append('*');
				}
			}
			try {
				VersionRange range = VersionRange.parse(text.toString());
				assertThat(VersionRange.parse(range.toString())).isEqualTo(range);
				assertThat(range.contains(range.from())).isTrue();
				assertThat(range.before() == null || !range.contains(range.before())).isTrue();
				read++;
			}
			catch (InvalidJobException ex) {
				assertThat(ex.field()).isIn("versions", "version");
			}
		}
		assertThat(read).isBetween(100, 15_000);
	}

	/**
	 * A range as somebody may write it, and what it means.
	 */
	private record Sample(String text, Predicate<JobVersion> in) {

		static Sample random(Random random, List<JobVersion> all) {
			JobVersion low = all.get(random.nextInt(all.size() - 1));
			JobVersion high = all.get(all.indexOf(low) + 1 + random.nextInt(all.size() - all.indexOf(low) - 1));
			Predicate<JobVersion> from = (version) -> version.compareTo(low) >= 0;
			Predicate<JobVersion> before = (version) -> version.compareTo(high) < 0;
			String between = new String[] { " ", ",", ", ", "  " }[random.nextInt(4)];
			return switch (random.nextInt(6)) {
				case 0 -> new Sample("*", (version) -> true);
				case 1 -> new Sample(low.toString(), low::equals);
				case 2 -> new Sample(">=" + low, from);
				case 3 -> new Sample("<" + high, before);
				case 4 -> new Sample("<" + high + between + ">=" + low, from.and(before));
				default -> new Sample(">=" + low + between + "<" + high, from.and(before));
			};
		}

	}

}
