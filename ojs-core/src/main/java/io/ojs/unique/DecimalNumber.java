package io.ojs.unique;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.NumberInput;
import tools.jackson.core.io.schubfach.DoubleToDecimal;

/**
 * A number as ECMAScript writes it, which is what RFC 8785 §3.2.2.3 asks for. Digits and
 * exponent instead of a {@link BigDecimal}: its own normal form overflows at exponents
 * that JSON can have.
 *
 * @param negative whether it is below zero
 * @param digits without zeros at either end; {@code "0"} for zero, which has no sign
 * @param point where the decimal point stands, counted from before the first digit
 */
record DecimalNumber(boolean negative, String digits, long point) {

	/** As many digits as tell any two doubles apart. */
	private static final int MAX_DIGITS = 17;

	/** No two numbers with so few digits are one double. */
	private static final int SAFE_DIGITS = 15;

	/**
	 * As long as they are not next to zero, where doubles are less exact, or infinity.
	 */
	private static final int SAFE_EXPONENT = 306;

	/** Above it, a number of one digit and one of two are never the same double. */
	private static final double LARGEST_OF_ONE_DIGIT = 1000 * Double.MIN_VALUE;

	/** No double is anywhere near. */
	private static final int MAX_EXPONENT = 400;

	/** More digits than are asked about. */
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
	 * This number as RFC 8785 writes it, if it is what somebody wrote for a double: the
	 * shortest number that is read as it, or the one of 17 digits.
	 * @return the number; {@code null} if no double was meant, or could hold it
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
	 * The shortest number that is read as a double, and of those the nearest to it.
	 * {@link Double#toString} gives longer ones before Java 19. As Java has it since
	 * then, it has at least two digits, although next to zero one may do.
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
