package io.ojs.boot.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.ojs.boot.it.HttpClusterNotes.Call;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One client of the HTTP API that asks again, as clients in any language do: when a
 * connection breaks, and when it is told to.
 */
final class HttpClusterClient {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private static final int UNAVAILABLE = 503;

	private final JsonMapper json = JsonMapper.shared();

	private final HttpClient http = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(TIMEOUT)
		.build();

	private final String name;

	private final int port;

	private final HttpClusterNotes notes;

	HttpClusterClient(String name, int port, HttpClusterNotes notes) {
		this.name = name;
		this.port = port;
		this.notes = notes;
	}

	/** Asks until there is an answer. */
	Answer ask(Call call, String path, Map<String, ?> body) throws InterruptedException {
		for (int asked = 0;; asked++) {
			long began = System.currentTimeMillis();
			try {
				Answer answer = once(path, body, asked, began);
				if (answer.status() != UNAVAILABLE) {
					return answer;
				}
			}
			catch (IOException ex) {
				// Nobody knows whether it was done.
			}
			this.notes.unanswered(this.name, call, began);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}
	}

	private Answer once(String path, Map<String, ?> body, int asked, long began)
			throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/ojs/v1" + path))
			.timeout(TIMEOUT)
			.header("Content-Type", "application/openjobspec+json")
			.POST(HttpRequest.BodyPublishers.ofString(this.json.writeValueAsString(body)))
			.build();
		HttpResponse<String> response = this.http.send(request, HttpResponse.BodyHandlers.ofString());
		return new Answer(response.statusCode(), this.json.readTree(response.body()), asked, began);
	}

	/**
	 * An answer.
	 *
	 * @param asked how often there was none before
	 * @param began when it was asked for that, in milliseconds
	 */
	record Answer(int status, JsonNode body, int asked, long began) {

		String currentState() {
			return this.body.at("/error/details/current_state").asString("");
		}

		@Override
		public String toString() {
			return this.status + " after " + this.asked + " without an answer: " + this.body;
		}

	}

}
