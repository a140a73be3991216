package io.ojs.crypto;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.ForeignText;

/**
 * What was encrypted cannot be decrypted, and trying again does not help.
 */
public class UndecryptableException extends OjsException {

	private static final long serialVersionUID = 1L;

	UndecryptableException(String keyId, String problem) {
		super(ErrorCode.INVALID_ARGS, "What was encrypted with the key '%s' cannot be decrypted: %s."
			.formatted(ForeignText.escape(keyId), problem), null);
	}

}
