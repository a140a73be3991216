package io.ojs.internal.unique;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Computes the leading digits of doubles. Doubles near zero have hundreds of digits, and
 * to write all of them takes a hundred times as long as to read a number.
 */
final class PowersOfTwo {

	private static final int SMALLEST = Double.MIN_EXPONENT - 52;

	private static final int LARGEST = Double.MAX_EXPONENT - 52;

	private static final int DIGITS = 70;

	/**
	 * How many digits are correct: each of a thousand steps can be wrong in the last
	 * digit.
	 */
	private static final int RIGHT = 60;

	private static final BigDecimal[] POWERS = powers();

	private PowersOfTwo() {
	}

	private static BigDecimal[] powers() {
		BigDecimal[] powers = new BigDecimal[LARGEST - SMALLEST + 1];
		MathContext context = new MathContext(DIGITS, RoundingMode.HALF_EVEN);
		BigDecimal two = BigDecimal.valueOf(2);
		BigDecimal half = new BigDecimal("0.5");
		powers[-SMALLEST] = BigDecimal.ONE;
		for (int exponent = 1; exponent <= LARGEST; exponent++) {
			powers[exponent - SMALLEST] = powers[exponent - 1 - SMALLEST].multiply(two, context);
		}
		for (int exponent = -1; exponent >= SMALLEST; exponent--) {
			powers[exponent - SMALLEST] = powers[exponent + 1 - SMALLEST].multiply(half, context);
		}
		return powers;
	}

	/**
	 * The leading digits of a double, and one more digit, which is 0 only if all others
	 * are. So the result rounds as the double itself does.
	 * @param digits how many; far fewer than are known
	 */
	static BigDecimal leading(double value, int digits) {
		BigDecimal leading = leading(product(value), digits, RIGHT);
		return (leading != null) ? leading : Objects.requireNonNull(leading(new BigDecimal(value), digits, 0));
	}

	/**
	 * Returns {@code null} if the correct digits do not tell whether the others are all
	 * 0.
	 */
	private static @Nullable BigDecimal leading(BigDecimal known, int digits, int right) {
		int others = known.precision() - digits;
		if (others <= 0) {
			return (right == 0) ? known : null;
		}
		BigInteger unit = BigInteger.TEN.pow(others);
		BigInteger[] parts = known.unscaledValue().abs().divideAndRemainder(unit);
		if (right > 0) {
			BigInteger doubt = BigInteger.TEN.pow(Math.max(0, known.precision() - right));
			if (parts[1].compareTo(doubt) < 0 || parts[1].compareTo(unit.subtract(doubt)) > 0) {
				return null;
			}
		}
		BigInteger leading = parts[0].multiply(BigInteger.TEN).add(BigInteger.valueOf(parts[1].signum()));
		return new BigDecimal((known.signum() < 0) ? leading.negate() : leading, known.scale() - others + 1);
	}

	private static BigDecimal product(double value) {
		long bits = Double.doubleToLongBits(Math.abs(value));
		int exponent = (int) (bits >> 52);
		long mantissa = bits & (1L << 52) - 1;
		if (exponent > 0) {
			mantissa |= 1L << 52;
			exponent--;
		}
		return BigDecimal.valueOf((value < 0) ? -mantissa : mantissa).multiply(POWERS[exponent]);
	}

}
