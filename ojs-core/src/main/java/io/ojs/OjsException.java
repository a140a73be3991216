package io.ojs;

import io.ojs.job.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Root of everything that this library throws on purpose. Each subclass names the field,
 * key or bean, the value it met and what would mend it. What is no visible character in a
 * message is escaped: values come from outside.
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
	 * What kind of error it is (OJS Errors §4).
	 * @return the name of an {@link ErrorCode}, such as {@code QUEUE_FULL}
	 */
	public final String code() {
		return this.code.name();
	}

	/**
	 * Whether the same request may succeed later, with nothing changed by whoever makes
	 * it (OJS Errors §7).
	 * @return {@code false} if trying again cannot help
	 */
	public boolean isRetryable() {
		return this.code.isRetryable();
	}

}
