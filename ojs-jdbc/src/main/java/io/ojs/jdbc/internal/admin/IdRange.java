package io.ojs.jdbc.internal.admin;

import java.math.BigInteger;
import java.time.Instant;
import java.util.UUID;

import io.ojs.internal.admin.JobSearch;
import org.jspecify.annotations.Nullable;

/**
 * A range of ids. UUIDs are ordered as databases order them: by their bits, without a
 * sign.
 *
 * @param from the lowest id
 * @param before the end, exclusive
 */
record IdRange(UUID from, UUID before) {

	private static final int HEX_DIGITS = 32;

	private static final int BITS_OF_HALF = 64;

	private static final BigInteger MAX = BigInteger.ONE.shiftLeft(2 * BITS_OF_HALF).subtract(BigInteger.ONE);

	private static final long MAX_MILLIS = (1L << 48) - 1;

	/** The bits of a UUIDv7 behind its time. */
	private static final int BITS_BEHIND_TIME = 16;

	/**
	 * Returns the ids that jobs can have which meet criteria.
	 * @param before the end, exclusive; {@code null} for none
	 */
	static IdRange of(JobSearch.Criteria criteria, @Nullable String before) {
		BigInteger from = BigInteger.ZERO;
		BigInteger end = MAX;
		String prefix = criteria.idPrefix();
		if (prefix != null) {
			int shift = (HEX_DIGITS - prefix.length()) * 4;
			BigInteger number = new BigInteger(prefix, 16);
			from = number.shiftLeft(shift);
			end = end.min(number.add(BigInteger.ONE).shiftLeft(shift));
		}
		Instant since = criteria.filter().since();
		if (since != null) {
			from = from.max(number(at(since.toEpochMilli())));
		}
		Instant until = criteria.filter().until();
		if (until != null) {
			// A UUIDv7 has milliseconds: those that have begun before the time belong to
			// it.
			end = end.min(number(at(until.minusNanos(1).toEpochMilli() + 1)));
		}
		if (before != null) {
			end = end.min(number(UUID.fromString(before)));
		}
		return new IdRange(uuid(from), uuid(end));
	}

	boolean isEmpty() {
		return number(this.from).compareTo(number(this.before)) >= 0;
	}

	/** Returns the time in the id of a job. */
	static Instant time(UUID id) {
		return Instant.ofEpochMilli(id.getMostSignificantBits() >>> BITS_BEHIND_TIME);
	}

	private static UUID at(long millis) {
		return new UUID(Math.max(0, Math.min(millis, MAX_MILLIS)) << BITS_BEHIND_TIME, 0);
	}

	private static BigInteger number(UUID id) {
		return new BigInteger(id.toString().replace("-", ""), 16);
	}

	private static UUID uuid(BigInteger number) {
		return new UUID(number.shiftRight(BITS_OF_HALF).longValue(), number.longValue());
	}

}
