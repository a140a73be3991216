package io.ojs.test.broker;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BrokerVersionTests {

	@ParameterizedTest
	@CsvSource({ "3.10.8, 3, 10, true", "3.10.8, 3, 9, true", "3.10.8, 3, 12, false", "3.10.8, 4, 0, false",
			"4.0.5, 3, 13, true", "4.1.0-rc.1, 4, 1, true" })
	void comparesLines(String version, int major, int minor, boolean expected) {
		assertThat(BrokerVersion.parse(version).isAtLeast(major, minor)).isEqualTo(expected);
	}

	@Test
	void refusesWhatIsNoVersion() {
		assertThatIllegalArgumentException().isThrownBy(() -> BrokerVersion.parse("null"))
			.withMessageContaining("'null'");
	}

}
