package io.ojs.jdbc.internal.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.job.internal.HandledJobs;
import io.ojs.job.internal.VersionKey;

/**
 * The jobs that a worker can run, as a condition on rows of {@code ojs_job}.
 */
final class HandledCondition {

	private final StringBuilder sql = new StringBuilder();

	private final List<Object> parameters = new ArrayList<>();

	HandledCondition(HandledJobs handled) {
		if (handled.others()) {
			// Such a worker also gets types that it does not know, which fail there:
			// there may be no other worker that knows them.
			handled.versions().forEach(this::exclude);
			return;
		}
		this.sql.append(" and (1 = 0");
		for (Map.Entry<String, List<VersionRange>> type : handled.versions().entrySet()) {
			this.sql.append(" or (type = ? and (version_key is null");
			this.parameters.add(type.getKey());
			type.getValue().forEach(this::add);
			this.sql.append("))");
		}
		this.sql.append(")");
	}

	private void exclude(String type, List<VersionRange> ranges) {
		if (!ranges.contains(VersionRange.ALL)) {
			this.sql.append(" and (type <> ? or version_key is null");
			this.parameters.add(type);
			ranges.forEach(this::add);
			this.sql.append(")");
		}
	}

	private void add(VersionRange range) {
		this.sql.append(" or (version_key >= ?");
		this.parameters.add(VersionKey.of(range.from()));
		JobVersion before = range.before();
		if (before != null) {
			this.sql.append(" and version_key < ?");
			this.parameters.add(VersionKey.of(before));
		}
		this.sql.append(")");
	}

	/** The condition, to be appended to other conditions. */
	String sql() {
		return this.sql.toString();
	}

	/** The parameters of the condition, in their order. */
	List<Object> parameters() {
		return this.parameters;
	}

}
