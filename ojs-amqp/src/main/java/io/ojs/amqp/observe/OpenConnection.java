package io.ojs.amqp.observe;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A connection that is open.
 *
 * @param name what it is called on the broker, or {@code null}
 * @param since when it was opened
 * @param host where the broker is
 * @param port its port
 * @param virtualHost the virtual host
 * @param product what the broker says it is, such as RabbitMQ
 * @param version its version
 */
public record OpenConnection(@Nullable String name, Instant since, String host, int port, String virtualHost,
		@Nullable String product, @Nullable String version) {
}
