package io.ojs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Jobs that are enqueued again and again.
 *
 * @param enabled Whether this application fires crons, and registers those that it
 * declares.
 * @param pollInterval Longest time after which crons are seen that others have
 * registered.
 * @param jobs Crons, by their names; a name with dots is written in brackets.
 */
public record CronProperties(@DefaultValue("true") boolean enabled, @DefaultValue("5s") Duration pollInterval,
		@DefaultValue Map<String, CronJobProperties> jobs) {

	/**
	 * A cron.
	 *
	 * @param expression Times at which it fires, such as 0 3 * * *.
	 * @param zone Zone whose clock that is about, such as Europe/Berlin.
	 * @param type Type of the jobs that are enqueued.
	 * @param args Arguments of these jobs.
	 * @param queue Queue of these jobs. That of the handler by default.
	 * @param tenant Tenant that these jobs belong to. Nobody by default.
	 * @param overlap Fate of a run when a job of an earlier one has not ended: skip,
	 * allow, cancel_previous or enqueue.
	 * @param enabled Whether it fires.
	 * @param description Sentence for people.
	 */
	public record CronJobProperties(@Nullable String expression, @DefaultValue("UTC") String zone,
			@Nullable String type, @Nullable List<Object> args, @Nullable String queue, @Nullable String tenant,
			@DefaultValue("skip") String overlap, @DefaultValue("true") boolean enabled, @Nullable String description) {
	}

}
