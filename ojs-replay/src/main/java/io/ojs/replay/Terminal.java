package io.ojs.replay;

import java.io.Console;
import java.lang.reflect.Method;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The terminal of the command, if a person uses one.
 */
class Terminal {

	private final @Nullable Console console;

	Terminal(@Nullable Console console) {
		this.console = console;
	}

	/**
	 * Whether the command can ask a question. Since Java 22, there may be a console
	 * without a terminal.
	 */
	boolean isInteractive() {
		if (this.console == null) {
			return false;
		}
		try {
			Method isTerminal = Console.class.getMethod("isTerminal");
			return Boolean.TRUE.equals(isTerminal.invoke(this.console));
		}
		catch (NoSuchMethodException ex) {
			return true;
		}
		catch (ReflectiveOperationException ex) {
			return false;
		}
	}

	/**
	 * Asks a question.
	 * @param question the question
	 * @return whether the answer is yes
	 */
	boolean confirms(String question) {
		String answer = (this.console != null) ? this.console.readLine("%s [y/N] ", question) : null;
		return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
	}

}
