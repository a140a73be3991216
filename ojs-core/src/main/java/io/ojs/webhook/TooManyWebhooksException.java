package io.ojs.webhook;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A tenant has, or the operators have, the largest number of subscriptions. Nothing was
 * changed.
 */
public class TooManyWebhooksException extends OjsException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param tenant the tenant; {@code null} for the operators
	 * @param limit the largest number
	 */
	public TooManyWebhooksException(@Nullable String tenant, int limit) {
		super(ErrorCode.INVALID_STATE_TRANSITION,
				"%s %d subscriptions, and no more can be made. Delete some that are not needed."
					.formatted((tenant != null) ? "Tenant '%s' has".formatted(tenant) : "There are", limit));
	}

}
