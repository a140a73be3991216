package io.ojs.crypto;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.ForeignText;

/**
 * A key for encryption cannot be one, or the one to encrypt with is missing. Says nothing
 * of what it is.
 */
public class InvalidEncryptionKeyException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Says what is wrong.
	 * @param id the name of the key
	 * @param problem what is wrong and what to do about it
	 */
	public InvalidEncryptionKeyException(String id, String problem) {
		super(ErrorCode.APPLICATION_MISCONFIGURED,
				"The encryption key '%s' cannot be used: %s.".formatted(ForeignText.escape(id), problem), null);
	}

}
