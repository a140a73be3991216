package io.ojs.web;

import java.time.Instant;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Somebody had arguments encoded or decoded (OJS Encryption §9). Says nothing of them.
 *
 * @param operation {@code encode} or {@code decode}
 * @param caller who it was; {@code null} as long as nobody has found that out
 * @param payloads how many
 * @param keyIds by which keys
 * @param succeeded whether it could be done; if not, nothing was shown
 * @param requestId the request
 * @param time when
 */
public record CodecAccess(String operation, @Nullable String caller, int payloads, Set<String> keyIds,
		boolean succeeded, String requestId, Instant time) {

	/**
	 * Says who it was.
	 * @param value who it was
	 * @return the same with it
	 */
	public CodecAccess caller(@Nullable String value) {
		return new CodecAccess(this.operation, value, this.payloads, this.keyIds, this.succeeded, this.requestId,
				this.time);
	}

}
