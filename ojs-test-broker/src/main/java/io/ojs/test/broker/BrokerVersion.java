package io.ojs.test.broker;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line of a RabbitMQ version: the first two numbers of {@code 3.10.8} or
 * {@code 4.1.0-rc.1}.
 */
record BrokerVersion(int major, int minor) {

	private static final Pattern LINE = Pattern.compile("(\\d+)\\.(\\d+).*");

	static BrokerVersion parse(String version) {
		Matcher line = LINE.matcher(version);
		if (!line.matches()) {
			throw new IllegalArgumentException("Not a RabbitMQ version: '" + version + "'; expected one like 4.0.5");
		}
		return new BrokerVersion(Integer.parseInt(line.group(1)), Integer.parseInt(line.group(2)));
	}

	boolean isAtLeast(int major, int minor) {
		return this.major > major || (this.major == major && this.minor >= minor);
	}

}
