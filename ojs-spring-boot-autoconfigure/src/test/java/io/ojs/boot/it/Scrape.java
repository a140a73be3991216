package io.ojs.boot.it;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Prometheus reads.
 *
 * @param text all of it
 */
record Scrape(String text) {

	private static final Pattern LINE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)");

	private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

	static Scrape of(Application application) {
		return new Scrape(application.get("/actuator/prometheus").body());
	}

	/** Whether there is a time series of this name and type. */
	boolean has(String name, String type) {
		return this.text.contains("# TYPE " + name + " " + type + "\n") && !values(name, Map.of()).isEmpty();
	}

	/** The sum of all that have these labels; there is at least one. */
	double value(String name, String... labels) {
		Map<String, String> wanted = new HashMap<>();
		for (int i = 0; i < labels.length; i += 2) {
			wanted.put(labels[i], labels[i + 1]);
		}
		List<Double> values = values(name, wanted);
		assertThat(values).as(name + wanted + " in " + this.text).isNotEmpty();
		return values.stream().mapToDouble(Double::doubleValue).sum();
	}

	private List<Double> values(String name, Map<String, String> labels) {
		return this.text.lines()
			.filter((line) -> !line.startsWith("#"))
			.map(LINE::matcher)
			.filter((line) -> line.matches() && line.group(1).equals(name))
			.filter((line) -> labels(line).entrySet().containsAll(labels.entrySet()))
			.map((line) -> Double.parseDouble(line.group(3)))
			.toList();
	}

	private static Map<String, String> labels(Matcher line) {
		Map<String, String> labels = new HashMap<>();
		Matcher label = LABEL.matcher((line.group(2) != null) ? line.group(2) : "");
		while (label.find()) {
			labels.put(label.group(1), label.group(2));
		}
		return labels;
	}

}
