package io.ojs.test.broker;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;

/**
 * The address of a broker, with the credentials for it.
 */
record BrokerAddress(String host, int port, String username, String password, String virtualHost) {

	private static final int DEFAULT_PORT = 5672;

	private static final int TIMEOUT_MILLIS = 5_000;

	static BrokerAddress parse(String uri) {
		URI parsed;
		try {
			parsed = URI.create(uri);
		}
		catch (IllegalArgumentException ex) {
			// Without the cause, because its message repeats the URI and so the password.
			throw new ConfiguredBrokerException(describe(uri), null);
		}
		if (!"amqp".equals(parsed.getScheme()) || parsed.getHost() == null) {
			throw new ConfiguredBrokerException(describe(uri), null);
		}
		String[] user = (parsed.getRawUserInfo() != null) ? parsed.getRawUserInfo().split(":", 2) : new String[0];
		String path = parsed.getRawPath();
		return new BrokerAddress(parsed.getHost(), (parsed.getPort() != -1) ? parsed.getPort() : DEFAULT_PORT,
				(user.length > 0) ? decode(user[0]) : "guest", (user.length > 1) ? decode(user[1]) : "guest",
				(path.length() > 1) ? decode(path.substring(1)) : "/");
	}

	String uri() {
		return "amqp://%s:%s@%s:%d/%s".formatted(encode(this.username), encode(this.password), this.host, this.port,
				encode(this.virtualHost));
	}

	BrokerAddress withVirtualHost(String name) {
		return new BrokerAddress(this.host, this.port, this.username, this.password, name);
	}

	/**
	 * Logs in and asks the broker for its version. If the password is known to this
	 * broker alone, the answer also proves that no other broker has taken the port.
	 */
	String askVersion() throws IOException, TimeoutException {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(this.host);
		factory.setPort(this.port);
		factory.setUsername(this.username);
		factory.setPassword(this.password);
		factory.setVirtualHost(this.virtualHost);
		factory.setAutomaticRecoveryEnabled(false);
		factory.setConnectionTimeout(TIMEOUT_MILLIS);
		factory.setHandshakeTimeout(TIMEOUT_MILLIS);
		try (Connection connection = factory.newConnection("ojs-test")) {
			return String.valueOf(connection.getServerProperties().get("version"));
		}
	}

	@Override
	public String toString() {
		// Without credentials, because logs contain this text.
		return "amqp://" + this.host + ":" + this.port;
	}

	private static String describe(String uri) {
		return BrokerSettings.URI + "='" + uri.replaceFirst("^(\\w+://)?.*@", "$1***@")
				+ "' is no AMQP URI; expected one like amqp://user:password@host:5672/vhost";
	}

	private static String decode(String value) {
		// URLDecoder decodes forms, where a plus sign is a space; in a URI it is a plus
		// sign.
		return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
	}

	static String encode(String value) {
		return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
	}

}
