package io.ojs.job;

import java.util.Map;
import java.util.Random;

import io.ojs.job.internal.VersionKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Versions of jobs, and how requests carry them (OJS Job Versioning §5).
 */
class JobVersionTests {

	@ParameterizedTest
	@CsvSource({ "2.0, 2, 0", "2, 2, 0", "0.0, 0, 0", "0, 0, 0", "10.27, 10, 27",
			"999999999.999999999, 999999999, 999999999" })
	void isRead(String text, int major, int minor) {
		assertThat(JobVersion.parse(text)).isEqualTo(new JobVersion(major, minor));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "v2", "2.", ".5", "1.2.3", "01.0", "1.00", "-1", "+1", "1,0", "2.0 ", "1e3",
			"٢.٠", "1000000000.0", "0.1000000000", "99999999999999999999", "*", "latest", "2.0\n" })
	void whatIsNoneIsRefusedWithItsFieldAndTheFix(String text) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> JobVersion.parse(text))
			.withMessageContaining("'version' must be a version")
			.withMessageContaining("\"2.0\"")
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo("version"));
	}

	@Test
	void isAStringOrAWholeNumber() {
		assertThat(JobVersion.of(null)).isNull();
		assertThat(JobVersion.of(3)).isEqualTo(JobVersion.of("3.0")).isEqualTo(JobVersion.of("3"));
		for (Object value : new Object[] { 2.0, 2L, -1, true, new Object[0] }) {
			assertThatExceptionOfType(InvalidJobException.class).as(String.valueOf(value))
				.isThrownBy(() -> JobVersion.of(value));
		}
	}

	@Test
	void textAndNumberComeBackAndKeepTheOrder() {
		Random random = new Random(11);
		for (int i = 0; i < 2000; i++) {
			JobVersion one = random(random);
			JobVersion other = random(random);
			assertThat(JobVersion.parse(one.toString())).isEqualTo(one);
			assertThat(VersionKey.version(VersionKey.of(one))).isEqualTo(one);
			int expected = (one.major() != other.major()) ? Integer.compare(one.major(), other.major())
					: Integer.compare(one.minor(), other.minor());
			assertThat(one.compareTo(other)).isEqualTo(expected);
		}
	}

	private static JobVersion random(Random random) {
		int bound = random.nextBoolean() ? 3 : 1_000_000_000;
		return new JobVersion(random.nextInt(bound), random.nextInt(bound));
	}

	@Test
	void standsBehindTheTypeOrInAFieldThatWins() {
		JobRequest behind = JobRequest.of("invoice.generate@2.0", 1);
		assertThat(behind.type()).isEqualTo("invoice.generate");
		assertThat(behind).isEqualTo(JobRequest.of("invoice.generate", 1).version("2.0"));
		assertThat(behind.version("3.1").extensions()).containsEntry("version", "3.1");
		assertThat(behind.extension("version", null).queue("q").extensions()).as("said to have none")
			.containsEntry("version", null);
		assertThat(JobRequest.of("invoice.generate").extensions()).doesNotContainKey("version");
		assertThat(JobRequest.of("a@").extensions()).containsEntry("version", "");
		assertThat(JobRequest.of("a@1@2").extensions()).containsEntry("version", "1@2");
	}

	@Test
	void aJobTellsIt() {
		JobBuilder job = Job.builder("019461a8-1a2b-7c3d-8e4f-5a6b7c8d9e0f", "a.b", "q");
		assertThat(job.build().version()).isNull();
		assertThat(job.extensions(Map.of("version", 2)).build().version()).isEqualTo(new JobVersion(2, 0));
	}

}
