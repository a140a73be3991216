package io.ojs.benchmark.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table in Markdown. */
final class Table {

	private final List<String> lines = new ArrayList<>();

	Table(String... titles) {
		this(List.of(titles));
	}

	Table(List<String> titles) {
		row(titles);
		row(Collections.nCopies(titles.size(), "---"));
	}

	void row(String... cells) {
		row(List.of(cells));
	}

	void row(List<String> cells) {
		this.lines.add("| " + String.join(" | ", cells) + " |");
	}

	boolean isEmpty() {
		return this.lines.size() == 2;
	}

	@Override
	public String toString() {
		return String.join("\n", this.lines) + "\n";
	}

}
