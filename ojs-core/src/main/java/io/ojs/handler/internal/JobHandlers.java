package io.ojs.handler.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import io.ojs.handler.InvalidJobHandlerException;
import io.ojs.job.Job;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of an application: one for each type, or several for different versions.
 */
public final class JobHandlers {

	/** By type; the handlers of each are sorted by their versions, the highest first. */
	private final Map<String, List<JobHandlerDefinition>> byType = new LinkedHashMap<>();

	private final SortedMap<String, List<JobHandlerDefinition>> byQueue = new TreeMap<>();

	private final JobUpcasters upcasters;

	private final HandledJobs handled;

	/**
	 * Creates the handlers of an application.
	 * @throws InvalidJobHandlerException if two handlers take the same version of a type
	 */
	public JobHandlers(Collection<JobHandlerDefinition> definitions) {
		this(definitions, JobUpcasters.NONE);
	}

	/**
	 * Creates the handlers of an application.
	 * @throws InvalidJobHandlerException if two handlers take the same version of a type
	 */
	public JobHandlers(Collection<JobHandlerDefinition> definitions, JobUpcasters upcasters) {
		this.upcasters = upcasters;
		for (JobHandlerDefinition definition : definitions) {
			List<JobHandlerDefinition> ofType = this.byType.computeIfAbsent(definition.type(),
					(type) -> new ArrayList<>());
			ofType.forEach((other) -> checkVersions(definition, other));
			ofType.add(definition);
			this.byQueue.computeIfAbsent(definition.queue(), (queue) -> new ArrayList<>()).add(definition);
		}
		this.byType.values()
			.forEach((ofType) -> ofType
				.sort(Comparator.comparing(JobHandlerDefinition::versions, Comparator.reverseOrder())));
		this.byQueue.replaceAll((queue, ofQueue) -> List.copyOf(ofQueue));
		this.handled = new HandledJobs(handledVersions(), true);
	}

	private static void checkVersions(JobHandlerDefinition definition, JobHandlerDefinition other) {
		if (!definition.versions().overlaps(other.versions())) {
			return;
		}
		if (definition.versions().equals(VersionRange.ALL) && other.versions().equals(VersionRange.ALL)) {
			throw new InvalidJobHandlerException(definition.origin(),
					"%s already handles jobs of type '%s'.".formatted(other.origin(), definition.type()),
					"Give one of the two another type, or remove it; or say with 'versions' which versions of the "
							+ "jobs each of them takes.",
					null);
		}
		throw new InvalidJobHandlerException(definition.origin(),
				"it takes versions %s of jobs of type '%s', and %s takes %s of them: some are in both ranges."
					.formatted(definition.versions(), definition.type(), other.origin(), other.versions()),
				"Give the two 'versions' that have none in common.", null);
	}

	private Map<String, List<VersionRange>> handledVersions() {
		Map<String, List<VersionRange>> versions = new LinkedHashMap<>();
		this.byType.forEach((type, ofType) -> {
			List<VersionRange> ranges = new ArrayList<>(ofType.stream().map(JobHandlerDefinition::versions).toList());
			ranges.addAll(this.upcasters.leadingTo(type, List.copyOf(ranges)));
			versions.put(type, ranges);
		});
		return versions;
	}

	/**
	 * Finds the handler for jobs of a type without a version.
	 * @return its handler for the highest versions; empty if there is none for the type
	 */
	public Optional<JobHandlerDefinition> find(String type) {
		return all(type).stream().findFirst();
	}

	/**
	 * Finds the handler for a job.
	 * @return the handler for its version, or for a version to which upcasters lead; it
	 * gets the job as upcasters convert it; empty if there is none for its version
	 */
	public Optional<JobHandlerDefinition> find(Job job) {
		JobVersion target = null;
		Optional<JobHandlerDefinition> found = find(job.type(), job.version());
		if (found.isEmpty()) {
			target = reached(job);
			found = (target != null) ? find(job.type(), target) : Optional.empty();
		}
		if (this.upcasters.isEmpty()) {
			return found;
		}
		JobVersion version = target;
		return found.map((definition) -> upcasting(definition, version));
	}

	/**
	 * Finds the handler for a version of a type, without upcasters.
	 * @param version the version; {@code null} for jobs that have none
	 * @return the handler as it was declared; empty if there is none
	 */
	public Optional<JobHandlerDefinition> find(String type, @Nullable JobVersion version) {
		return all(type).stream()
			.filter((definition) -> version == null || definition.versions().contains(version))
			.findFirst();
	}

	/**
	 * The first version on the way of the upcasters that has a handler; {@code null} if
	 * there is none.
	 */
	private @Nullable JobVersion reached(Job job) {
		JobVersion version = job.version();
		while (version != null && find(job.type(), version).isEmpty()) {
			version = this.upcasters.next(job.type(), version);
		}
		return version;
	}

	private JobHandlerDefinition upcasting(JobHandlerDefinition definition, @Nullable JobVersion target) {
		return definition.handler(
				(context) -> definition.handler().handle(context.with(this.upcasters.upcast(context.job(), target))));
	}

	/**
	 * All handlers for a type.
	 * @return its handlers, sorted by their versions, the highest first
	 */
	public List<JobHandlerDefinition> all(String type) {
		return Collections.unmodifiableList(this.byType.getOrDefault(type, List.of()));
	}

	/**
	 * The jobs that this process takes.
	 * @return types and versions, including versions from which upcasters lead to a
	 * handler; jobs of all other types are included too: they fail here, because there
	 * may be no process that has a handler for them
	 */
	public HandledJobs handled() {
		return this.handled;
	}

	/** All handlers by queue. */
	public Map<String, List<JobHandlerDefinition>> byQueue() {
		return Collections.unmodifiableMap(this.byQueue);
	}

}
