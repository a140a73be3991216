package io.ojs.boot;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Job store in a database.
 *
 * @param enabled Whether jobs are kept in the database of the application's DataSource,
 * if it has one.
 * @param initializeSchema Databases whose tables the application migrates when it starts:
 * embedded, only embedded ones; always, all; or never, none.
 * @param relayGrace Time for which the relay leaves a new job to the thread that
 * publishes it right after the commit; at least 2s.
 * @param relayBatchSize Number of jobs that the relay takes at once, 1 to 10000.
 * @param relayPollInterval Longest time until the relay looks again for jobs that are due
 * or not published yet.
 * @param overdueAfter Time after which a published job that no worker has begun is
 * overdue. If the broker has fewer messages than there are overdue jobs, the missing ones
 * are published again.
 * @param reapInterval Interval between two searches for running jobs whose worker is
 * gone.
 * @param eventRetention Time for which events are kept. With 0 there is no event feed.
 * @param retainMinutes Time for which the numbers of ended jobs over time are kept; those
 * of single minutes for 6 hours at most. With 0 they are not recorded.
 * @param lease Time without a sign of life after which a worker loses its job, unless the
 * queue has a visibility-timeout; at least 1s.
 * @param labels Keys of meta whose values jobs can be searched by, at most 20.
 */
public record StoreProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue("embedded") SchemaInitialization initializeSchema, @DefaultValue("10s") Duration relayGrace,
		@DefaultValue("500") int relayBatchSize, @DefaultValue("1s") Duration relayPollInterval,
		@DefaultValue("5m") Duration overdueAfter, @DefaultValue("5s") Duration reapInterval,
		@DefaultValue("7d") Duration eventRetention, @DefaultValue("7d") Duration retainMinutes,
		@DefaultValue("30s") Duration lease, @DefaultValue List<String> labels) {

	/**
	 * The databases whose tables the application migrates.
	 */
	public enum SchemaInitialization {

		/** Embedded databases, which run in this process. */
		EMBEDDED,

		/** All databases. */
		ALWAYS,

		/** No database: Flyway, Liquibase or an operator runs the scripts. */
		NEVER

	}

}
