package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * The operation needs a job store, and the application has none.
 */
public class JobStoreRequiredException extends OjsException {

	/** The fix, as the end of a sentence. */
	public static final String FIX = "give the application a DataSource and spring-jdbc, such as by "
			+ "spring-boot-starter-jdbc, and leave ojs.store.enabled at true.";

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param what the operation, as the beginning of a sentence, such as
	 * {@code Activating a job}
	 */
	public JobStoreRequiredException(String what) {
		super(ErrorCode.UNSUPPORTED_FEATURE, what + " needs a job store: " + FIX, null);
	}

}
