package io.ojs.handler;

import java.time.OffsetDateTime;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.Rfc3339;

/**
 * A job came too late: its {@code expires_at} had passed, so it was not run (OJS Core
 * §5.2).
 */
public class JobExpiredException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Says when it expired.
	 * @param expiresAt its {@code expires_at}
	 */
	public JobExpiredException(OffsetDateTime expiresAt) {
		super(ErrorCode.JOB_EXPIRED,
				"The job was not started before its expires_at, %s.".formatted(Rfc3339.format(expiresAt)));
	}

}
