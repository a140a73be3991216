package io.ojs;

import java.util.Map;

import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Root of the exceptions that this library throws on purpose. The message of each
 * subclass names the field, key or bean, the value found there and the fix. The message
 * is escaped where a character is not visible, because values come from outside.
 */
public abstract class OjsException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final ErrorCode code;

	protected OjsException(ErrorCode code, String message) {
		this(code, message, null);
	}

	protected OjsException(ErrorCode code, String message, @Nullable Throwable cause) {
		super(ForeignText.escape(message), cause);
		this.code = code;
	}

	/**
	 * The kind of error (OJS Errors §4).
	 * @return the name of an {@link ErrorCode}, such as {@code QUEUE_FULL}
	 */
	public final String code() {
		return this.code.name();
	}

	/**
	 * Whether the same request may succeed later without a change by the caller (OJS
	 * Errors §7).
	 * @return {@code false} if another attempt cannot help
	 */
	public boolean isRetryable() {
		return this.code.isRetryable();
	}

	/**
	 * Values beside the message, such as the state of the job or the name of what does
	 * not exist: the details of an error object (OJS Errors §3).
	 * @return the values by name; a value can be {@code null}
	 */
	public Map<String, @Nullable Object> details() {
		return Map.of();
	}

}
