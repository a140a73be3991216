package io.ojs.handler.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import io.ojs.job.ErrorCause;
import io.ojs.job.internal.ForeignText;

/**
 * The causes of a throwable, as far as an error keeps them.
 */
final class CauseChain {

	private static final int MAX_CAUSES = 5;

	private static final int MAX_FRAMES = 20;

	private static final int MAX_TYPE = 255;

	private static final int MAX_MESSAGE = 500;

	private CauseChain() {
	}

	/**
	 * Returns the causes of a throwable, the nearest first.
	 * @param secret whether to leave out their messages, which may have values that the
	 * job hides
	 */
	static List<ErrorCause> of(Throwable thrown, boolean secret) {
		List<ErrorCause> causes = new ArrayList<>();
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Throwable effect = thrown;
		seen.add(thrown);
		Throwable cause = StackHash.cause(thrown);
		while (cause != null && causes.size() < MAX_CAUSES && seen.add(cause)) {
			causes.add(new ErrorCause(ForeignText.beginning(cause.getClass().getName(), MAX_TYPE),
					secret ? "" : message(cause), frames(cause, effect)));
			effect = cause;
			cause = StackHash.cause(cause);
		}
		return causes;
	}

	private static String message(Throwable thrown) {
		try {
			String message = thrown.getMessage();
			return (message != null) ? ForeignText.beginning(message, MAX_MESSAGE) : "";
		}
		catch (RuntimeException ex) {
			return "";
		}
	}

	/**
	 * Returns the frames of a cause, without those at the end that its effect has, too.
	 */
	private static List<String> frames(Throwable cause, Throwable effect) {
		StackTraceElement[] own = StackHash.frames(cause);
		StackTraceElement[] others = StackHash.frames(effect);
		int common = 0;
		while (common < own.length && common < others.length
				&& own[own.length - 1 - common].equals(others[others.length - 1 - common])) {
			common++;
		}
		return Arrays.stream(own)
			.limit(Math.min(MAX_FRAMES, own.length - common))
			.map(StackTraceElement::toString)
			.toList();
	}

}
