package io.ojs.boot.it;

import java.util.Collection;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two extensions at once, all of them (OJS Extension Interactions §3): an application has
 * jobs that work, recover and die, and both extensions do what they are for. Each build
 * has the cells that the document marks, and a part of the others, which
 * {@code -Dojs.test.part} chooses; {@code -Dojs.test.matrix=all} has all 120,
 * {@code -Dojs.test.matrix=WF+GS} one.
 */
class ExtensionMatrixTests extends BrokerTest {

	private static final Logger logger = LoggerFactory.getLogger(ExtensionMatrixTests.class);

	private static final String WANTED = System.getProperty("ojs.test.matrix", "some");

	private static final int PART = Integer.getInteger("ojs.test.part", 0);

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void bothDoWhatTheyAreFor(String cell) {
		String[] axes = cell.split("\\+");
		try (MatrixCell both = new MatrixCell(uri(), client(), MatrixAxis.valueOf(axes[0]),
				MatrixAxis.valueOf(axes[1]))) {
			both.live();
		}
	}

	static Collection<String> bothDoWhatTheyAreFor() {
		return switch (WANTED) {
			case "all" -> MatrixParts.all();
			case "some" -> {
				logger.info("Part {} of the matrix; again with -Dojs.test.part={}", PART, PART);
				yield MatrixParts.part(PART);
			}
			default -> List.of(WANTED.split(","));
		};
	}

}
