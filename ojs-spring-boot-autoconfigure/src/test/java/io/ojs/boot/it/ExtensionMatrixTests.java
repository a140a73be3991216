package io.ojs.boot.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two extensions at once, all of them (OJS Extension Interactions §3): an application has
 * jobs that work, recover and die, and both extensions do what they are for. Each build
 * has a fifth of the cells, and those that the document marks;
 * {@code -Dojs.test.matrix=all} has all 120, {@code -Dojs.test.matrix=WF+GS} one.
 */
class ExtensionMatrixTests extends BrokerTest {

	private static final String WANTED = System.getProperty("ojs.test.matrix", "some");

	/** Of the cells that are not marked, one in so many is for every build. */
	private static final int ONE_IN = 8;

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void bothDoWhatTheyAreFor(String cell) {
		String[] axes = cell.split("\\+");
		try (MatrixCell both = new MatrixCell(uri(), client(), MatrixAxis.valueOf(axes[0]),
				MatrixAxis.valueOf(axes[1]))) {
			both.live();
		}
	}

	static List<String> bothDoWhatTheyAreFor() {
		return switch (WANTED) {
			case "all" -> all();
			case "some" -> some();
			default -> List.of(WANTED.split(","));
		};
	}

	@Test
	void eachExtensionIsInTheCellsOfEveryBuild() {
		assertThat(all()).hasSize(120).containsAll(MatrixAxis.MARKED).containsAll(some());
		assertThat(MatrixAxis.values()).hasSize(15)
			.allSatisfy((axis) -> assertThat(some().stream().filter((cell) -> has(cell, axis))).as(axis.name())
				.hasSizeGreaterThanOrEqualTo(2));
	}

	private static boolean has(String cell, MatrixAxis axis) {
		return Arrays.asList(cell.split("\\+")).contains(axis.name());
	}

	/** The matrix is symmetric: half of it, and the diagonal. */
	private static List<String> all() {
		List<String> cells = new ArrayList<>();
		for (MatrixAxis one : MatrixAxis.values()) {
			Stream.of(MatrixAxis.values())
				.filter((other) -> other.compareTo(one) >= 0)
				.forEach((other) -> cells.add(one + "+" + other));
		}
		return cells;
	}

	private static List<String> some() {
		List<String> rest = new ArrayList<>(all());
		rest.removeAll(MatrixAxis.MARKED);
		List<String> cells = new ArrayList<>(MatrixAxis.MARKED);
		for (int i = 0; i < rest.size(); i += ONE_IN) {
			cells.add(rest.get(i));
		}
		return cells;
	}

}
