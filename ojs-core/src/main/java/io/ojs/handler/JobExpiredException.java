package io.ojs.handler;

import java.time.OffsetDateTime;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.Rfc3339;

/**
 * A job was received after its {@code expires_at}, so it was not run (OJS Core §5.2).
 */
public class JobExpiredException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param expiresAt the {@code expires_at} of the job
	 */
	public JobExpiredException(OffsetDateTime expiresAt) {
		super(ErrorCode.JOB_EXPIRED,
				"The job was not started before its expires_at, %s.".formatted(Rfc3339.format(expiresAt)));
	}

}
