package io.ojs.crypto;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;

/**
 * The key of an encrypted job is unknown here, perhaps only for now.
 */
public class UnknownKeyException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String keyId;

	/**
	 * Creates the exception.
	 * @param keyId the id of the key
	 */
	public UnknownKeyException(String keyId) {
		super(ErrorCode.HANDLER_ERROR,
				"The encryption key '%s' is not known here: give it to this application by ojs.encryption.keys, its key file or its EncryptionKeys."
					.formatted(ForeignText.escape(keyId)),
				null);
		this.keyId = keyId;
	}

	/**
	 * The id of the key.
	 * @return the id as the job has it
	 */
	public String keyId() {
		return this.keyId;
	}

}
