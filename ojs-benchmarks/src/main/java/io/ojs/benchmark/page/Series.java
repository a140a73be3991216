package io.ojs.benchmark.page;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * One figure, in each round in which it was measured.
 *
 * @param rounds the figure by the number of its round
 */
record Series(SortedMap<Integer, Double> rounds) {

	/** What was not measured. */
	static final Series NONE = new Series(new TreeMap<>());

	Series {
		rounds = Collections.unmodifiableSortedMap(new TreeMap<>(rounds));
	}

	boolean isEmpty() {
		return this.rounds.isEmpty();
	}

	/** The one in the middle, or the mean of the two there. */
	double median() {
		List<Double> sorted = this.rounds.values().stream().sorted().toList();
		int half = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
	}

	double lowest() {
		return Collections.min(this.rounds.values());
	}

	double highest() {
		return Collections.max(this.rounds.values());
	}

	/**
	 * Each round by the same round of the other one; a round that only one has is none.
	 */
	Series over(Series other) {
		return with(other, (mine, theirs) -> mine / theirs);
	}

	/** What each round has more than the same round of the other one. */
	Series minus(Series other) {
		return with(other, (mine, theirs) -> mine - theirs);
	}

	Series plus(Series other) {
		return with(other, Double::sum);
	}

	Series map(DoubleUnaryOperator operator) {
		SortedMap<Integer, Double> all = new TreeMap<>();
		this.rounds.forEach((round, value) -> all.put(round, operator.applyAsDouble(value)));
		return new Series(all);
	}

	private Series with(Series other, DoubleBinaryOperator operator) {
		SortedMap<Integer, Double> all = new TreeMap<>();
		for (Map.Entry<Integer, Double> mine : this.rounds.entrySet()) {
			Double theirs = other.rounds.get(mine.getKey());
			if (theirs != null) {
				double value = operator.applyAsDouble(mine.getValue(), theirs);
				if (Double.isFinite(value)) {
					all.put(mine.getKey(), value);
				}
			}
		}
		return new Series(all);
	}

}
