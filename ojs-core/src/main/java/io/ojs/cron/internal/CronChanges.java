package io.ojs.cron.internal;

import java.time.Instant;

import io.ojs.cron.CronJob;
import io.ojs.cron.CronRequest;
import org.jspecify.annotations.Nullable;

/**
 * Changed copies of crons.
 */
final class CronChanges {

	private CronChanges() {
	}

	static CronJob request(CronJob cron, CronRequest value, boolean nowEnabled, String nowSource,
			@Nullable Instant next) {
		return new CronJob(value, nowEnabled, nowSource, cron.createdAt(), next, cron.lastRunAt(), cron.lastJobId(),
				cron.runCount());
	}

	static CronJob enabled(CronJob cron, boolean value, @Nullable Instant next) {
		return new CronJob(cron.request(), value, cron.source(), cron.createdAt(), next, cron.lastRunAt(),
				cron.lastJobId(), cron.runCount());
	}

	static CronJob next(CronJob cron, @Nullable Instant next) {
		return enabled(cron, cron.enabled(), next);
	}

	static CronJob ran(CronJob cron, String jobId, Instant at) {
		return new CronJob(cron.request(), cron.enabled(), cron.source(), cron.createdAt(), cron.nextRunAt(), at, jobId,
				cron.runCount() + 1);
	}

}
