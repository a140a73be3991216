package io.ojs.boot.it;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which cells of the matrix a build tries.
 */
class MatrixPartsTests {

	@Test
	void eachPairOfExtensionsIsACell() {
		assertThat(MatrixAxis.values()).hasSize(15);
		assertThat(MatrixParts.all()).hasSize(120).doesNotHaveDuplicates().containsAll(MatrixAxis.MARKED);
	}

	@Test
	void eachExtensionIsInTheCellsOfEveryBuild() {
		for (int part = -MatrixParts.COUNT; part <= MatrixParts.COUNT; part++) {
			Set<String> cells = MatrixParts.part(part);
			assertThat(MatrixParts.all()).containsAll(cells);
			assertThat(cells).as("part %d", part).hasSizeBetween(20, 27).containsAll(MatrixAxis.MARKED);
			assertThat(MatrixAxis.values()).as("part %d", part)
				.allSatisfy((axis) -> assertThat(cells.stream().filter((cell) -> has(cell, axis))).as(axis.name())
					.hasSizeGreaterThanOrEqualTo(2));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 7, 14, 0xfffff9 })
	void eightPartsInARowHaveAllCells(int first) {
		Set<String> cells = new HashSet<>();
		for (int i = 0; i < 8; i++) {
			cells.addAll(MatrixParts.part(first + i));
		}
		assertThat(cells).hasSize(120);
	}

	private static boolean has(String cell, MatrixAxis axis) {
		return Arrays.asList(cell.split("\\+")).contains(axis.name());
	}

}
