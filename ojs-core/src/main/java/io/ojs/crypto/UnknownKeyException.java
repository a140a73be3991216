package io.ojs.crypto;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.ForeignText;

/**
 * Something was encrypted with a key that is not known here, perhaps not yet.
 */
public class UnknownKeyException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String keyId;

	UnknownKeyException(String keyId) {
		super(ErrorCode.HANDLER_ERROR,
				"The encryption key '%s' is not known here: give it to this application by ojs.encryption.keys, its key file or its EncryptionKeys."
					.formatted(ForeignText.escape(keyId)),
				null);
		this.keyId = keyId;
	}

	/**
	 * The key.
	 * @return its name, as it was told
	 */
	public String keyId() {
		return this.keyId;
	}

}
