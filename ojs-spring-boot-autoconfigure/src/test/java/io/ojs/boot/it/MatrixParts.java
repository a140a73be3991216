package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The cells of the matrix, which is symmetric: half of it, and the diagonal. They are cut
 * like the rounds of a tournament: in each round every extension is in one cell. A part
 * has two rounds, so eight parts in a row have all cells.
 */
final class MatrixParts {

	/** How many rounds there are, and how many parts that differ. */
	static final int COUNT = MatrixAxis.values().length;

	private static final int ROUNDS_OF_A_PART = 2;

	private MatrixParts() {
	}

	static List<String> all() {
		List<String> cells = new ArrayList<>();
		for (int round = 0; round < COUNT; round++) {
			cells.addAll(round(round));
		}
		return cells;
	}

	/**
	 * The cells for one build: those that the document marks, and a part of all.
	 * @param number any number; numbers that are the same modulo {@link #COUNT} have the
	 * same cells
	 */
	static Set<String> part(int number) {
		Set<String> cells = new LinkedHashSet<>(MatrixAxis.MARKED);
		int first = Math.floorMod(number, COUNT) * ROUNDS_OF_A_PART;
		for (int i = 0; i < ROUNDS_OF_A_PART; i++) {
			cells.addAll(round((first + i) % COUNT));
		}
		return cells;
	}

	/** The cells whose two ordinals have this sum, modulo how many there are. */
	private static List<String> round(int sum) {
		List<String> cells = new ArrayList<>();
		MatrixAxis[] axes = MatrixAxis.values();
		for (MatrixAxis one : axes) {
			MatrixAxis other = axes[Math.floorMod(sum - one.ordinal(), COUNT)];
			if (other.compareTo(one) >= 0) {
				cells.add(one + "+" + other);
			}
		}
		return cells;
	}

}
