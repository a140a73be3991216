package io.ojs.deadletter;

import java.time.DateTimeException;
import java.time.Instant;

import io.ojs.job.InvalidJobException;
import io.ojs.job.JobRules;

/**
 * A place between dead letters, which stays where it is whatever comes and goes.
 *
 * @param deadLetteredAt when the one before the place became a dead letter
 * @param jobId the id of the one before the place
 */
public record DeadLetterCursor(Instant deadLetteredAt, String jobId) {

	/**
	 * Reads a place that was written by {@link #toString()}.
	 * @param text the place
	 * @return the place
	 * @throws InvalidDeadLetterRequestException if it is none
	 */
	public static DeadLetterCursor parse(String text) {
		int separator = text.indexOf('_');
		try {
			if (separator > 0) {
				return new DeadLetterCursor(Instant.parse(text.substring(0, separator)),
						JobRules.id(text.substring(separator + 1)));
			}
		}
		catch (DateTimeException | InvalidJobException ex) {
			// It is said below.
		}
		throw new InvalidDeadLetterRequestException("cursor", text, "must be what the page before ended with");
	}

	@Override
	public String toString() {
		return this.deadLetteredAt + "_" + this.jobId;
	}

}
