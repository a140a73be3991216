package io.ojs.client;

import io.ojs.ErrorCode;
import io.ojs.OjsException;

/**
 * Something was asked for that needs a job store, and there is none.
 */
public class JobStoreRequiredException extends OjsException {

	/** What to do about it, as the end of a sentence. */
	public static final String FIX = "give the application a DataSource and spring-jdbc, such as by "
			+ "spring-boot-starter-jdbc, and leave ojs.store.enabled at true.";

	private static final long serialVersionUID = 1L;

	/**
	 * Says what was asked for.
	 * @param what the beginning of a sentence, such as {@code Activating a job}
	 */
	public JobStoreRequiredException(String what) {
		super(ErrorCode.UNSUPPORTED_FEATURE, what + " needs a job store: " + FIX, null);
	}

}
