package io.ojs.internal.worker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.internal.json.JsonFields;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a worker can run, as JSON (OJS Job Versioning §8.1): an array of objects
 * with a {@code type} and its {@code versions}.
 */
public final class HandledJobsJson {

	/** The name of the field. */
	public static final String FIELD = "handlers";

	/**
	 * The largest number of handlers that a worker names: each is a condition of every
	 * fetch.
	 */
	public static final int MOST = 200;

	private static final String VERSIONS = "versions";

	private HandledJobsJson() {
	}

	/**
	 * Reads the field of an object, and marks it as read.
	 * @return the jobs; all jobs if the array is empty; {@code null} if the object does
	 * not have the field
	 */
	public static @Nullable HandledJobs read(JsonFields fields) {
		if (fields.peek(FIELD) == null) {
			fields.any(FIELD);
			return null;
		}
		Map<String, List<VersionRange>> versions = new LinkedHashMap<>();
		List<Map.Entry<String, VersionRange>> all = fields.nestedList(FIELD, HandledJobsJson::entry);
		if (all.size() > MOST) {
			throw fields.refuse(FIELD, all.size() + " handlers", "must be at most %d".formatted(MOST));
		}
		all.forEach(
				(each) -> versions.computeIfAbsent(each.getKey(), (type) -> new ArrayList<>()).add(each.getValue()));
		return versions.isEmpty() ? HandledJobs.ALL : new HandledJobs(versions, false);
	}

	private static Map.Entry<String, VersionRange> entry(JsonFields fields) {
		String type = fields.string("type");
		Object versions = fields.any(VERSIONS);
		VersionRange range;
		try {
			JobRules.type(type);
		}
		catch (InvalidJobException ex) {
			throw fields.refuse("type", type, ex.problem());
		}
		try {
			range = range(versions);
		}
		catch (InvalidJobException ex) {
			throw fields.refuse(VERSIONS, versions, ex.problem());
		}
		if (range == null) {
			throw fields.refuse(VERSIONS, versions, "must be a string such as \">=1.0 <3.0\"");
		}
		return Map.entry(String.valueOf(type), range);
	}

	private static @Nullable VersionRange range(@Nullable Object versions) {
		if (versions == null) {
			return VersionRange.ALL;
		}
		if (versions instanceof Integer) {
			return VersionRange.only(JobVersion.parse(versions.toString()));
		}
		return (versions instanceof String text) ? VersionRange.parse(text) : null;
	}

	/** Converts jobs to the value of the field. */
	public static List<Object> write(HandledJobs handled) {
		List<Object> all = new ArrayList<>();
		handled.versions()
			.forEach((type, ranges) -> ranges
				.forEach((range) -> all.add(Map.of("type", type, VERSIONS, range.toString()))));
		return all;
	}

}
