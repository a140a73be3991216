package io.ojs.handler;

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

import io.ojs.job.HandledJobs;
import io.ojs.job.Job;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of an application: for each type one, or several for different versions.
 */
public final class JobHandlers {

	/** By type; those of the highest versions first. */
	private final Map<String, List<JobHandlerDefinition>> byType = new LinkedHashMap<>();

	private final SortedMap<String, List<JobHandlerDefinition>> byQueue = new TreeMap<>();

	private final JobUpcasters upcasters;

	private final HandledJobs handled;

	/**
	 * Collects handlers.
	 * @param definitions all of them
	 * @throws InvalidJobHandlerException if two are for one version of a type
	 */
	public JobHandlers(Collection<JobHandlerDefinition> definitions) {
		this(definitions, JobUpcasters.NONE);
	}

	/**
	 * Collects handlers.
	 * @param definitions all of them
	 * @param upcasters make jobs of older versions into what handlers take
	 * @throws InvalidJobHandlerException if two are for one version of a type
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
	 * The handler for jobs of a type that have no version.
	 * @param type the type
	 * @return its handler for the highest versions, if this application has any
	 */
	public Optional<JobHandlerDefinition> find(String type) {
		return all(type).stream().findFirst();
	}

	/**
	 * The handler for a job.
	 * @param job the job
	 * @return the handler for its version, which is given the job as upcasters make it;
	 * empty if this application has none, be it that it has one for other versions
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
	 * The handler for a version of a type, as it was declared.
	 * @param type the type
	 * @param version the version; {@code null} for jobs that have none
	 * @return its handler, if this application has one
	 */
	public Optional<JobHandlerDefinition> find(String type, @Nullable JobVersion version) {
		return all(type).stream()
			.filter((definition) -> version == null || definition.versions().contains(version))
			.findFirst();
	}

	/** The first version that upcasters make of a job and a handler takes. */
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
	 * @param type the type
	 * @return its handlers, that of the highest versions first
	 */
	public List<JobHandlerDefinition> all(String type) {
		return Collections.unmodifiableList(this.byType.getOrDefault(type, List.of()));
	}

	/**
	 * Which jobs can be worked here.
	 * @return types and versions, those too from which upcasters lead to a handler; jobs
	 * of other types are not left to others, because nobody may be there
	 */
	public HandledJobs handled() {
		return this.handled;
	}

	/**
	 * The handlers by the queue that they work.
	 * @return queues in alphabetical order
	 */
	public Map<String, List<JobHandlerDefinition>> byQueue() {
		return Collections.unmodifiableMap(this.byQueue);
	}

}
