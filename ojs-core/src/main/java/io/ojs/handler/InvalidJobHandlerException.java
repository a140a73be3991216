package io.ojs.handler;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import org.jspecify.annotations.Nullable;

/**
 * A handler was declared in a way that cannot work. The application does not start.
 */
public class InvalidJobHandlerException extends OjsException {

	private static final long serialVersionUID = 1L;

	private final String fix;

	/**
	 * Says what is wrong.
	 * @param origin where the handler was declared
	 * @param problem what is wrong with it
	 * @param fix what would mend it
	 * @param cause what revealed it
	 */
	public InvalidJobHandlerException(String origin, String problem, String fix, @Nullable Throwable cause) {
		this("The job handler of %s cannot be used: %s".formatted(origin, problem), cause, fix);
	}

	private InvalidJobHandlerException(String message, @Nullable Throwable cause, String fix) {
		super(ErrorCode.APPLICATION_MISCONFIGURED, message, cause);
		this.fix = fix;
	}

	static InvalidJobHandlerException ofUpcaster(String origin, String problem, String fix) {
		return new InvalidJobHandlerException("The job upcaster of %s cannot be used: %s".formatted(origin, problem),
				null, fix);
	}

	/**
	 * What would mend it.
	 * @return a sentence
	 */
	public String fix() {
		return this.fix;
	}

}
