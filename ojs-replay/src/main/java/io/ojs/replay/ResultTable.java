package io.ojs.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.ojs.deadletter.DeadLetterKind;
import io.ojs.deadletter.ReplayResult;
import io.ojs.job.internal.ForeignText;

/**
 * Formats the result of a replay for people and for {@code grep}.
 */
final class ResultTable {

	private ResultTable() {
	}

	static String of(String queue, ReplayResult result) {
		List<List<String>> rows = new ArrayList<>();
		rows.add(List.of("QUEUE", "TYPE", "ERROR", "CODE", result.dryRun() ? "WOULD BE REPLAYED" : "REPLAYED"));
		result.kinds()
			.entrySet()
			.stream()
			.sorted(Map.Entry.<DeadLetterKind, Long>comparingByValue()
				.reversed()
				.thenComparing(Map.Entry.comparingByKey(Comparator.comparing(DeadLetterKind::toString))))
			.forEach((entry) -> rows
				.add(List.of(queue, printable(entry.getKey().type()), printable(entry.getKey().errorType()),
						printable(entry.getKey().errorCode()), entry.getValue().toString())));
		return ((rows.size() > 1) ? table(rows) : "") + summary(queue, result);
	}

	/**
	 * Escapes text of a producer, so that it cannot send control sequences to the
	 * terminal.
	 */
	private static String printable(String text) {
		return ForeignText.escape(text);
	}

	private static String table(List<List<String>> rows) {
		StringBuilder table = new StringBuilder();
		for (List<String> row : rows) {
			StringBuilder line = new StringBuilder();
			for (int i = 0; i < row.size(); i++) {
				int column = i;
				int width = rows.stream().mapToInt((other) -> other.get(column).length()).max().orElse(0);
				line.append(row.get(i)).append(" ".repeat(width - row.get(i).length() + 2));
			}
			table.append(line.toString().stripTrailing()).append(System.lineSeparator());
		}
		return table.toString();
	}

	private static String summary(String queue, ReplayResult result) {
		String skipped = result.skipped()
			.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.map((entry) -> entry.getValue() + " " + entry.getKey().name().toLowerCase(Locale.ROOT).replace('_', ' '))
			.collect(Collectors.joining(", "));
		String end = switch (result.end()) {
			case DONE -> "";
			case LIMIT -> " The maximum was reached.";
			case CANCELLED -> " It was cancelled.";
			case FAILED -> " It failed: " + result.problem();
		};
		return "%s: looked at %d, %s %d, skipped %s, left %s.%s%n".formatted(queue, result.lookedAt(),
				result.dryRun() ? "would replay" : "replayed", result.replayed(), skipped.isEmpty() ? "0" : skipped,
				(result.left() != null) ? result.left() : "unknown", end);
	}

}
