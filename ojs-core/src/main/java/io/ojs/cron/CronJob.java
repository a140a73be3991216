package io.ojs.cron;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A registered cron.
 *
 * @param request the request; its job has a queue, and only values of JSON's own types
 * @param enabled whether it fires now, which may differ from the request
 * @param source the origin: {@link #API}, or the application that declares it
 * @param createdAt when it was registered for the first time
 * @param nextRunAt when it fires next; {@code null} if it is disabled or has no next time
 * @param lastRunAt when it last enqueued a job; {@code null} if never
 * @param lastJobId the id of the job that it enqueued last
 * @param runCount the number of jobs that it has enqueued
 */
public record CronJob(CronRequest request, boolean enabled, String source, Instant createdAt,
		@Nullable Instant nextRunAt, @Nullable Instant lastRunAt, @Nullable String lastJobId, long runCount) {

	/**
	 * The source of crons that were registered through the API while an application runs.
	 */
	public static final String API = "api";

	/**
	 * Returns the name of the cron.
	 * @return its name
	 */
	public String name() {
		return this.request.name();
	}

	/**
	 * Returns the source of crons that an application declares.
	 * @param application the name of the application
	 * @return the source
	 */
	public static String declaredBy(String application) {
		return "application:" + application;
	}

}
