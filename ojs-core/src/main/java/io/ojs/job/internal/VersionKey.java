package io.ojs.job.internal;

import io.ojs.job.JobVersion;

/**
 * A version as one number, by which databases order and compare versions.
 */
public final class VersionKey {

	/** One more than the highest major or minor number. */
	public static final int NUMBERS = 1_000_000_000;

	private VersionKey() {
	}

	/** Returns the key of a version. Later versions have greater keys. */
	public static long of(JobVersion version) {
		return (long) version.major() * NUMBERS + version.minor();
	}

	/**
	 * Returns the version with a key.
	 * @throws io.ojs.job.InvalidJobException if there is no such version
	 */
	public static JobVersion version(long key) {
		return new JobVersion((int) (key / NUMBERS), (int) (key % NUMBERS));
	}

}
