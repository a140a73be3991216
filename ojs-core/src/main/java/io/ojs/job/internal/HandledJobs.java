package io.ojs.job.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a worker can run, by type and version.
 *
 * @param versions the versions of each type; a job without a version fits any of them
 * @param others whether the worker also runs jobs of all other types
 */
public record HandledJobs(Map<String, List<VersionRange>> versions, boolean others) {

	/** All jobs. */
	public static final HandledJobs ALL = new HandledJobs(Map.of(), true);

	public HandledJobs {
		Map<String, List<VersionRange>> copy = new LinkedHashMap<>();
		versions.forEach((type, ranges) -> copy.put(type, List.copyOf(ranges)));
		versions = Map.copyOf(copy);
	}

	/**
	 * Whether the worker can run a job.
	 * @param version the version of the job; {@code null} if it has none
	 * @return whether {@link #versions} has the type and a range with the version, if the
	 * job has one; {@link #others} for a type that is not listed
	 */
	public boolean contain(String type, @Nullable JobVersion version) {
		List<VersionRange> ranges = this.versions.get(type);
		if (ranges == null) {
			return this.others;
		}
		return version == null || ranges.stream().anyMatch((range) -> range.contains(version));
	}

}
