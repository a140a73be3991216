package io.ojs.benchmark.page;

import java.util.Arrays;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.contender.Contenders.Uses;
import io.ojs.benchmark.contender.Way;

/** What is known about contenders by their names in results. */
final class Titles {

	private Titles() {
	}

	/** The name itself for one that is no contender any more, or none of these. */
	static String of(String contender) {
		return Arrays.stream(Contenders.values())
			.filter((each) -> each.name().equals(contender))
			.map(Contenders::title)
			.findFirst()
			.orElse(contender);
	}

	static boolean brokerOnly(String contender) {
		return Arrays.stream(Contenders.values())
			.anyMatch((each) -> each.name().equals(contender) && each.uses() == Uses.BROKER);
	}

	/** Whether it can, as far as is known. */
	static boolean can(String contender, Way way) {
		return Arrays.stream(Contenders.values())
			.noneMatch((each) -> each.name().equals(contender) && !each.ways().contains(way));
	}

}
