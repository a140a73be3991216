package io.ojs.handler.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.handler.InvalidJobHandlerException;
import io.ojs.handler.JobUpcaster;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.JobRules;
import org.jspecify.annotations.Nullable;

/**
 * The upcasters of an application. Each leads to a later version, and each version of a
 * type has at most one, so there is a single way from each version.
 */
public final class JobUpcasters {

	/** No upcasters. */
	public static final JobUpcasters NONE = new JobUpcasters(Map.of());

	/**
	 * Extension of a job: the types and versions of the jobs that returned its parent
	 * results.
	 */
	public static final String PARENT_VERSIONS = "parent_versions";

	private static final String PARENT_RESULTS = "parent_results";

	/** By type; the upcasters of each are sorted by their targets, the highest first. */
	private final Map<String, List<Named>> byType = new LinkedHashMap<>();

	/**
	 * Creates the upcasters of an application.
	 * @param upcasters all upcasters, by their names in messages: {@code bean 'currency'}
	 * @throws InvalidJobHandlerException if one does not lead to a later version, or two
	 * accept the same version
	 */
	public JobUpcasters(Map<String, JobUpcaster> upcasters) {
		upcasters.forEach((origin, upcaster) -> add(new Named(origin, upcaster)));
		this.byType.values().forEach((all) -> all.sort(Comparator.comparing(Named::to, Comparator.reverseOrder())));
	}

	private void add(Named added) {
		try {
			JobRules.type(added.upcaster.type());
		}
		catch (InvalidJobException ex) {
			throw added.refuse(String.valueOf(ex.getMessage()), "Let its type() be that of the jobs.");
		}
		JobVersion end = added.from().before();
		if (end == null || added.to().compareTo(end) < 0) {
			throw added.refuse(
					"it leads from versions %s to %s, which is not behind them.".formatted(added.from(), added.to()),
					"Let its range end with <%s, or earlier.".formatted(added.to()));
		}
		List<Named> all = this.byType.computeIfAbsent(added.upcaster.type(), (type) -> new ArrayList<>());
		for (Named other : all) {
			if (other.from().overlaps(added.from())) {
				throw added.refuse(
						"it takes versions %s of jobs of type '%s', and %s takes %s of them: some are in both ranges."
							.formatted(added.from(), added.upcaster.type(), other.origin, other.from()),
						"Give the two ranges that have no version in common.");
			}
		}
		all.add(added);
	}

	/**
	 * Finds the versions from which upcasters lead to a handler.
	 * @return the ranges of the upcasters that lead there, directly or by others
	 */
	List<VersionRange> leadingTo(String type, Collection<VersionRange> handled) {
		List<VersionRange> reached = new ArrayList<>(handled);
		List<VersionRange> leading = new ArrayList<>();
		// In descending order of targets: the upcaster that goes on from each target
		// comes first.
		for (Named each : of(type)) {
			if (reached.stream().anyMatch((range) -> range.contains(each.to()))) {
				reached.add(each.from());
				leading.add(each.from());
			}
		}
		return leading;
	}

	/**
	 * Finds the version to which an upcaster leads.
	 * @return the version; {@code null} if no upcaster accepts the given one
	 */
	@Nullable JobVersion next(String type, JobVersion version) {
		return find(type, version).map(Named::to).orElse(null);
	}

	/**
	 * Converts a job.
	 * @param target a version on the way of the upcasters; {@code null} to leave the
	 * arguments unchanged
	 * @return the job with the arguments of that version, and with parent results that
	 * are converted up to its version
	 */
	Job upcast(Job job, @Nullable JobVersion target) {
		Job changed = job;
		JobVersion version = job.version();
		while (target != null && version != null && version.compareTo(target) < 0) {
			Named upcaster = find(job.type(), version).orElseThrow();
			List<@Nullable Object> args = upcaster.upcaster.upcastArgs(MutableJson.list(changed.args()));
			version = upcaster.to();
			Map<String, @Nullable Object> extensions = new LinkedHashMap<>(changed.extensions());
			extensions.put(JobVersion.FIELD, version.toString());
			changed = changed.toBuilder().args(args).extensions(extensions).build();
		}
		return withResults(changed);
	}

	private Job withResults(Job job) {
		if (this.byType.isEmpty() || !(job.extensions().get(PARENT_VERSIONS) instanceof List<?> versions)
				|| !(job.extensions().get(PARENT_RESULTS) instanceof List<?> results)) {
			return job;
		}
		Map<String, @Nullable Object> extensions = new LinkedHashMap<>(job.extensions());
		extensions.put(PARENT_RESULTS, results(results, versions, job.version()));
		return job.toBuilder().extensions(extensions).build();
	}

	private List<@Nullable Object> results(List<?> results, List<?> versions, @Nullable JobVersion limit) {
		List<@Nullable Object> changed = new ArrayList<>(results.size());
		for (int i = 0; i < results.size(); i++) {
			Object source = (i < versions.size()) ? versions.get(i) : null;
			Object result = results.get(i);
			if (source instanceof List<?> sources && result instanceof List<?> parts) {
				changed.add(results(parts, sources, limit));
			}
			else {
				changed.add((source instanceof Map<?, ?> of && of.get("type") instanceof String type)
						? result(type, JobVersion.of(of.get(JobVersion.FIELD)), result, limit) : result);
			}
		}
		return changed;
	}

	private @Nullable Object result(String type, @Nullable JobVersion of, @Nullable Object result,
			@Nullable JobVersion limit) {
		Object changed = result;
		JobVersion version = of;
		while (version != null && changed != null) {
			Named next = find(type, version).orElse(null);
			if (next == null || (limit != null && next.to().compareTo(limit) > 0)) {
				return changed;
			}
			changed = next.upcaster.upcastResult(MutableJson.value(changed));
			version = next.to();
		}
		return changed;
	}

	private Optional<Named> find(String type, JobVersion version) {
		return of(type).stream().filter((each) -> each.from().contains(version)).findFirst();
	}

	private List<Named> of(String type) {
		return this.byType.getOrDefault(type, List.of());
	}

	boolean isEmpty() {
		return this.byType.isEmpty();
	}

	/**
	 * An upcaster and its name in messages.
	 */
	private record Named(String origin, JobUpcaster upcaster) {

		VersionRange from() {
			return this.upcaster.from();
		}

		JobVersion to() {
			return this.upcaster.to();
		}

		InvalidJobHandlerException refuse(String problem, String fix) {
			return InvalidJobHandlerException.ofUpcaster(this.origin, problem, fix);
		}

	}

}
