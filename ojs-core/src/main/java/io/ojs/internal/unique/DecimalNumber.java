package io.ojs.internal.unique;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.NumberInput;
import tools.jackson.core.io.schubfach.DoubleToDecimal;

/**
 * A number in the notation of ECMAScript, which RFC 8785 §3.2.2.3 requires. Has digits
 * and an exponent instead of a {@link BigDecimal}, whose own normal form overflows at
 * exponents that JSON allows.
 *
 * @param negative whether the number is below zero
 * @param digits the digits without zeros at either end; {@code "0"} for zero, which has
 * no sign
 * @param point the position of the decimal point, counted from before the first digit
 */
record DecimalNumber(boolean negative, String digits, long point) {

	/** So many digits distinguish any two doubles. */
	private static final int MAX_DIGITS = 17;

	/** Two different numbers with at most so many digits are never the same double. */
	private static final int SAFE_DIGITS = 15;

	/**
	 * The bound of exponents for that: near zero doubles are less exact, and beyond it is
	 * infinity.
	 */
	private static final int SAFE_EXPONENT = 306;

	/**
	 * Above this value, a number of one digit and another of two are never the same
	 * double.
	 */
	private static final double LARGEST_OF_ONE_DIGIT = 1000 * Double.MIN_VALUE;

	/** Far beyond the exponents of doubles. */
	private static final int MAX_EXPONENT = 400;

	/** More digits than are compared. */
	private static final int LEADING_DIGITS = 2 * MAX_DIGITS;

	/** ECMAScript writes numbers from 1e-6 to below 1e21 without an exponent. */
	private static final int LARGEST_PLAIN = 21;

	private static final int SMALLEST_PLAIN = -6;

	static DecimalNumber of(BigDecimal value) {
		String all = value.unscaledValue().abs().toString();
		int end = all.length();
		while (end > 1 && all.charAt(end - 1) == '0') {
			end--;
		}
		String digits = all.substring(0, end);
		return digits.equals("0") ? new DecimalNumber(false, digits, 1)
				: new DecimalNumber(value.signum() < 0, digits, (long) all.length() - value.scale());
	}

	/**
	 * This number as RFC 8785 writes it, if it is a usual notation of a double: the
	 * shortest number that is read as the double, or the one with 17 digits.
	 * @return the number; {@code null} if it is no such notation, or no double can
	 * represent it
	 */
	@Nullable DecimalNumber ofDouble() {
		if (this.digits.length() <= SAFE_DIGITS && Math.abs(this.point) <= SAFE_EXPONENT) {
			return this;
		}
		if (this.digits.length() > MAX_DIGITS || Math.abs(this.point) > MAX_EXPONENT) {
			return null;
		}
		double nearest = NumberInput.parseDouble(toString(), true);
		if (!Double.isFinite(nearest)) {
			return null;
		}
		DecimalNumber shortest = shortest(nearest);
		return (equals(shortest) || equals(rounded(PowersOfTwo.leading(nearest, LEADING_DIGITS), MAX_DIGITS)))
				? shortest : null;
	}

	/**
	 * The shortest number that is read as a double; of several, the nearest to it.
	 * {@link Double#toString} returns longer ones before Java 19. Since then, it has at
	 * least two digits, although one digit can be enough near zero.
	 */
	static DecimalNumber shortest(double value) {
		DecimalNumber found = of(new BigDecimal(DoubleToDecimal.toString(value)));
		if (found.digits.length() != 2 || Math.abs(value) > LARGEST_OF_ONE_DIGIT) {
			return found;
		}
		int first = found.digits.charAt(0) - '0';
		boolean up = found.digits.charAt(1) >= '5';
		for (int digit : new int[] { up ? first + 1 : first, up ? first : first + 1 }) {
			String shorter = digit + "e" + (found.point - 1);
			if (NumberInput.parseDouble(shorter, true) == Math.abs(value)) {
				DecimalNumber positive = of(new BigDecimal(shorter));
				return new DecimalNumber(found.negative, positive.digits, positive.point);
			}
		}
		return found;
	}

	private static DecimalNumber rounded(BigDecimal exact, int length) {
		return of(exact.round(new MathContext(length, RoundingMode.HALF_EVEN)));
	}

	@Override
	public String toString() {
		return (this.negative ? "-" : "") + unsigned();
	}

	private String unsigned() {
		int length = this.digits.length();
		if (this.point > LARGEST_PLAIN || this.point <= SMALLEST_PLAIN) {
			long exponent = this.point - 1;
			String mantissa = (length == 1) ? this.digits : this.digits.charAt(0) + "." + this.digits.substring(1);
			return mantissa + "e" + ((exponent < 0) ? "-" : "+") + Math.abs(exponent);
		}
		int at = (int) this.point;
		if (at <= 0) {
			return "0." + "0".repeat(-at) + this.digits;
		}
		return (length <= at) ? this.digits + "0".repeat(at - length)
				: this.digits.substring(0, at) + "." + this.digits.substring(at);
	}

}
