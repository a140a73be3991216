package io.ojs;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything that this library throws on purpose. Each subclass names the field,
 * key or bean, the value it met and what would mend it.
 */
public abstract class OjsException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	protected OjsException(String message) {
		super(message);
	}

	protected OjsException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
