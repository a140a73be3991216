package io.ojs.crypto;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * A {@link PayloadCodec} failed to encode arguments before their encryption.
 */
public class UnencodableException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param encoding the encoding
	 * @param failure what went wrong
	 * @param cause the cause
	 */
	public UnencodableException(String encoding, String failure, @Nullable Throwable cause) {
		super(ErrorCode.INVALID_ARGS, "The codec of '%s' cannot encode what is to be encrypted: it failed with %s."
			.formatted(ForeignText.escape(encoding), failure), cause);
	}

}
