package io.ojs.benchmark.page;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Formats figures for readers. */
final class Figures {

	/** What stands where a figure is missing. */
	static final String NOT_MEASURED = "not measured";

	private Figures() {
	}

	/** Three digits are as much as such measurements are worth. */
	static String number(double value) {
		BigDecimal rounded = new BigDecimal(value).round(new MathContext(3));
		if (rounded.abs().doubleValue() >= 1_000) {
			return String.format(Locale.ROOT, "%,d", rounded.longValue());
		}
		if (rounded.abs().doubleValue() < 0.001) {
			return "0";
		}
		return rounded.stripTrailingZeros().toPlainString();
	}

	static String median(Series series) {
		return series.isEmpty() ? NOT_MEASURED : number(series.median());
	}

	/** The median and, of several rounds, what lies around it. */
	static String spread(Series series) {
		if (series.rounds().size() < 2) {
			return median(series);
		}
		return "%s (%s–%s)".formatted(number(series.median()), number(series.lowest()), number(series.highest()));
	}

}
