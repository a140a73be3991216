package io.ojs.internal.unique;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.InvalidJobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The canonical form of RFC 8785, and where OJS Unique Jobs §4 goes beyond it.
 */
class CanonicalJsonTests {

	private final JsonMapper mapper = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	@Test
	void exampleOfTheRfc() {
		// Its first number ends in 29, which no double is written as: see below.
		assertThat(canonical("""
				{
				  "numbers": [333333333.33333331, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
				  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
				  "literals": [null, true, false]
				}"""))
			.isEqualTo("{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
					+ "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
	}

	@Test
	void namesAreSortedByUtf16CodeUnitsAtEveryLevel() {
		// RFC 8785 §3.2.3; U+FB33, which NFC takes apart, is its only name that is
		// changed.
		String json = "{\"\\u20ac\":1,\"\\r\":2,\"1\":3,\"\\ud83d\\ude00\":4,\"\\u0080\":5,\"\\u00f6\":{\"b\":[{\"d\":1,\"c\":2}],\"a\":0},\"\":7}";
		assertThat(canonical(json)).isEqualTo(
				"{\"\":7,\"\\r\":2,\"1\":3,\"\u0080\":5,\"ö\":{\"a\":0,\"b\":[{\"c\":2,\"d\":1}]},\"€\":1,\"😀\":4}");
		assertThat(canonical("{\"\\ud83d\\ude00\":1,\"\\uff5e\":2}")).isEqualTo("{\"😀\":1,\"～\":2}");
	}

	@Test
	void controlCharactersAreEscapedAndNothingElseIs() {
		assertThat(CanonicalJson.write("f", "\b\t\n\f\r\u0000\u001f\u007f\u2028/<'\"\\"))
			.isEqualTo("\"\\b\\t\\n\\f\\r\\u0000\\u001f\u007f\u2028/<'\\\"\\\\\"");
	}

	@Test
	void spellingMakesNoDifference() {
		assertThat(canonical("[1, 1.0, 1e0, 10E-1, 0.1e+1]")).isEqualTo("[1,1,1,1,1]");
		assertThat(canonical("[0, -0, -0.0, 0e5]")).isEqualTo("[0,0,0,0]");
		assertThat(canonical("[1e21, 1000000000000000000000, 1e20, 100000000000000000000]"))
			.isEqualTo("[1e+21,1e+21,100000000000000000000,100000000000000000000]");
		assertThat(canonical("[\"\\u00e9\", \"é\", \"e\\u0301\"]")).isEqualTo("[\"é\",\"é\",\"é\"]");
		assertThat(canonical("{\"e\\u0301\":1}")).isEqualTo("{\"é\":1}");
		assertThat(canonical("[\"\\u212b\", \"A\\u030a\"]")).isEqualTo("[\"Å\",\"Å\"]");
	}

	@Test
	void allKindsOfNumbersHaveOneForm() {
		assertThat(CanonicalJson.write("f",
				List.of(5, 5L, (short) 5, 5.0, 5f, new BigDecimal("5.00"), BigInteger.valueOf(5))))
			.isEqualTo("[5,5,5,5,5,5,5]");
		assertThat(CanonicalJson.write("f", List.of(0.1, 0.1f, new BigDecimal("0.10")))).isEqualTo("[0.1,0.1,0.1]");
	}

	@Test
	void numbersThatNoDoubleHoldsAreKeptApart() {
		assertThat(CanonicalJson.write("f", List.of(9007199254740992L, 9007199254740993L, 9007199254740994L)))
			.isEqualTo("[9007199254740992,\"9007199254740993\",9007199254740994]");
		assertThat(CanonicalJson.write("f", List.of(Long.MAX_VALUE, Long.MAX_VALUE - 1)))
			.isEqualTo("[\"9223372036854775807\",\"9223372036854775806\"]");
		assertThat(canonical("[333333333.33333329, 0.1, 0.10000000000000000001, 1e400, 1e401, 1e-400, 0]"))
			.isEqualTo("[\"333333333.33333329\",0.1,\"0.10000000000000000001\",\"1e+400\",\"1e+401\",\"1e-400\",0]");
	}

	@Test
	void namesThatAreOneInNfcAreRefused() {
		Map<String, Object> twice = new LinkedHashMap<>(Map.of("\u00e9", 1));
		twice.put("e\u0301", 2);
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> CanonicalJson.write("unique", Map.of("args", List.of(twice))))
			.withMessageContainingAll("'unique.args[0]'", "NFC", "é");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud83d", "a\ude00", "\ude00\ud83d", "\ud83dx" })
	void halfASurrogatePairIsRefused(String text) {
		// As bytes, all of them would be the same question mark.
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> CanonicalJson.write("f", List.of(text)))
			.withMessageContainingAll("'f[0]'", "surrogate");
	}

	@Test
	void whatIsNotJsonsOwnIsRefused() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> CanonicalJson.write("f", Double.NaN))
			.withMessageContainingAll("'f'", "finite", "NaN");
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> CanonicalJson.write("f", List.of(this)))
			.withMessageContainingAll("'f[0]'", "CanonicalJsonTests");
	}

	private String canonical(String json) {
		return CanonicalJson.write("f", this.mapper.readValue(json, Object.class));
	}

}
