package io.ojs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Crons: jobs that are enqueued repeatedly, by a schedule.
 *
 * @param enabled Whether this application registers the crons that it declares, and fires
 * crons.
 * @param pollInterval Longest time until this application notices a cron that another
 * instance has registered, and until it tries again to fire a cron that failed.
 * @param jobs Crons by their names. A name with dots is written in brackets.
 */
public record CronProperties(@DefaultValue("true") boolean enabled, @DefaultValue("5s") Duration pollInterval,
		@DefaultValue Map<String, CronJobProperties> jobs) {

	/**
	 * A cron.
	 *
	 * @param expression Times at which the cron fires, such as 0 3 * * *.
	 * @param zone Time zone of the expression, such as Europe/Berlin.
	 * @param type Type of the enqueued jobs.
	 * @param args Arguments of the enqueued jobs.
	 * @param queue Queue of the enqueued jobs. That of the handler by default.
	 * @param tenant Tenant that the enqueued jobs belong to. None by default.
	 * @param overlap Handling of a run while a job of an earlier run has not ended: skip,
	 * allow, cancel_previous or enqueue.
	 * @param enabled Whether the cron fires.
	 * @param description Description for people.
	 */
	public record CronJobProperties(@Nullable String expression, @DefaultValue("UTC") String zone,
			@Nullable String type, @Nullable List<Object> args, @Nullable String queue, @Nullable String tenant,
			@DefaultValue("skip") String overlap, @DefaultValue("true") boolean enabled, @Nullable String description) {
	}

}
