package io.ojs.benchmark.page;

import java.util.Locale;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Scenario;

/**
 * What is looked into where a target does not hold.
 *
 * @param contender who
 * @param scenario doing what
 * @param part in which way, where the scenario has several
 */
public record Profile(Contenders contender, Scenario scenario, String part) {

	static Profile throughput(Contenders contender, String part) {
		return new Profile(contender, Scenario.THROUGHPUT, part);
	}

	static Profile of(Contenders contender, Scenario scenario) {
		return new Profile(contender, scenario, "");
	}

	/**
	 * By which files know it.
	 * @return the key
	 */
	public String key() {
		String what = this.part.isEmpty() ? this.scenario.name() : this.part;
		return (this.contender.name() + "-" + what).toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
