package io.ojs.amqp.topology;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * What the broker says it is. Asked anew each time, since it may be upgraded while the
 * application runs; the answer is already there, with the connection.
 */
public final class BrokerVersion {

	private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

	private final RabbitTemplate template;

	/**
	 * Creates it.
	 * @param template gives the connection
	 */
	public BrokerVersion(RabbitTemplate template) {
		this.template = template;
	}

	/**
	 * Whether the broker is of a line or a later one.
	 * @param major such as 3
	 * @param minor such as 11
	 * @return whether it is; {@code false} if it does not say
	 * @throws AmqpException if there is no connection
	 */
	public boolean isAtLeast(int major, int minor) {
		Matcher version = VERSION.matcher(version());
		if (!version.matches()) {
			return false;
		}
		int ofMajor = Integer.parseInt(version.group(1));
		return ofMajor > major || (ofMajor == major && Integer.parseInt(version.group(2)) >= minor);
	}

	private String version() {
		Map<String, Object> properties = this.template
			.execute((channel) -> channel.getConnection().getServerProperties());
		return (properties != null) ? String.valueOf(properties.get("version")) : "";
	}

}
