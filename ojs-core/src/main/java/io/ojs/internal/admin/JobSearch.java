package io.ojs.internal.admin;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobError;
import io.ojs.job.internal.JobRules;
import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs for pages that people read: the newest first, in a bounded time, without a
 * total.
 */
public interface JobSearch {

	/** The largest number of characters of a label. */
	int MAX_LABEL = 400;

	/**
	 * Finds jobs.
	 * @param before only jobs with lower ids: {@link Result#next} of the page before;
	 * {@code null} for the first page
	 * @param limit the largest number of jobs, at least 1
	 * @throws StoreException if the database fails
	 */
	Result search(Criteria criteria, @Nullable String before, int limit);

	/**
	 * Reads what a job is found by, and its envelope does not have.
	 * @return both are empty if the store does not have the job
	 * @throws StoreException if the database fails
	 */
	Marks marks(String jobId);

	/**
	 * What a job is found by, and its envelope does not have.
	 *
	 * @param workflowId the workflow that the job belongs to; {@code null} without one
	 * @param labels its labels, in their order
	 */
	record Marks(@Nullable String workflowId, List<String> labels) {

		/** No workflow and no labels. */
		public static final Marks NONE = new Marks(null, List.of());

		public Marks {
			labels = List.copyOf(labels);
		}

	}

	/**
	 * Which jobs are wanted. All conditions hold.
	 *
	 * @param filter the common conditions; {@code since} and {@code until} are compared
	 * with the time in the id of a job
	 * @param idPrefix the beginning of the id, with or without dashes
	 * @param idEnd the end of the id, with or without dashes
	 * @param labels labels that the job has: {@code #urgent} for a tag,
	 * {@code customer=4711} for a value of {@code meta}, {@code customer=47*} for all
	 * labels that begin so
	 * @param errorType the type of the last error; {@code java.net.*} for all that begin
	 * so
	 * @param error text in the message of the last error; case does not matter
	 * @param workflowId the workflow that the job belongs to
	 * @param worker the process, or the worker that fetches, that runs the job
	 */
	record Criteria(JobFilter filter, @Nullable String idPrefix, @Nullable String idEnd, Set<String> labels,
			@Nullable String errorType, @Nullable String error, @Nullable String workflowId, @Nullable String worker) {

		/** Matches all jobs. */
		public static final Criteria ANY = new Criteria(JobFilter.ANY, null, null, Set.of(), null, null, null, null);

		/** What a page writes between the beginning and the end of an id. */
		private static final Pattern ELLIPSIS = Pattern.compile("\\u2026|\\.\\.\\.");

		private static final Pattern PREFIX = Pattern.compile("[0-9a-f]{1,32}");

		private static final int MAX_LABELS = 10;

		private static final int MAX_TYPE = 255;

		private static final int MAX_TEXT = 200;

		/**
		 * Checks the criteria.
		 * @throws InvalidJobException if no job can meet one of them
		 */
		public Criteria {
			idPrefix = digits(idPrefix);
			idEnd = digits(idEnd);
			if (labels.size() > MAX_LABELS) {
				throw new InvalidJobException("label", labels.size() + " labels", "must be at most " + MAX_LABELS);
			}
			labels.forEach(Criteria::checkLabel);
			labels = Collections.unmodifiableSet(new LinkedHashSet<>(labels));
			check("error_type", errorType, MAX_TYPE);
			check("error", error, MAX_TEXT);
			if (workflowId != null) {
				workflowId = id("workflow_id", workflowId);
			}
			check("worker", worker, MAX_TYPE);
		}

		private static @Nullable String digits(@Nullable String part) {
			if (part == null) {
				return null;
			}
			String hex = part.replace("-", "").toLowerCase(Locale.ROOT);
			if (!PREFIX.matcher(hex).matches()) {
				throw new InvalidJobException("id", part,
						"must be the beginning of a UUID: 1 to 32 hexadecimal digits, with or without dashes; or its "
								+ "beginning and its end, such as 0191e4c8\u20264f5a6b");
			}
			return hex;
		}

		private static String id(String field, String value) {
			try {
				return JobRules.id(value);
			}
			catch (InvalidJobException ex) {
				throw new InvalidJobException(field, value, ex.problem(), ex);
			}
		}

		private static void checkLabel(String label) {
			if (label.length() < 2 || (label.charAt(0) != '#' && label.indexOf('=') < 1)) {
				throw new InvalidJobException("label", label,
						"must be a tag with '#' before it, such as #urgent (%23urgent in a URL), or a key of meta with "
								+ "its value, such as customer=4711, or the beginning of one, such as customer=47*");
			}
			check("label", label, MAX_LABEL);
		}

		private static void check(String field, @Nullable String value, int max) {
			if (value != null && value.length() > max) {
				throw new InvalidJobException(field, value, "must be at most " + max + " characters");
			}
			if (value != null && value.indexOf(0) >= 0) {
				throw new InvalidJobException(field, value, "must not contain the character U+0000");
			}
		}

		/**
		 * Returns a copy with other common conditions.
		 * @param value the conditions
		 */
		public Criteria filter(JobFilter value) {
			return new Criteria(value, this.idPrefix, this.idEnd, this.labels, this.errorType, this.error,
					this.workflowId, this.worker);
		}

		/**
		 * Returns a copy for jobs with an id.
		 * @param text its beginning, or its beginning, an ellipsis and its end;
		 * {@code null} for all
		 */
		public Criteria id(@Nullable String text) {
			String[] parts = (text != null) ? ELLIPSIS.split(text, 2) : new String[] { null };
			return new Criteria(this.filter, parts[0], (parts.length > 1) ? parts[1] : null, this.labels,
					this.errorType, this.error, this.workflowId, this.worker);
		}

		/** Returns what {@link #id(String)} reads. */
		@Nullable String id() {
			return (this.idEnd != null) ? this.idPrefix + "\u2026" + this.idEnd : this.idPrefix;
		}

		/**
		 * Returns a copy for jobs that a process or a worker runs.
		 * @param id its id; {@code null} for all
		 */
		public Criteria worker(@Nullable String id) {
			return new Criteria(this.filter, this.idPrefix, this.idEnd, this.labels, this.errorType, this.error,
					this.workflowId, id);
		}

	}

	/**
	 * A page of jobs.
	 *
	 * @param jobs the jobs, the newest first
	 * @param next where the next page begins; {@code null} if there is none
	 * @param complete whether the page is full, or all jobs were looked at; otherwise the
	 * time was used up before
	 * @param backTo the time back to which jobs were looked at; {@code null} if all were
	 */
	record Result(List<Found> jobs, @Nullable String next, boolean complete, @Nullable Instant backTo) {

		public Result {
			jobs = List.copyOf(jobs);
		}

	}

	/**
	 * A job that was found.
	 *
	 * @param row its row, without the envelope
	 * @param error its last error, if it has one
	 * @param labels its labels, in their order
	 * @param encrypted whether its arguments are encrypted or encoded; {@code null} if
	 * its envelope is too large to look
	 */
	record Found(JobRow row, @Nullable JobError error, List<String> labels, @Nullable Boolean encrypted) {

		public Found {
			labels = List.copyOf(labels);
		}

	}

}
