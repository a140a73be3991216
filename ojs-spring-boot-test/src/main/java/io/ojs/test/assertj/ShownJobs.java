package io.ojs.test.assertj;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.job.Job;
import io.ojs.job.JobError;
import io.ojs.job.JobState;
import io.ojs.test.jobs.LeftJob;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Formats jobs for messages.
 */
final class ShownJobs {

	/** Sorts keys, because the order of keys makes no difference between JSON objects. */
	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
		.build();

	private ShownJobs() {
	}

	static String json(@Nullable Object value) {
		return JSON.writeValueAsString(value);
	}

	/** Writes one line for each job. */
	static String list(List<Job> jobs) {
		return IntStream.range(0, jobs.size())
			.mapToObj((i) -> "%n  %d. %s".formatted(i + 1, line(jobs.get(i))))
			.collect(Collectors.joining());
	}

	/** Writes one line for each job, with the reason why it was left. */
	static String left(List<LeftJob> jobs) {
		return jobs.isEmpty() ? "%nNo job waits.".formatted()
				: "%nThese wait:".formatted() + IntStream.range(0, jobs.size())
					.mapToObj((i) -> "%n  %d. %s: %s".formatted(i + 1, line(jobs.get(i).job()), jobs.get(i).reason()))
					.collect(Collectors.joining());
	}

	private static String line(Job job) {
		StringBuilder line = new StringBuilder("%s %s in queue %s, %s".formatted(job.type(), json(job.args()),
				job.queue(), (job.state() != null) ? job.state().wireName() : "dropped"));
		if (job.state() == JobState.SCHEDULED) {
			line.append(" for ").append(job.scheduledAt());
		}
		if (!job.meta().isEmpty()) {
			Map<String, @Nullable Object> meta = new TreeMap<>(job.meta());
			line.append(", meta ").append(json(meta));
		}
		if (job.state() != JobState.COMPLETED && !job.errors().isEmpty()) {
			JobError error = job.errors().get(job.errors().size() - 1);
			line.append(", attempt %d failed with %s: %s".formatted(error.attempt(), error.type(), error.message()));
		}
		return line.toString();
	}

}
