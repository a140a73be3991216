package io.ojs.boot.it;

import java.io.IOException;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.ojs.test.broker.RabbitBroker;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the broker tells of a virtual host over its HTTP management API, where
 * {@code rabbitmqctl} would start an Erlang VM each time.
 */
final class BrokerView {

	private final RabbitBroker broker;

	private final String virtualHost;

	private final HttpClient http;

	BrokerView(RabbitBroker broker, String virtualHost) {
		this.broker = broker;
		this.virtualHost = virtualHost;
		this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).authenticator(new Authenticator() {

			@Override
			protected PasswordAuthentication getPasswordAuthentication() {
				return new PasswordAuthentication(broker.username(), broker.password().toCharArray());
			}

		}).build();
	}

	List<JsonNode> consumers() {
		return list("/api/consumers/" + this.virtualHost);
	}

	List<JsonNode> connections() {
		return list("/api/vhosts/" + this.virtualHost + "/connections");
	}

	List<JsonNode> channels() {
		return list("/api/vhosts/" + this.virtualHost + "/channels");
	}

	List<JsonNode> exchanges() {
		return list("/api/exchanges/" + this.virtualHost);
	}

	List<JsonNode> bindings() {
		return list("/api/bindings/" + this.virtualHost);
	}

	List<JsonNode> queues() {
		return list("/api/queues/" + this.virtualHost);
	}

	/**
	 * A queue; how many messages it has, all in all and ready, is as old as five seconds.
	 */
	JsonNode queue(String name) {
		return get("/api/queues/" + this.virtualHost + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8));
	}

	/**
	 * Has the broker copy each message that is published in the virtual host to the
	 * exchange {@code amq.rabbitmq.trace}.
	 */
	void trace() {
		send(request("/api/vhosts/" + this.virtualHost).header("Content-Type", "application/json")
			.PUT(HttpRequest.BodyPublishers.ofString("{\"tracing\": true}")), 204);
	}

	private List<JsonNode> list(String path) {
		return get(path).valueStream().toList();
	}

	private JsonNode get(String path) {
		return JsonMapper.shared().readTree(send(request(path), 200));
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(
				URI.create("http://" + this.broker.host() + ":" + this.broker.managementPort().orElseThrow() + path));
	}

	private String send(HttpRequest.Builder builder, int status) {
		HttpRequest request = builder.build();
		try {
			HttpResponse<String> response = this.http.send(request, HttpResponse.BodyHandlers.ofString());
			if (response.statusCode() != status) {
				throw new IllegalStateException("%s %s answered %d: %s".formatted(request.method(), request.uri(),
						response.statusCode(), response.body()));
			}
			return response.body();
		}
		catch (IOException ex) {
			throw new IllegalStateException("%s %s failed".formatted(request.method(), request.uri()), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted during %s %s".formatted(request.method(), request.uri()), ex);
		}
	}

}
