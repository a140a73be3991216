package io.ojs.benchmark.page;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a contender runs on.
 *
 * @param queue {@code classic} or {@code quorum}
 * @param java the major version of Java
 * @param threads {@code platform} or {@code virtual}
 */
record Mode(String queue, String java, String threads) {

	static Mode of(Map<String, String> settings) {
		return new Mode(settings.getOrDefault("queue", ""), settings.getOrDefault("java", ""),
				settings.getOrDefault("threads", ""));
	}

	Map<String, String> settings() {
		return new TreeMap<>(Map.of("queue", this.queue, "java", this.java, "threads", this.threads));
	}

	Map<String, String> with(String name, String value) {
		Map<String, String> settings = settings();
		settings.put(name, value);
		return settings;
	}

	@Override
	public String toString() {
		return "%s queue, Java %s, %s threads".formatted(this.queue, this.java, this.threads);
	}

}
