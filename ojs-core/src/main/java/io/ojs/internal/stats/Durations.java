package io.ojs.internal.stats;

import java.time.Duration;
import java.util.Arrays;

/**
 * A histogram of durations from a millisecond to 24 days. There are four buckets between
 * a duration and twice that duration, so that a percentile is off by 9 % at most.
 */
public final class Durations {

	static final int BUCKETS = 125;

	private static final int IN_AN_OCTAVE = 4;

	private final long[] counts;

	private Durations(long[] counts) {
		this.counts = counts;
	}

	/** Returns an empty histogram. */
	public static Durations none() {
		return new Durations(new long[BUCKETS]);
	}

	/** Returns the bucket of a duration. */
	static int bucket(Duration duration) {
		long millis = duration.toMillis();
		if (millis < 1) {
			return 0;
		}
		// A little more than the logarithm, which is not exact at the edge of a bucket.
		int bucket = (int) (IN_AN_OCTAVE * Math.log(millis) / Math.log(2) + 1e-9) + 1;
		return Math.min(bucket, BUCKETS - 1);
	}

	void add(int bucket, long count) {
		this.counts[bucket] += count;
	}

	/** Adds the durations of another histogram. */
	public void add(Durations other) {
		for (int i = 0; i < BUCKETS; i++) {
			this.counts[i] += other.counts[i];
		}
	}

	/** Returns the number of durations. */
	public long count() {
		return Arrays.stream(this.counts).sum();
	}

	/**
	 * Returns the duration that a part of all durations do not exceed.
	 * @param part above 0.0, up to 1.0
	 * @return milliseconds, 0 or more
	 * @throws IllegalStateException if there is no duration
	 */
	public long percentile(double part) {
		long rank = Math.max(1, (long) Math.ceil(part * count()));
		for (int i = 0; i < BUCKETS; i++) {
			rank -= this.counts[i];
			if (rank <= 0) {
				return (i > 0) ? Math.round(Math.pow(2, (i - 0.5) / IN_AN_OCTAVE)) : 0;
			}
		}
		throw new IllegalStateException("There are no durations.");
	}

	/**
	 * Writes the histogram as text.
	 * @return the buckets that are not empty, such as {@code 12:5 13:7}
	 */
	public String text() {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < BUCKETS; i++) {
			if (this.counts[i] > 0) {
				text.append((text.length() > 0) ? " " : "").append(i).append(':').append(this.counts[i]);
			}
		}
		return text.toString();
	}

	/** Adds the durations of a histogram as text. */
	public void add(String text) {
		int at = 0;
		while (at < text.length()) {
			int colon = text.indexOf(':', at);
			int end = text.indexOf(' ', colon);
			end = (end < 0) ? text.length() : end;
			add(Integer.parseInt(text, at, colon, 10), Long.parseLong(text, colon + 1, end, 10));
			at = end + 1;
		}
	}

}
