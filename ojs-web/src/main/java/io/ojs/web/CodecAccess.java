package io.ojs.web;

import java.time.Instant;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A request to encode or decode arguments (OJS Encryption §9). Contains no arguments.
 *
 * @param operation {@code encode} or {@code decode}
 * @param caller the name of the caller; {@code null} if it is not known
 * @param jobId the id of the job whose arguments they are, as the caller says;
 * {@code null} if it does not say
 * @param reason why the caller looks at the arguments, as it says; {@code null} if it
 * does not say
 * @param payloads how many payloads the request has
 * @param keyIds the ids of the keys
 * @param succeeded whether all payloads were encoded or decoded; if not, the answer shows
 * none
 * @param requestId the id of the request
 * @param time when the request was received
 */
public record CodecAccess(String operation, @Nullable String caller, @Nullable String jobId, @Nullable String reason,
		int payloads, Set<String> keyIds, boolean succeeded, String requestId, Instant time) {

	/**
	 * Sets the name of the caller.
	 * @param value the name of the caller
	 * @return a changed copy
	 */
	public CodecAccess caller(@Nullable String value) {
		return new CodecAccess(this.operation, value, this.jobId, this.reason, this.payloads, this.keyIds,
				this.succeeded, this.requestId, this.time);
	}

}
