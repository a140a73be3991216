package io.ojs.internal.bulk;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import io.ojs.deadletter.internal.DeadLetterFilterJson;
import io.ojs.deadletter.internal.ReplayOverridesJson;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobFilterJson;
import io.ojs.internal.json.JsonFields;
import org.jspecify.annotations.Nullable;

/**
 * What an operation was asked to do.
 *
 * @param letters the dead letters, with an end; {@code null} if the operation is about
 * other jobs
 * @param jobs the jobs, with an end; {@code null} if the operation is about dead letters
 * @param limit the largest number of jobs to change; {@code null} for all
 * @param rate the number of replayed jobs that are published in a second; {@code null}
 * for as many as the broker takes
 * @param overrides changes of replayed jobs
 */
public record BulkRequest(@Nullable DeadLetterFilter letters, @Nullable JobFilter jobs, @Nullable Long limit,
		@Nullable Double rate, ReplayOverrides overrides) {

	private static final String LETTERS = "dead_letters";

	private static final String JOBS = "jobs";

	/** Reads a request that {@link #json()} has written. */
	static BulkRequest read(JsonFields fields) {
		JsonFields letters = fields.nested(LETTERS);
		JsonFields jobs = fields.nested(JOBS);
		Long limit = fields.longInteger("limit");
		Double rate = fields.number("rate");
		JsonFields overrides = fields.nested("overrides");
		String tenant = fields.string("tenant");
		return new BulkRequest((letters != null) ? DeadLetterFilterJson.read(letters).tenant(tenant) : null,
				(jobs != null) ? JobFilterJson.read(jobs).tenant(tenant) : null, limit, rate,
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
			json.put(JOBS, JobFilterJson.write(this.jobs));
		}
		json.put("tenant",
				(this.letters != null) ? this.letters.tenant() : (this.jobs != null) ? this.jobs.tenant() : null);
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
				: JobFilterJson.write((this.jobs != null) ? this.jobs : JobFilter.ANY);
	}

	/** The queue of the jobs; empty if they are of any. */
	public String queue() {
		String queue = (this.letters != null) ? this.letters.origin() : (this.jobs != null) ? this.jobs.queue() : null;
		return (queue != null) ? queue : "";
	}

	/** The exclusive end, in time, of the jobs that are meant. */
	public @Nullable Instant until() {
		return (this.letters != null) ? this.letters.until() : (this.jobs != null) ? this.jobs.until() : null;
	}

	/** How dead letters are replayed. */
	ReplayOptions options() {
		return new ReplayOptions(false, true, this.limit, this.rate, this.overrides);
	}

}
