package io.ojs.internal.unique;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Numbers as ECMAScript writes them (RFC 8785 §3.2.2.3, appendix B).
 */
class DecimalNumberTests {

	@ParameterizedTest
	@CsvSource({ "0000000000000000, 0", "8000000000000000, 0", "0000000000000001, 5e-324", "8000000000000001, -5e-324",
			"7fefffffffffffff, 1.7976931348623157e+308", "ffefffffffffffff, -1.7976931348623157e+308",
			"4340000000000000, 9007199254740992", "c340000000000000, -9007199254740992",
			"4430000000000000, 295147905179352830000", "44b52d02c7e14af5, 9.999999999999997e+22",
			"44b52d02c7e14af6, 1e+23", "44b52d02c7e14af7, 1.0000000000000001e+23",
			"444b1ae4d6e2ef4e, 999999999999999700000", "444b1ae4d6e2ef4f, 999999999999999900000",
			"444b1ae4d6e2ef50, 1e+21", "3eb0c6f7a0b5ed8c, 9.999999999999997e-7", "3eb0c6f7a0b5ed8d, 0.000001",
			"41b3de4355555553, 333333333.3333332", "41b3de4355555554, 333333333.33333325",
			"41b3de4355555555, 333333333.3333333", "41b3de4355555556, 333333333.3333334",
			"41b3de4355555557, 333333333.33333343", "becbf647612f3696, -0.0000033333333333333333",
			"43143ff3c1cb0959, 1424953923781206.2", "3d30000000000000, 5.684341886080802e-14" })
	void shortestNumberOfADouble(String bits, String expected) {
		double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
		assertThat(DecimalNumber.shortest(value)).hasToString(expected);
	}

	@Test
	void shortestNumberIsReadAsTheSameDoubleAndNoShorterOneIs() {
		Random random = new Random(8785);
		// Every other one is next to zero.
		Stream.iterate(0, (i) -> 1 - i)
			.map((i) -> Double.longBitsToDouble(random.nextLong() >>> i * random.nextInt(10, 64)))
			.filter(Double::isFinite)
			.limit(10_000)
			.forEach((value) -> {
				DecimalNumber shortest = DecimalNumber.shortest(value);
				assertThat(Double.parseDouble(shortest.toString())).isEqualTo(value);
				assertThat(DecimalNumber.of(new BigDecimal(Double.toString(value))).digits().length())
					.isGreaterThanOrEqualTo(shortest.digits().length());
				assertThat(shortest.ofDouble()).isEqualTo(shortest);
				BigDecimal seventeen = new BigDecimal(value).round(new MathContext(17, RoundingMode.HALF_EVEN));
				assertThat(DecimalNumber.of(seventeen).ofDouble()).isEqualTo(shortest);
			});
	}

	@Test
	void numberOfOneDigitNextToZeroIsTheNearestThatIsReadAsTheDouble() {
		for (int i = 1; i <= 2000; i++) {
			double value = i * Double.MIN_VALUE;
			DecimalNumber shortest = DecimalNumber.shortest(value);
			BigDecimal exact = new BigDecimal(value);
			BigDecimal found = new BigDecimal(shortest.toString());
			int length = shortest.digits().length();
			for (int digits = 1; digits <= length; digits++) {
				for (RoundingMode mode : new RoundingMode[] { RoundingMode.DOWN, RoundingMode.UP }) {
					BigDecimal other = exact.round(new MathContext(digits, mode));
					if (other.doubleValue() == value) {
						assertThat(digits).as("digits of %s", other).isEqualTo(length);
						assertThat(found.subtract(exact).abs()).as("from %s", other)
							.isLessThanOrEqualTo(other.subtract(exact).abs());
					}
				}
			}
		}
	}

	@Test
	void firstDigitsRoundAsTheWholeNumberDoes() {
		Random random = new Random(754);
		Stream<Double> any = Stream.generate(() -> Double.longBitsToDouble(random.nextLong() >>> random.nextInt(64)))
			.filter(Double::isFinite)
			.limit(20_000);
		Stream<Double> ends = Stream.of(0.0, 0.5, -0.1, 1e22, 1e23, Double.MIN_VALUE, -Double.MIN_NORMAL,
				Double.MAX_VALUE, Math.nextDown(1.0), 0x1p-1022 + Double.MIN_VALUE);
		Stream.concat(any, ends).forEach((value) -> {
			BigDecimal leading = PowersOfTwo.leading(value, 34);
			for (int digits : new int[] { 1, 2, 15, 16, 17, 30 }) {
				for (RoundingMode mode : new RoundingMode[] { RoundingMode.HALF_EVEN, RoundingMode.DOWN,
						RoundingMode.UP }) {
					MathContext context = new MathContext(digits, mode);
					assertThat(leading.round(context)).as("%s to %s", value, context)
						.isEqualByComparingTo(new BigDecimal(value).round(context));
				}
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "9007199254740993", "-9007199254740993", "123456789012345678.9",
			"0.1000000000000000055511151231257827", "333333333.33333329", "1e400", "1e-400", "-1e2147483647",
			"100e2147483647", "1e-2147483647", "1.7976931348623159e308", "4.9e-324" })
	void noDoubleHoldsThese(String text) {
		assertThat(DecimalNumber.of(new BigDecimal(text)).ofDouble()).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "9007199254740994, 9007199254740994", "1.50, 1.5", "150, 150", "1e20, 100000000000000000000",
			"123456789012345e6, 123456789012345000000", "1e21, 1e+21", "12e20, 1.2e+21", "0.000001, 0.000001",
			"0.0000001, 1e-7", "-0.00, 0", "0e99, 0", "-12.5, -12.5", "5e-324, 5e-324",
			"4.9406564584124654e-324, 5e-324", "0.10000000000000001, 0.1",
			"5.6843418860808015e-14, 5.684341886080802e-14" })
	void numbersThatADoubleHoldsHaveOneForm(String text, String expected) {
		assertThat(DecimalNumber.of(new BigDecimal(text)).ofDouble()).hasToString(expected);
	}

}
