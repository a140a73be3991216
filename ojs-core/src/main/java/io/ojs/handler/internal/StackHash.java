package io.ojs.handler.internal;

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
 * Hashes where a throwable comes from: the classes of the throwable and its causes, and
 * the class and method of each frame. Messages and line numbers are left out, because
 * they change with the data and with deployments.
 */
final class StackHash {

	private static final int DIGITS = 16;

	/** Further causes do not make the hash more specific. */
	private static final int MAX_CAUSES = 50;

	/** After some calls of a method, the JVM calls it by other reflection classes. */
	private static final Pattern PLUMBING = Pattern
		.compile("(jdk\\.internal\\.reflect|sun\\.reflect|java\\.lang\\.reflect|java\\.lang\\.invoke)\\..*");

	/**
	 * The numbers in names of generated classes depend on the order of their creation.
	 */
	private static final Pattern GENERATED = Pattern.compile("(jdk\\.proxy\\d+\\.)?(\\$Proxy|\\$\\$Lambda)[\\d$/].*");

	private StackHash() {
	}

	/**
	 * Hashes a throwable.
	 * @return the first 16 hexadecimal digits of a SHA-256
	 */
	static String of(Throwable thrown) {
		StringBuilder text = new StringBuilder();
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Throwable next = thrown;
		while (next != null && seen.size() < MAX_CAUSES && seen.add(next)) {
			text.append(stable(next.getClass().getName())).append('\n');
			// A set: the depth of a recursion makes no difference.
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

	/** The getters of a foreign exception can throw. */
	static StackTraceElement[] frames(Throwable thrown) {
		try {
			return thrown.getStackTrace();
		}
		catch (RuntimeException ex) {
			return new StackTraceElement[0];
		}
	}

	static @Nullable Throwable cause(Throwable thrown) {
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
