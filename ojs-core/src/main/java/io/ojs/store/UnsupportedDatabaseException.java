package io.ojs.store;

import io.ojs.ErrorCode;

/**
 * Thrown if jobs cannot be kept in a database, because it is not supported.
 */
public final class UnsupportedDatabaseException extends StoreException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param product the database
	 * @param supported the databases that are supported
	 */
	public UnsupportedDatabaseException(String product, String supported) {
		super(ErrorCode.UNSUPPORTED_FEATURE,
				"Jobs cannot be kept in %s; the DataSource of the job store must lead to one of: %s. ".formatted(
						product, supported) + "Mark one that does with @OjsDataSource, or set ojs.store.enabled=false.",
				null);
	}

}
