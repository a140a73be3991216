package io.ojs.amqp.listen;

import java.io.Serial;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.store.Claim;
import org.jspecify.annotations.Nullable;

/**
 * The job store did not say that the job of a delivery is to be run now, so its handler
 * was not called. Only on the way from the listener to the interceptor around it.
 */
final class NotClaimedException extends OjsException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient @Nullable Claim claim;

	/**
	 * Says why.
	 * @param claim what the store said; {@code null} if it could not be asked for as long
	 * as the delivery was there
	 */
	NotClaimedException(@Nullable Claim claim) {
		super((claim != null) ? ErrorCode.INVALID_STATE_TRANSITION : ErrorCode.BACKEND_UNAVAILABLE,
				"Not claimed: " + claim, null);
		this.claim = claim;
	}

	@Nullable Claim claim() {
		return this.claim;
	}

}
