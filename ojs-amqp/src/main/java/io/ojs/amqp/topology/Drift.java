package io.ojs.amqp.topology;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A queue or exchange that exists on the broker with other arguments than this
 * application wants. The application uses it as it is; only deleting and declaring it
 * again changes it. The broker reports one argument at a time, the first that differs.
 *
 * @param name the AMQP queue or exchange
 * @param argument the argument that differs, such as {@code x-max-length} or
 * {@code type}; empty if the broker does not report it
 * @param wanted the value that this application wants, or {@code null} for none
 * @param present the value on the broker, or {@code null} for none
 * @param answer the broker's answer
 */
public record Drift(String name, String argument, @Nullable String wanted, @Nullable String present, String answer) {

	/** The wording of RabbitMQ 3.10 to 4.3. */
	private static final Pattern INEQUIVALENT = Pattern
		.compile("inequivalent arg '([^']+)' for \\S+ '.*' in vhost '.*': received (.*) but current is (.*?)"
				+ "(, class-id=.*)?", Pattern.DOTALL);

	private static final Pattern VALUE = Pattern.compile("(?:the value )?'(.*?)'(?: of type '.*')?", Pattern.DOTALL);

	static Drift parse(String name, String answer) {
		int start = answer.indexOf("inequivalent arg");
		Matcher told = INEQUIVALENT.matcher((start >= 0) ? answer.substring(start) : "");
		return told.matches() ? new Drift(name, told.group(1), value(told.group(2)), value(told.group(3)), answer)
				: new Drift(name, "", null, null, answer);
	}

	private static @Nullable String value(String told) {
		if (told.equals("none")) {
			return null;
		}
		Matcher value = VALUE.matcher(told);
		return value.matches() ? value.group(1) : told;
	}

}
