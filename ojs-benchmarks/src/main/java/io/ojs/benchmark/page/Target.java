package io.ojs.benchmark.page;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What is to be reached.
 *
 * @param key the name by which it is known to files
 * @param text what is compared, for readers
 * @param bound on which side of the limit it has to be
 * @param limit the limit
 * @param unit of the limit, {@code ×} for a ratio
 * @param profile what to look into if it does not hold; none if a profile says nothing
 * @param reached computes it, in each round
 * @param why what stands in the way where it is not reached; none if the limit held
 * whenever it was measured
 */
record Target(String key, String text, Bound bound, double limit, String unit, @Nullable Profile profile,
		Function<Measurements, Series> reached, @Nullable String why) {

	/** The same target, with what stands in its way. */
	Target because(String why) {
		return new Target(this.key, this.text, this.bound, this.limit, this.unit, this.profile, this.reached, why);
	}

	/** How it stands. */
	Verdict verdict(Measurements measurements) {
		Series series = this.reached.apply(measurements);
		if (series.isEmpty()) {
			return Verdict.NOT_MEASURED;
		}
		double median = series.median();
		boolean holds = (this.bound == Bound.AT_LEAST) ? median >= this.limit : median <= this.limit;
		return holds ? Verdict.HOLDS : Verdict.DOES_NOT_HOLD;
	}

	String limitText() {
		return ((this.bound == Bound.AT_LEAST) ? "≥ " : "≤ ") + Figures.number(this.limit) + " " + this.unit;
	}

	/** A side of a limit. */
	enum Bound {

		AT_LEAST, AT_MOST

	}

	/** How a target stands. */
	enum Verdict {

		HOLDS("yes"), DOES_NOT_HOLD("**no**"), NOT_MEASURED(Figures.NOT_MEASURED);

		private final String text;

		Verdict(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}
