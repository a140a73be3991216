package io.ojs.benchmark.measure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.ojs.benchmark.contender.Contenders;

/**
 * One run of one contender.
 *
 * @param scenario what is done
 * @param contender who does it
 * @param round which of several, from 1
 * @param queueType {@code classic} or {@code quorum}
 * @param java the major version of Java
 * @param virtualThreads whether jobs run on virtual threads
 * @param seconds how long each part takes, roughly
 * @param backlog how many jobs wait at the beginning, where the scenario has such
 * @param only the ways of enqueueing to measure, by the names of their measurements; none
 * for all, or where the scenario has no such
 * @param jvmOptions further options of the JVM
 */
public record Run(Scenario scenario, Contenders contender, int round, String queueType, String java,
		boolean virtualThreads, double seconds, int backlog, List<String> only, List<String> jvmOptions) {

	/**
	 * What the measurements are told apart by.
	 * @return see {@link Measurement#settings()}
	 */
	Map<String, String> settings() {
		Map<String, String> settings = new TreeMap<>();
		settings.put("queue", this.queueType);
		settings.put("java", this.java);
		settings.put("threads", this.virtualThreads ? "virtual" : "platform");
		if (this.backlog > 0) {
			settings.put("backlog", String.valueOf(this.backlog));
		}
		return settings;
	}

}
