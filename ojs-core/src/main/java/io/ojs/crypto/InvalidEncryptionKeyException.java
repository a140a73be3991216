package io.ojs.crypto;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;

/**
 * An encryption key is invalid, or the active one is missing. The message does not show
 * the key.
 */
public class InvalidEncryptionKeyException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param id the id of the key
	 * @param problem what is wrong, and the fix
	 */
	public InvalidEncryptionKeyException(String id, String problem) {
		super(ErrorCode.APPLICATION_MISCONFIGURED,
				"The encryption key '%s' cannot be used: %s.".formatted(ForeignText.escape(id), problem), null);
	}

}
