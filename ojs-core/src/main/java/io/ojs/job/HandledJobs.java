package io.ojs.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Which jobs somebody can work.
 *
 * @param versions the versions of types, by type; a job without a version is of each of
 * them
 * @param others whether jobs of any other type are taken as well
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
	 * Whether a job can be worked.
	 * @param type its type
	 * @param version its version; {@code null} if it has none
	 * @return whether its type is one of these and, if it has a version, some range has
	 * it
	 */
	public boolean contain(String type, @Nullable JobVersion version) {
		List<VersionRange> ranges = this.versions.get(type);
		if (ranges == null) {
			return this.others;
		}
		return version == null || ranges.stream().anyMatch((range) -> range.contains(version));
	}

}
