package io.ojs.amqp.internal.observe;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.UndecodableJobException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Asks RabbitMQ's management API for what AMQP does not tell. It may be away: then the
 * numbers are not known.
 */
public final class ManagementApi {

	private static final Logger logger = SafeLogger.of(ManagementApi.class);

	/** Callers of a page wait for it. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final int OK = 200;

	/**
	 * Since RabbitMQ 3.11 with the totals alone, which the broker has at hand; before, it
	 * ignores the last two parameters.
	 */
	private static final String QUERY = "?columns=name,messages_unacknowledged&disable_stats=true&enable_queue_totals=true";

	private final HttpRequest request;

	private final JsonObjects objects = new JsonObjects();

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(PATIENCE)
		.build();

	private volatile boolean away;

	/**
	 * Creates the client; it does not connect.
	 * @param base the URL of the API, such as http://rabbit:15672, with user and password
	 * if they are not those of the connection
	 */
	public ManagementApi(URI base, ConnectionFactory connection) {
		String path = (base.getRawPath() != null) ? base.getRawPath().replaceAll("/+$", "") : "";
		String virtualHost = URLEncoder.encode(connection.getVirtualHost(), StandardCharsets.UTF_8).replace("+", "%20");
		String user = (base.getUserInfo() != null) ? base.getUserInfo() : userOf(connection);
		HttpRequest.Builder builder = HttpRequest
			.newBuilder(URI.create(base.getScheme() + "://" + base.getRawAuthority().replaceFirst("^.*@", "") + path
					+ "/api/queues/" + virtualHost + QUERY))
			.timeout(PATIENCE);
		if (user != null) {
			builder.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
		}
		this.request = builder.build();
	}

	private static @Nullable String userOf(ConnectionFactory connection) {
		return (connection instanceof CachingConnectionFactory caching)
				? caching.getRabbitConnectionFactory().getUsername() + ":"
						+ caching.getRabbitConnectionFactory().getPassword()
				: null;
	}

	/**
	 * How many messages of each queue are delivered and neither acked nor requeued.
	 * @return by the name of the queue at the broker; empty if the API does not answer
	 */
	Map<String, Long> unacked() {
		try {
			HttpResponse<byte[]> answer = this.http.send(this.request, HttpResponse.BodyHandlers.ofByteArray());
			if (answer.statusCode() != OK) {
				return unknown("it answers " + answer.statusCode());
			}
			Map<String, Long> unacked = new HashMap<>();
			for (Object each : this.objects.readArray(answer.body())) {
				if (each instanceof Map<?, ?> queue && queue.get("name") instanceof String name
						&& queue.get("messages_unacknowledged") instanceof Number count) {
					unacked.put(name, count.longValue());
				}
			}
			this.away = false;
			return unacked;
		}
		catch (IOException | UndecodableJobException ex) {
			return unknown(String.valueOf(ex));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Map.of();
		}
	}

	private Map<String, Long> unknown(String problem) {
		if (!this.away) {
			logger.warn(
					"The management API of RabbitMQ does not tell how many messages are unacked (ojs.http.management-url): {}",
					problem);
		}
		this.away = true;
		return Map.of();
	}

}
