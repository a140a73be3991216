package io.ojs.amqp.observe;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A connection to the broker.
 *
 * @param name what it is called on the broker, or {@code null}
 * @param open whether it is open; one that was lost is told of until another is open
 * @param since when it was opened, or lost
 * @param host where the broker is, without credentials
 * @param port its port
 * @param virtualHost the virtual host
 * @param product what the broker says it is, such as RabbitMQ
 * @param version its version
 */
public record ConnectionState(@Nullable String name, boolean open, Instant since, String host, int port,
		String virtualHost, @Nullable String product, @Nullable String version) {

	ConnectionState lost(Instant at) {
		return new ConnectionState(this.name, false, at, this.host, this.port, this.virtualHost, this.product,
				this.version);
	}

}
