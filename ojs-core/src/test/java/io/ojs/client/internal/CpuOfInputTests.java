package io.ojs.client.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A megabyte of input costs less than 100 ms of CPU time, whatever is in it and wherever
 * it comes in. Measured in a JVM of its own: the one of the tests compiles quickly rather
 * than well, as no application does.
 */
@Tag("costs")
class CpuOfInputTests {

	@Test
	void megabyteCostsLessThanATenthOfASecond() throws Exception {
		Map<String, Double> costs = measured();
		assertThat(costs).hasSize(10 * 12 + 2);
		assertThat(costs).as("ms of CPU time for each MB")
			.allSatisfy((input, millis) -> assertThat(millis).as(input).isLessThan(CpuOfInput.MILLIS_PER_MB));
	}

	private static Map<String, Double> measured() throws IOException, InterruptedException {
		Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), CpuOfInput.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(java.waitFor()).as(output).isZero();
			Map<String, Double> costs = new LinkedHashMap<>();
			output.lines()
				.map((line) -> line.split("\t"))
				.forEach((line) -> costs.put(line[0], Double.valueOf(line[1])));
			return costs;
		}
		finally {
			java.destroyForcibly();
		}
	}

}
