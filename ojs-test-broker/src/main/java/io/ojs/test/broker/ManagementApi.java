package io.ojs.test.broker;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client for a small part of RabbitMQ's HTTP management API, which creates a virtual host
 * in milliseconds, while {@code rabbitmqctl} takes seconds.
 */
final class ManagementApi {

	private static final Logger logger = LoggerFactory.getLogger(ManagementApi.class);

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(CONNECT_TIMEOUT)
		.build();

	private final BrokerAddress address;

	private final int port;

	ManagementApi(BrokerAddress address, int port) {
		this.address = address;
		this.port = port;
	}

	int port() {
		return this.port;
	}

	/**
	 * Whether the API answers and accepts the user.
	 */
	boolean answers() {
		try {
			return send("GET", "/api/whoami", BodyPublishers.noBody()).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	VirtualHost newVirtualHost() {
		String name = "test-" + UUID.randomUUID().toString().substring(0, 8);
		change("PUT", "/api/vhosts/" + name, "{}");
		change("PUT", "/api/permissions/" + name + "/" + BrokerAddress.encode(this.address.username()),
				"{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
		return new VirtualHost(name, this.address.withVirtualHost(name).uri(), () -> delete(name));
	}

	private void delete(String name) {
		try {
			send("DELETE", "/api/vhosts/" + name, BodyPublishers.noBody());
		}
		catch (IOException ex) {
			// If the broker has ended before its virtual hosts are closed, they are gone
			// with it.
			logger.debug("Virtual host {} is not deleted: {} does not answer", name, this.address, ex);
		}
	}

	private void change(String method, String path, String body) {
		try {
			HttpResponse<String> response = send(method, path, BodyPublishers.ofString(body));
			if (response.statusCode() / 100 != 2) {
				throw new IllegalStateException("%s http://%s:%d%s answered %d: %s".formatted(method,
						this.address.host(), this.port, path, response.statusCode(), response.body()));
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("%s http://%s:%d%s failed; is the broker running?".formatted(method,
					this.address.host(), this.port, path), ex);
		}
	}

	private HttpResponse<String> send(String method, String path, BodyPublisher body) throws IOException {
		String credentials = this.address.username() + ":" + this.address.password();
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://" + this.address.host() + ":" + this.port + path))
			.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
			.header("Content-Type", "application/json")
			.timeout(TIMEOUT)
			.method(method, body)
			.build();
		try {
			return this.http.send(request, BodyHandlers.ofString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted while waiting for " + this.address, ex);
		}
	}

}
