package io.ojs.benchmark.measure;

import java.util.Map;
import java.util.TreeMap;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.contender.Site;

/**
 * What a measured process is to do.
 *
 * @param scenario the scenario
 * @param contender who is measured
 * @param site what it works with
 * @param round which of several runs, from 1
 * @param settings of the measurement, see {@link Measurement#settings()}
 * @param seconds how long each part of it takes, roughly
 * @param backlog how many jobs wait before the work begins, where the scenario has such
 * @param brokerPid the process of the broker, or 0
 * @param databasePid the first process of the database, or 0
 */
public record Task(Scenario scenario, Contenders contender, Site site, int round, Map<String, String> settings,
		double seconds, int backlog, long brokerPid, long databasePid) {

	/**
	 * What was seen.
	 * @param name the scenario, or a part of it
	 * @param figures the figures by name
	 * @return the measurement
	 */
	Measurement measurement(String name, Map<String, Double> figures) {
		return measurement(name, Map.of(), figures);
	}

	/**
	 * What was seen with further settings.
	 * @param name the scenario, or a part of it
	 * @param more settings that the run did not have
	 * @param figures the figures by name
	 * @return the measurement
	 */
	Measurement measurement(String name, Map<String, String> more, Map<String, Double> figures) {
		Map<String, String> all = new TreeMap<>(this.settings);
		all.putAll(more);
		return new Measurement(name, this.contender.name(), this.round, all, figures);
	}

}
