package io.ojs.job;

import java.util.List;

/**
 * A cause of the exception of a failed attempt, an extension of OJS Errors §6.
 *
 * @param type the class name of the cause
 * @param message the beginning of its message, at most 500 characters; empty without a
 * message, and if the arguments of the job are encrypted
 * @param frames its stack frames, outermost call last, at most 20, without those that the
 * exception has in common which it is the cause of; may be empty
 */
public record ErrorCause(String type, String message, List<String> frames) {

	public ErrorCause {
		frames = List.copyOf(frames);
	}

}
