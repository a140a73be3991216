package io.ojs.web.internal.broker;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The broker, as one process sees it.
 *
 * @param at when it was asked
 * @param reachable whether it answers
 * @param problem why it does not; {@code null} if it does
 * @param product the product that it reports, such as RabbitMQ; {@code null} if it was
 * not connected yet, or does not report it
 * @param version its version; {@code null} as above
 * @param cluster the name of its cluster; {@code null} as above
 * @param addresses where it is: host and port of the open connections, or else of the
 * configuration
 */
public record BrokerReport(Instant at, boolean reachable, @Nullable String problem, @Nullable String product,
		@Nullable String version, @Nullable String cluster, List<String> addresses, List<Connection> connections,
		List<Drift> drift) {

	/**
	 * One of the connections of the process.
	 *
	 * @param name what it is for: consuming or publishing
	 * @param state {@code open}, {@code closed}, or {@code blocked}: the broker takes no
	 * messages on it
	 * @param since since when it is open or closed; {@code null} if it was never tried
	 * @param blockedSince since when the broker takes no messages on it; {@code null} if
	 * it does
	 * @param reason why it is blocked, or why it was lost last; {@code null} without a
	 * reason
	 * @param reconnects how often the process has tried to open it again
	 */
	public record Connection(String name, String state, @Nullable Instant since, @Nullable Instant blockedSince,
			@Nullable String reason, long reconnects) {
	}

	/**
	 * A queue or an exchange that is not as the process wants it.
	 *
	 * @param queue its name at the broker
	 * @param what the argument that differs; empty if the broker does not say
	 * @param declared the value that the process wants; {@code null} for none
	 * @param found the value that it has; {@code null} for none
	 */
	public record Drift(String queue, String what, @Nullable String declared, @Nullable String found) {
	}

}
