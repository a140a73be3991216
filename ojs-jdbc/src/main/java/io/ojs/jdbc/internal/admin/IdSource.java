package io.ojs.jdbc.internal.admin;

import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import org.jspecify.annotations.Nullable;

/**
 * An index that has the ids of jobs in their order.
 *
 * @param table its table
 * @param id the column with the ids
 * @param condition the condition that it serves, with {@code and} before it; empty for
 * all jobs
 * @param serves how many of the criteria it serves
 */
record IdSource(String table, String id, String condition, int serves) {

	private static final IdSource ALL = new IdSource("ojs_job", "id", "", 0);

	/**
	 * Chooses the index that leaves the fewest jobs to look at.
	 * @param label the label that few jobs have; {@code null} if there is none
	 */
	static IdSource of(JobSearch.Criteria criteria, @Nullable LabelMatch label, JobIndexes indexes) {
		if (!criteria.filter().ids().isEmpty()) {
			return ofJobs("id in (:ids)");
		}
		if (criteria.filter().operation() != null) {
			return ofJobs("operation_id = :operation");
		}
		if (criteria.workflowId() != null) {
			return new IdSource("ojs_workflow_job", "job_id", " and workflow_id = :workflow", 1);
		}
		if (label != null) {
			return label.source();
		}
		String errorType = criteria.errorType();
		if (errorType != null && !JobFilter.isPrefix(errorType) && indexes.has("error_type")) {
			return ofJobs("error_type = :errorType");
		}
		if (criteria.filter().tenant() != null) {
			return ofJobs("tenant = :tenant");
		}
		String type = criteria.filter().type();
		if (type != null && !JobFilter.isPrefix(type) && indexes.has("type")) {
			return ofJobs("type = :type");
		}
		if (criteria.filter().queue() != null && indexes.has("queue")) {
			return ofJobs("queue = :queue");
		}
		return ALL;
	}

	private static IdSource ofJobs(String condition) {
		return new IdSource("ojs_job", "id", " and " + condition, 1);
	}

	/** Whether it is that of all jobs. */
	boolean isOfAll() {
		return this.equals(ALL);
	}

	/** Whether its rows are those of jobs. */
	boolean isOfJobs() {
		return this.table.equals("ojs_job");
	}

}
