package io.ojs.benchmark.measure;

import java.util.Map;
import java.util.TreeMap;

/**
 * What one run of one contender showed.
 *
 * @param scenario what was done, such as {@code bulk}, {@code latency}, {@code drain}
 * @param contender the name of an entry of {@link io.ojs.benchmark.contender.Contenders}
 * @param round which of several runs, from 1
 * @param settings what was set: {@code queue} is classic or quorum, {@code java} the
 * major version, {@code threads} platform or virtual; further ones by scenario, such as
 * {@code backlog}
 * @param figures what was seen, by name; rates in jobs per second, times in milliseconds,
 * {@code cpu.*} in seconds per 10,000 jobs
 */
public record Measurement(String scenario, String contender, int round, Map<String, String> settings,
		Map<String, Double> figures) {

	/**
	 * Creates it, with maps in the order of their keys.
	 */
	public Measurement {
		settings = new TreeMap<>(settings);
		figures = new TreeMap<>(figures);
	}

}
