package io.ojs.jdbc.internal.admin;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.engine.JobRow;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.StoreFeature;
import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Finds the labels that jobs are searched by: their tags, and values of {@code meta} that
 * the configuration names.
 */
public final class JobLabels implements StoreFeature {

	/** The most labels of one job; others are left out. */
	static final int MOST = 50;

	private static final String TAGS = "tags";

	private final StoreDatabase database;

	private final List<String> keys;

	private JobLabels(StoreDatabase database, List<String> keys) {
		this.database = database;
		this.keys = List.copyOf(keys);
	}

	/**
	 * Returns the feature.
	 * @param keys the keys of {@code meta} whose values are labels
	 */
	public static Function<StoreDatabase, StoreFeature> of(List<String> keys) {
		return (database) -> new JobLabels(database, keys);
	}

	@Override
	public void contentChanged(JobRow row, @Nullable Job before) {
		List<String> old = (before != null) ? labels(before) : List.of();
		row.labels = mayHaveLabels(row) ? labels(this.database.codec().envelope(row)) : List.of();
		if (!row.labels.equals(old)) {
			this.database.jdbc().update("delete from ojs_job_label where job_id = ?", row.id);
			this.database.jobs().label(List.of(row));
		}
	}

	/** Whether it is worth reading the envelope. */
	private boolean mayHaveLabels(JobRow row) {
		return row.envelope.contains(TAGS) || this.keys.stream().anyMatch(row.envelope::contains);
	}

	@Override
	public List<String> labels(Job job) {
		if (job.meta().isEmpty()) {
			return List.of();
		}
		Set<String> labels = new LinkedHashSet<>();
		job.tags().forEach((tag) -> add("#", tag, labels));
		for (String key : this.keys) {
			Object value = job.meta().get(key);
			List<?> values = (value instanceof List<?> list) ? list : (value != null) ? List.of(value) : List.of();
			values.forEach((each) -> add(key + "=", each, labels));
		}
		return List.copyOf(labels);
	}

	private static void add(String prefix, @Nullable Object value, Set<String> labels) {
		if (labels.size() < MOST && (value instanceof String || value instanceof Number || value instanceof Boolean)) {
			String label = prefix + value;
			if (label.length() > prefix.length() && label.length() <= JobSearch.MAX_LABEL && isStorable(label)) {
				labels.add(label);
			}
		}
	}

	/** Whether a database stores the text as it is. */
	private static boolean isStorable(String label) {
		return label.indexOf(0) < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(label);
	}

}
