package io.ojs.amqp.internal.observe;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An open connection.
 *
 * @param name its name on the broker, or {@code null}
 * @param since when it was opened
 * @param host the host of the broker
 * @param port the port of the broker
 * @param virtualHost the virtual host
 * @param product the product that the broker reports, such as RabbitMQ
 * @param version the version that the broker reports
 * @param cluster the name of the cluster that the broker reports
 */
public record OpenConnection(@Nullable String name, Instant since, String host, int port, String virtualHost,
		@Nullable String product, @Nullable String version, @Nullable String cluster) {
}
