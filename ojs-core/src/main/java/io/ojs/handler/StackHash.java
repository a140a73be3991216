package io.ojs.handler;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What failures at the same place in the code have in common: the classes of a throwable
 * and its causes, and the class and method of each frame. Neither messages nor line
 * numbers, which change with the data and with every deployment.
 */
final class StackHash {

	private static final int DIGITS = 16;

	/** Causes beyond these tell no more. */
	private static final int MAX_CAUSES = 50;

	/** How a method is called by reflection changes after some calls. */
	private static final Pattern PLUMBING = Pattern
		.compile("(jdk\\.internal\\.reflect|sun\\.reflect|java\\.lang\\.reflect|java\\.lang\\.invoke)\\..*");

	/** Classes made at run time are numbered in the order in which they are made. */
	private static final Pattern GENERATED = Pattern.compile("(jdk\\.proxy\\d+\\.)?(\\$Proxy|\\$\\$Lambda)[\\d$/].*");

	private StackHash() {
	}

	/**
	 * Hashes a throwable.
	 * @param thrown any throwable
	 * @return the first 16 hexadecimal digits of a SHA-256
	 */
	static String of(Throwable thrown) {
		StringBuilder text = new StringBuilder();
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Throwable next = thrown;
		while (next != null && seen.size() < MAX_CAUSES && seen.add(next)) {
			text.append(stable(next.getClass().getName())).append('\n');
			// A recursion is the same fault however deep it went.
			Set<String> frames = new LinkedHashSet<>();
			for (StackTraceElement frame : frames(next)) {
				if (!PLUMBING.matcher(frame.getClassName()).matches()) {
					frames.add("\t" + stable(frame.getClassName()) + '.' + frame.getMethodName() + '\n');
				}
			}
			frames.forEach(text::append);
			next = cause(next);
		}
		return HexFormat.of().formatHex(sha256(text.toString())).substring(0, DIGITS);
	}

	private static String stable(String className) {
		return GENERATED.matcher(className).replaceFirst("$2");
	}

	/** Exceptions of others may fail to say where they come from. */
	private static StackTraceElement[] frames(Throwable thrown) {
		try {
			return thrown.getStackTrace();
		}
		catch (RuntimeException ex) {
			return new StackTraceElement[0];
		}
	}

	private static @Nullable Throwable cause(Throwable thrown) {
		try {
			return thrown.getCause();
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	private static byte[] sha256(String text) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256.", ex);
		}
	}

}
