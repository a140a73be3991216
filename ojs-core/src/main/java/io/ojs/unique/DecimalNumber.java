package io.ojs.unique;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;

import org.jspecify.annotations.Nullable;

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

	/** No double is anywhere near. */
	private static final int MAX_EXPONENT = 400;

	/** More digits than are asked about. */
	private static final int LEADING_DIGITS = 2 * MAX_DIGITS;

	/** Of those numbers with so many digits that are near, the nearest comes first. */
	private static final List<RoundingMode> NEAREST_FIRST = List.of(RoundingMode.HALF_EVEN, RoundingMode.DOWN,
			RoundingMode.UP);

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
		double nearest = Double.parseDouble(toString());
		if (!Double.isFinite(nearest)) {
			return null;
		}
		BigDecimal exact = leading(new BigDecimal(nearest));
		DecimalNumber shortest = shortest(exact, nearest, this.digits.length());
		return (equals(shortest) || equals(rounded(exact, MAX_DIGITS))) ? shortest : null;
	}

	/**
	 * The shortest number that is read as a double, and of those the nearest to it.
	 * {@link Double#toString} gives longer ones before Java 19, and never less than two
	 * digits.
	 */
	static DecimalNumber shortest(double value) {
		return shortest(leading(new BigDecimal(value)), value, MAX_DIGITS);
	}

	/** The same of a double for which a number of some length is known. */
	private static DecimalNumber shortest(BigDecimal exact, double value, int most) {
		// Far from the ends, no two numbers of 15 digits are one double: if a shorter one
		// is that double, it is found here, with zeros behind it.
		int low = Math.min(most, (Math.abs(of(exact).point()) <= SAFE_EXPONENT) ? SAFE_DIGITS : 1);
		int high = most;
		// A double that some number of a length is read as has numbers of all greater
		// lengths, so halving finds the least.
		while (low < high) {
			int length = (low + high) / 2;
			if (nearest(exact, length, value) != null) {
				high = length;
			}
			else {
				low = length + 1;
			}
		}
		DecimalNumber found = nearest(exact, high, value);
		return (found != null) ? found : rounded(exact, MAX_DIGITS);
	}

	private static @Nullable DecimalNumber nearest(BigDecimal exact, int length, double value) {
		for (RoundingMode mode : NEAREST_FIRST) {
			BigDecimal shorter = exact.round(new MathContext(length, mode));
			if (shorter.doubleValue() == value) {
				return of(shorter);
			}
		}
		return null;
	}

	/**
	 * Doubles next to zero have hundreds of digits. The first ones, and one more that
	 * says whether there are others, round to the same.
	 */
	private static BigDecimal leading(BigDecimal exact) {
		if (exact.precision() <= LEADING_DIGITS) {
			return exact;
		}
		BigDecimal leading = exact.round(new MathContext(LEADING_DIGITS, RoundingMode.DOWN));
		BigDecimal rest = leading.ulp().movePointLeft(1);
		return (leading.compareTo(exact) == 0) ? leading : leading.add((exact.signum() < 0) ? rest.negate() : rest);
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
