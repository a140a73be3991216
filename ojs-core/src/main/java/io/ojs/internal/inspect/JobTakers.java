package io.ojs.internal.inspect;

import java.time.Instant;

import io.ojs.internal.engine.JobRow;
import io.ojs.job.internal.HandledJobs;
import org.jspecify.annotations.Nullable;

/**
 * The processes and HTTP workers that take a job, as far as the job store knows them.
 *
 * @param ofQueue how many take jobs of its queue
 * @param ofType how many of those take its type, in any version
 * @param ofVersion how many of those take its version
 * @param lastFetch when a worker last fetched from its queue; {@code null} if none did
 */
record JobTakers(int ofQueue, int ofType, int ofVersion, @Nullable Instant lastFetch) {

	/** Counts one more. */
	JobTakers plus(JobRow row, HandledJobs handled) {
		return new JobTakers(this.ofQueue + 1, this.ofType + (handled.contain(row.type, null) ? 1 : 0),
				this.ofVersion + (handled.contain(row.type, row.version()) ? 1 : 0), this.lastFetch);
	}

}
