package io.ojs.benchmark.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.TreeSet;

import io.ojs.benchmark.contender.Contenders;
import io.ojs.benchmark.measure.Measurement;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** All that was measured. Of two that are about the same, the later one counts. */
final class Measurements {

	private final List<Measurement> all;

	private final int replaced;

	Measurements(List<Measurement> measurements) {
		Map<Object, Measurement> latest = new LinkedHashMap<>();
		for (Measurement each : measurements) {
			latest.put(List.of(each.scenario(), each.contender(), each.round(), each.settings()), each);
		}
		this.all = List.copyOf(latest.values());
		this.replaced = measurements.size() - this.all.size();
	}

	/**
	 * Reads them.
	 * @param file a line of JSON each
	 * @return all of them
	 * @throws IllegalStateException if a line is no measurement
	 */
	static Measurements read(Path file) throws IOException {
		JsonMapper json = new JsonMapper();
		List<Measurement> read = new ArrayList<>();
		List<String> lines = Files.readAllLines(file);
		for (int i = 0; i < lines.size(); i++) {
			try {
				if (!lines.get(i).isBlank()) {
					read.add(json.readValue(lines.get(i), Measurement.class));
				}
			}
			catch (JacksonException ex) {
				throw new IllegalStateException("Line %d of %s is no measurement".formatted(i + 1, file), ex);
			}
		}
		return new Measurements(read);
	}

	List<Measurement> of(String scenario) {
		return this.all.stream().filter((each) -> each.scenario().equals(scenario)).toList();
	}

	/** How many were measured again later. */
	int replaced() {
		return this.replaced;
	}

	int rounds() {
		return this.all.stream().mapToInt(Measurement::round).max().orElse(0);
	}

	/** Scenarios by how many rounds of one thing they have had at most. */
	SortedMap<Integer, Set<String>> roundsOfScenarios() {
		SortedMap<Integer, Set<String>> byRounds = new TreeMap<>(Comparator.reverseOrder());
		for (String scenario : scenarios()) {
			int rounds = of(scenario).stream()
				.collect(Collectors.groupingBy((each) -> List.of(each.contender(), each.settings()),
						Collectors.mapping(Measurement::round, Collectors.toSet())))
				.values()
				.stream()
				.mapToInt(Set::size)
				.max()
				.orElse(0);
			byRounds.computeIfAbsent(rounds, (none) -> new LinkedHashSet<>()).add(scenario);
		}
		return byRounds;
	}

	Set<String> scenarios() {
		Set<String> scenarios = new LinkedHashSet<>();
		this.all.forEach((each) -> scenarios.add(each.scenario()));
		return scenarios;
	}

	/** All there are, and those of results that are none of them any more. */
	List<String> contenders() {
		Set<String> contenders = new LinkedHashSet<>();
		Arrays.stream(Contenders.values()).forEach((each) -> contenders.add(each.name()));
		this.all.forEach((each) -> contenders.add(each.contender()));
		return List.copyOf(contenders);
	}

	/** Quorum queues and platform threads, on the oldest Java that there is. */
	Mode base() {
		String java = this.all.stream()
			.map((each) -> each.settings().getOrDefault("java", ""))
			.filter((each) -> !each.isEmpty())
			.min(Comparator.comparingInt(Integer::parseInt))
			.orElse(String.valueOf(Runtime.version().feature()));
		return new Mode("quorum", java, "platform");
	}

	Set<Mode> modes() {
		Set<Mode> modes = new LinkedHashSet<>(Set.of(base()));
		this.all.stream()
			.filter((each) -> each.settings().keySet().containsAll(Set.of("queue", "java", "threads")))
			.forEach((each) -> modes.add(Mode.of(each.settings())));
		return modes;
	}

	Set<Integer> backlogs() {
		Set<Integer> backlogs = new TreeSet<>();
		of("drain").forEach((each) -> backlogs.add(Integer.parseInt(each.settings().getOrDefault("backlog", "0"))));
		return backlogs;
	}

	/** A figure of a scenario that was measured with just these settings. */
	Series series(String scenario, String contender, String figure, Map<String, String> settings) {
		SortedMap<Integer, Double> rounds = new TreeMap<>();
		for (Measurement each : this.all) {
			Double value = each.figures().get(figure);
			if (value != null && each.scenario().equals(scenario) && each.contender().equals(contender)
					&& each.settings().equals(settings)) {
				rounds.put(each.round(), value);
			}
		}
		return new Series(rounds);
	}

	Series series(String scenario, String contender, String figure) {
		return series(scenario, contender, figure, base().settings());
	}

	Series drain(String contender, int backlog, String figure) {
		return series("drain", contender, figure, base().with("backlog", String.valueOf(backlog)));
	}

}
