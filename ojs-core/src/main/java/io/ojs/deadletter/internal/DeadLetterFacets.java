package io.ojs.deadletter.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The dead letters that match a filter, counted by what they have in common. Values are
 * in the order of their numbers, the largest first.
 *
 * @param counted how many were counted, the newest first
 * @param complete whether these are all that match
 * @param newest when the newest of them became a dead letter; {@code null} if there is
 * none
 * @param queues the queues in which the jobs failed
 * @param types the types of the jobs
 * @param errorTypes the types of the last errors
 * @param errorHashes the places in the code; without failures that have none
 * @param samples the newest failure at each of these places, by its hash
 * @param ages the numbers by the time since they became dead letters
 */
public record DeadLetterFacets(long counted, boolean complete, @Nullable Instant newest, List<Value> queues,
		List<Value> types, List<Value> errorTypes, List<Value> errorHashes, Map<String, Sample> samples,
		Map<Age, Long> ages) {

	/** How many dead letters are counted at most. */
	public static final int BOUND = 100_000;

	/** How many values are listed of each kind. */
	public static final int VALUES = 50;

	/**
	 * Dead letters with one value.
	 *
	 * @param first when the first of them became a dead letter
	 * @param last when the last of them became a dead letter
	 */
	public record Value(String value, long count, Instant first, Instant last) {
	}

	/**
	 * A failure at a place in the code.
	 *
	 * @param jobType the type of the job
	 * @param type the type of the error
	 * @param message the beginning of its message
	 * @param frame the innermost frame; {@code null} if it is not known
	 */
	public record Sample(String jobType, String type, String message, @Nullable String frame) {
	}

	/**
	 * The time since a job became a dead letter.
	 */
	public enum Age {

		/** Less than an hour. */
		HOUR("1h", Duration.ofHours(1)),

		/** Less than a day. */
		DAY("1d", Duration.ofDays(1)),

		/** Less than a week. */
		WEEK("7d", Duration.ofDays(7)),

		/** More than that. */
		OLDER("older", Duration.ofDays(365_000));

		private final String wireName;

		private final Duration below;

		Age(String wireName, Duration below) {
			this.wireName = wireName;
			this.below = below;
		}

		/** The name in JSON. */
		public String wireName() {
			return this.wireName;
		}

		/** The time that it is shorter than. */
		public Duration below() {
			return this.below;
		}

	}

}
