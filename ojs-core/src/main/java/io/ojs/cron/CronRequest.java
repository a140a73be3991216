package io.ojs.cron;

import io.ojs.job.JobRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for: a name, when to fire, and what to enqueue then. Immutable; each
 * method gives a changed copy. Nothing is checked before it is registered.
 *
 * <pre>{@code
 * CronRequest.of("pictures-clean", "0 3 * * *", JobRequest.of("pictures.clean")).zone("Europe/Berlin")
 * }</pre>
 *
 * @param name by what it is known: lower-case letters, digits, {@code .} and {@code -},
 * beginning with a letter or digit, 1 to 255 characters
 * @param expression when it fires: five fields, or six with seconds first, or one of
 * {@code @daily} and its like, or {@code @every 1h30m}
 * @param zone whose clock the expression is about: a name of the IANA database with an
 * area, or {@code UTC}
 * @param job what is enqueued each time; without an id and times of its own
 * @param overlap what becomes of a run when a job of an earlier one has not ended
 * @param enabled whether it fires
 * @param description what it is good for, for people
 */
public record CronRequest(String name, String expression, String zone, JobRequest job, OverlapPolicy overlap,
		boolean enabled, @Nullable String description) {

	/** The zone of a cron that names none. */
	public static final String DEFAULT_ZONE = "UTC";

	/**
	 * Asks for a cron in UTC that fires and skips runs that would overlap.
	 * @param name by what it is known
	 * @param expression when it fires
	 * @param job what is enqueued each time
	 * @return the request
	 */
	public static CronRequest of(String name, String expression, JobRequest job) {
		return new CronRequest(name, expression, DEFAULT_ZONE, job, OverlapPolicy.SKIP, true, null);
	}

	/**
	 * Chooses the zone.
	 * @param value such as {@code Europe/Berlin}
	 * @return a copy with the zone
	 */
	public CronRequest zone(String value) {
		return new CronRequest(this.name, this.expression, value, this.job, this.overlap, this.enabled,
				this.description);
	}

	/**
	 * Chooses the job.
	 * @param value what is enqueued each time
	 * @return a copy with the job
	 */
	public CronRequest job(JobRequest value) {
		return new CronRequest(this.name, this.expression, this.zone, value, this.overlap, this.enabled,
				this.description);
	}

	/**
	 * Chooses what becomes of runs that would overlap.
	 * @param value the policy
	 * @return a copy with the policy
	 */
	public CronRequest overlap(OverlapPolicy value) {
		return new CronRequest(this.name, this.expression, this.zone, this.job, value, this.enabled, this.description);
	}

	/**
	 * Chooses whether it fires.
	 * @param value whether it does
	 * @return a copy that fires, or does not
	 */
	public CronRequest enabled(boolean value) {
		return new CronRequest(this.name, this.expression, this.zone, this.job, this.overlap, value, this.description);
	}

	/**
	 * Says what it is good for.
	 * @param value a sentence for people, at most 1000 characters
	 * @return a copy with the description
	 */
	public CronRequest description(@Nullable String value) {
		return new CronRequest(this.name, this.expression, this.zone, this.job, this.overlap, this.enabled, value);
	}

}
