package io.ojs.deadletter.internal;

import java.util.function.UnaryOperator;

import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.InvalidDeadLetterRequestException;
import io.ojs.job.InvalidJobException;
import org.jspecify.annotations.Nullable;

/**
 * Checks of requests that the job store and the broker share.
 */
public final class DeadLetterRequests {

	private DeadLetterRequests() {
	}

	/**
	 * Rejects an operation on many dead letters that is not confirmed.
	 * @throws InvalidDeadLetterRequestException if it is not
	 */
	public static void confirmed(boolean confirm) {
		if (!confirm) {
			throw new InvalidDeadLetterRequestException("confirm", false,
					"must be true, because this changes many dead letters at once");
		}
	}

	/**
	 * Rejects a value that breaks a rule for jobs.
	 * @param value the value; {@code null} if there is none
	 * @throws InvalidDeadLetterRequestException if it does
	 */
	public static void rule(String field, @Nullable String value, UnaryOperator<String> rule) {
		if (value == null) {
			return;
		}
		try {
			rule.apply(value);
		}
		catch (InvalidJobException ex) {
			throw new InvalidDeadLetterRequestException(field, value, ex.problem());
		}
	}

	/** Returns the prefix of a pattern without its {@code .*}, or the pattern. */
	public static String stem(String pattern) {
		return DeadLetterFilter.isPrefix(pattern) ? pattern.substring(0, pattern.length() - 2) : pattern;
	}

	/**
	 * Rejects a value that only the other side can handle.
	 * @param value the value; {@code null} if there is none
	 * @param reason why it must be left out, as the end of a sentence
	 * @throws InvalidDeadLetterRequestException if there is a value
	 */
	public static void unsupported(String field, @Nullable Object value, String reason) {
		if (value != null) {
			throw new InvalidDeadLetterRequestException(field, value, "must be left out, because " + reason);
		}
	}

}
