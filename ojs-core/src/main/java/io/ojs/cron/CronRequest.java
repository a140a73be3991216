package io.ojs.cron;

import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request for a cron: its name, its schedule and its job. Immutable; each method
 * returns a changed copy. The values are checked when the cron is registered.
 *
 * <pre>{@code
 * CronRequest.of("pictures-clean", "0 3 * * *", JobRequest.of("pictures.clean")).zone("Europe/Berlin")
 * }</pre>
 * <p>
 * Use {@link #of} and the methods that change a copy: the constructor changes when a
 * component is added.
 *
 * @param name the name: lower-case letters, digits, {@code .} and {@code -}, beginning
 * with a letter or digit, 1 to 255 characters
 * @param expression when it fires: five fields, or six with seconds first, or a macro
 * such as {@code @daily}, or {@code @every 1h30m}
 * @param zone the time zone of the expression: a name of the IANA database with an area,
 * or {@code UTC}
 * @param job the job that each run enqueues; without an id and without times of its own
 * @param overlap what happens to a run if a job of an earlier one has not ended
 * @param enabled whether it fires
 * @param description a description for people
 */
public record CronRequest(String name, String expression, String zone, JobRequest job, OverlapPolicy overlap,
		boolean enabled, @Nullable String description) {

	/** The zone of a cron without one. */
	public static final String DEFAULT_ZONE = "UTC";

	/**
	 * Requests a cron in UTC that is enabled and skips overlapping runs.
	 * @param name its name
	 * @param expression when it fires
	 * @param job the job that each run enqueues
	 * @return the request
	 */
	public static CronRequest of(String name, String expression, JobRequest job) {
		return new CronRequest(name, expression, DEFAULT_ZONE, job, OverlapPolicy.SKIP, true, null);
	}

	/**
	 * Sets the time zone.
	 * @param value the name of the zone, such as {@code Europe/Berlin}
	 * @return a copy with the zone
	 */
	public CronRequest zone(String value) {
		return new CronRequest(this.name, this.expression, value, this.job, this.overlap, this.enabled,
				this.description);
	}

	/**
	 * Sets the job.
	 * @param value the job that each run enqueues
	 * @return a copy with the job
	 */
	public CronRequest job(JobRequest value) {
		return new CronRequest(this.name, this.expression, this.zone, value, this.overlap, this.enabled,
				this.description);
	}

	/**
	 * Sets the policy for overlapping runs.
	 * @param value the policy
	 * @return a copy with the policy
	 */
	public CronRequest overlap(OverlapPolicy value) {
		return new CronRequest(this.name, this.expression, this.zone, this.job, value, this.enabled, this.description);
	}

	/**
	 * Sets whether it fires.
	 * @param value whether it does
	 * @return the copy
	 */
	public CronRequest enabled(boolean value) {
		return new CronRequest(this.name, this.expression, this.zone, this.job, this.overlap, value, this.description);
	}

	/**
	 * Sets the description.
	 * @param value a sentence for people, at most 1000 characters
	 * @return a copy with the description
	 */
	public CronRequest description(@Nullable String value) {
		return new CronRequest(this.name, this.expression, this.zone, this.job, this.overlap, this.enabled, value);
	}

}
