package io.ojs.jdbc.internal.version;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.engine.JsonText;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;

/**
 * Writes the jobs that a process can run as JSON, ranges of versions by type, and reads
 * them.
 */
final class HandledJobsText {

	private HandledJobsText() {
	}

	static String write(JsonText json, HandledJobs handled) {
		Map<String, Object> versions = new LinkedHashMap<>();
		handled.versions()
			.forEach((type, ranges) -> versions.put(type, ranges.stream().map(VersionRange::toString).toList()));
		return json.write(versions);
	}

	/**
	 * Leaves out jobs of all other types: no job waits for a process that only takes any
	 * type.
	 */
	static HandledJobs read(JsonText json, String text) {
		Map<String, List<VersionRange>> versions = new LinkedHashMap<>();
		json.readObject(text).forEach((type, value) -> {
			List<VersionRange> ranges = new ArrayList<>();
			if (value instanceof List<?> list) {
				list.forEach((range) -> ranges.add(VersionRange.parse(String.valueOf(range))));
			}
			versions.put(type, ranges);
		});
		return new HandledJobs(versions, false);
	}

}
