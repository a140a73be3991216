package io.ojs.crypto;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;

/**
 * The arguments of a job cannot be decrypted, or have to be encrypted and are not.
 * Another attempt cannot help.
 */
public class UndecryptableException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param keyId the id of the key
	 * @param problem what is wrong
	 */
	public UndecryptableException(String keyId, String problem) {
		super(ErrorCode.INVALID_ARGS, "What was encrypted with the key '%s' cannot be decrypted: %s."
			.formatted(ForeignText.escape(keyId), problem), null);
	}

	/**
	 * Creates the exception.
	 * @param type the type of the job
	 * @param required the condition that the arguments break
	 * @param problem what is wrong
	 */
	public UndecryptableException(String type, String required, String problem) {
		super(ErrorCode.INVALID_ARGS,
				"The arguments of jobs of type '%s' have to be %s (ojs.encryption.require), but %s."
					.formatted(ForeignText.escape(type), required, problem),
				null);
	}

}
