package io.ojs.internal.bulk;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.internal.DeadLetterFilterJson;
import io.ojs.deadletter.internal.ReplayOverridesJson;
import io.ojs.internal.admin.JobCriteriaJson;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.json.JsonFields;
import org.jspecify.annotations.Nullable;

/**
 * What an operation was asked to do.
 *
 * @param letters the dead letters, with an end; {@code null} if the operation is about
 * other jobs
 * @param jobs the jobs; {@code null} if the operation is about dead letters
 * @param until only jobs that were there before this time: dead letters, jobs that were
 * created, or jobs to be deleted that had ended
 * @param limit the largest number of jobs to change; {@code null} for all
 * @param rate the number of replayed jobs that are published in a second; {@code null}
 * for as many as the broker takes
 * @param overrides changes of replayed jobs
 */
public record BulkRequest(@Nullable DeadLetterFilter letters, JobSearch.@Nullable Criteria jobs,
		@Nullable Instant until, @Nullable Long limit, @Nullable Double rate, ReplayOverrides overrides) {

	/** Stands for a request that this version cannot read. It means no jobs. */
	public static final BulkRequest UNREADABLE = new BulkRequest(null, null, null, null, null, ReplayOverrides.NONE);

	private static final String LETTERS = "dead_letters";

	private static final String JOBS = "jobs";

	/** A request about dead letters. */
	public static BulkRequest of(DeadLetterFilter letters, @Nullable Long limit, @Nullable Double rate,
			ReplayOverrides overrides) {
		return new BulkRequest(letters, null, letters.until(), limit, rate, overrides);
	}

	/** A request about other jobs. */
	public static BulkRequest of(JobSearch.Criteria jobs, Instant until, @Nullable Long limit) {
		return new BulkRequest(null, jobs, until, limit, null, ReplayOverrides.NONE);
	}

	/** Reads a request that {@link #json()} has written. */
	static BulkRequest read(JsonFields fields) {
		JsonFields letters = fields.nested(LETTERS);
		JsonFields jobs = fields.nested(JOBS);
		Long limit = fields.longInteger("limit");
		Double rate = fields.number("rate");
		JsonFields overrides = fields.nested("overrides");
		String tenant = fields.string("tenant");
		OffsetDateTime until = fields.time("until");
		if (jobs != null) {
			JobSearch.Criteria criteria = JobCriteriaJson.read(jobs);
			return of(criteria.filter(criteria.filter().tenant(tenant)), Objects.requireNonNull(until).toInstant(),
					limit);
		}
		return of(DeadLetterFilterJson.read(Objects.requireNonNull(letters)).tenant(tenant), limit, rate,
				(overrides != null) ? ReplayOverridesJson.read(overrides) : ReplayOverrides.NONE);
	}

	/** Reads a request that {@link #json()} has written. */
	public static BulkRequest read(Map<String, ? extends @Nullable Object> json) {
		return read(new JsonFields(json, (field, value, problem, cause) -> new IllegalStateException(
				"The request of an operation is not valid: '%s' %s.".formatted(field, problem), cause)));
	}

	/** Writes the request as JSON values. */
	public Map<String, @Nullable Object> json() {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		if (this.letters != null) {
			json.put(LETTERS, DeadLetterFilterJson.write(this.letters));
		}
		if (this.jobs != null) {
			json.put(JOBS, JobCriteriaJson.write(this.jobs));
			json.put("until", String.valueOf(this.until));
		}
		json.put("tenant", tenant());
		json.put("limit", this.limit);
		json.put("rate", this.rate);
		if (!this.overrides.equals(ReplayOverrides.NONE)) {
			json.put("overrides", ReplayOverridesJson.write(this.overrides));
		}
		return json;
	}

	/** The filter as JSON values, without a tenant. */
	public Map<String, @Nullable Object> filter() {
		return (this.letters != null) ? DeadLetterFilterJson.write(this.letters)
				: JobCriteriaJson.write((this.jobs != null) ? this.jobs : JobSearch.Criteria.ANY);
	}

	/** The queue of the jobs; empty if they are of any. */
	public String queue() {
		String queue = (this.letters != null) ? this.letters.origin()
				: (this.jobs != null) ? this.jobs.filter().queue() : null;
		return (queue != null) ? queue : "";
	}

	/** The tenant of the jobs; {@code null} for all. */
	public @Nullable String tenant() {
		return (this.letters != null) ? this.letters.tenant()
				: (this.jobs != null) ? this.jobs.filter().tenant() : null;
	}

	/**
	 * How a batch of dead letters is replayed.
	 * @param size the largest number of jobs
	 */
	ReplayOptions options(int size) {
		return new ReplayOptions(false, true, (long) size, this.rate, this.overrides);
	}

}
