package io.ojs.deadletter;

import java.time.Instant;

import io.ojs.job.InvalidJobException;
import io.ojs.job.internal.JobRules;
import io.ojs.job.internal.Rfc3339;

/**
 * A position between dead letters, which does not move when others are added or removed.
 *
 * @param deadLetteredAt when the job before this position became a dead letter
 * @param jobId the id of the job before this position
 */
public record DeadLetterCursor(Instant deadLetteredAt, String jobId) {

	/**
	 * Parses the text of {@link #toString()}.
	 * @param text the text
	 * @return the position
	 * @throws InvalidDeadLetterRequestException if the text is not a position
	 */
	public static DeadLetterCursor parse(String text) {
		int separator = text.indexOf('_');
		try {
			if (separator > 0) {
				return new DeadLetterCursor(Rfc3339.parse("cursor", text.substring(0, separator)).toInstant(),
						JobRules.id(text.substring(separator + 1)));
			}
		}
		catch (InvalidJobException ex) {
			// Reported below.
		}
		throw new InvalidDeadLetterRequestException("cursor", text, "must be what the page before ended with");
	}

	@Override
	public String toString() {
		return this.deadLetteredAt + "_" + this.jobId;
	}

}
