package io.ojs.boot.it;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Points at which a process is killed. Each of them takes a process of its own, and so
 * seconds: one in three is for every build, and all for those who have the time.
 */
final class KillPoints {

	/** One in so many is tried. */
	private static final int ONE_IN = Integer.getInteger("ojs.test.kill-points", FaultRun.FULL ? 1 : 3);

	private KillPoints() {
	}

	/** Whether all are tried. */
	static boolean all() {
		return ONE_IN == 1;
	}

	/** The first, and every so many behind it. */
	@SafeVarargs
	static <T> Stream<T> some(T... points) {
		return IntStream.range(0, points.length).filter((i) -> i % ONE_IN == 0).mapToObj((i) -> points[i]);
	}

	/** How often to kill where it is done again and again. */
	static int atLeastOne(int all) {
		return Math.max(1, all / ONE_IN);
	}

	/**
	 * A test that is tried only where all points are.
	 */
	@Documented
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@EnabledIf("io.ojs.boot.it.KillPoints#all")
	@interface OnlyWithAll {

	}

}
