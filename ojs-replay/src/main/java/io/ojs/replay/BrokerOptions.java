package io.ojs.replay;

import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.Locale;

import com.rabbitmq.client.ConnectionFactory;
import io.ojs.amqp.OjsNaming;
import io.ojs.amqp.internal.topology.BindingNaming;
import io.ojs.amqp.internal.topology.GuideNaming;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * Options for the broker that has the dead letters.
 */
final class BrokerOptions {

	private static final int CONNECTION_TIMEOUT_MILLIS = 10_000;

	@Option(names = "--uri", paramLabel = "<uri>", order = 40,
			description = "The broker: amqp://user:password@host:5672/vhost, or amqps://. Better in the environment "
					+ "as OJS_REPLAY_URI, where others do not see the password.")
	@Nullable String uri;

	@Option(names = "--naming", paramLabel = "binding|guide", order = 41,
			description = "Names on the broker, as ojs.naming of the application that works the queue. Default: binding.")
	String naming = "binding";

	@Option(names = "--prefix", paramLabel = "<prefix>", order = 42,
			description = "What the names begin with, as ojs.prefix of that application.")
	String prefix = "";

	OjsNaming naming(CommandLine commandLine) {
		String withDot = (this.prefix.isEmpty() || this.prefix.endsWith(".")) ? this.prefix : this.prefix + ".";
		return switch (this.naming.toLowerCase(Locale.ROOT)) {
			case "binding" -> new BindingNaming(withDot);
			case "guide" -> new GuideNaming(withDot);
			default -> throw new CommandLine.ParameterException(commandLine,
					"Invalid value for option '--naming': '" + this.naming + "' must be binding or guide.");
		};
	}

	CachingConnectionFactory connectionFactory(CommandLine commandLine, @Nullable String uriOfEnvironment) {
		String given = (this.uri != null) ? this.uri : uriOfEnvironment;
		if (given == null) {
			throw new CommandLine.ParameterException(commandLine,
					"Missing option '--uri': name the broker, such as --uri amqp://user:password@host:5672/vhost, or set "
							+ "OJS_REPLAY_URI.");
		}
		ConnectionFactory factory = new ConnectionFactory();
		try {
			if (!given.matches("(?i)amqps?://.+")) {
				throw new IllegalArgumentException("no AMQP URI");
			}
			factory.setUri(given);
		}
		catch (URISyntaxException | GeneralSecurityException | IllegalArgumentException ex) {
			// The message does not contain the URI, because it contains a password.
			throw new CommandLine.ParameterException(commandLine, "Invalid value for option '--uri': it must be "
					+ "amqp://user:password@host:5672/vhost or amqps://…, with special characters as %XX.");
		}
		factory.setAutomaticRecoveryEnabled(false);
		factory.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
		CachingConnectionFactory caching = new CachingConnectionFactory(factory);
		caching.setConnectionNameStrategy((ignored) -> "ojs-replay");
		return caching;
	}

}
