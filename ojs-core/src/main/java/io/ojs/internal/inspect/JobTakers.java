package io.ojs.internal.inspect;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The processes and HTTP workers that take a job, as far as the job store knows them.
 *
 * @param ofQueue how many take jobs of its queue
 * @param ofType how many of those take its type, in any version
 * @param ofVersion how many of those take its version
 * @param lastFetch when a worker last fetched from its queue; {@code null} if none did
 */
public record JobTakers(int ofQueue, int ofType, int ofVersion, @Nullable Instant lastFetch) {

	/** Counts one more. */
	public JobTakers plus(boolean type, boolean version) {
		return new JobTakers(this.ofQueue + 1, this.ofType + (type ? 1 : 0), this.ofVersion + (version ? 1 : 0),
				this.lastFetch);
	}

}
