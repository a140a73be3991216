package io.ojs.amqp.internal.topology;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * The version of RabbitMQ that the application is connected to. Each call reads it from
 * the open connection, without a request, since an operator may upgrade the broker while
 * the application runs.
 */
public final class BrokerVersion {

	private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

	private final RabbitTemplate template;

	public BrokerVersion(RabbitTemplate template) {
		this.template = template;
	}

	/**
	 * Whether the broker has a version or a later one.
	 * @param major the major version, such as 3
	 * @param minor the minor version, such as 11
	 * @return whether it has; {@code false} if the broker does not report a version
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
