package io.ojs.boot.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client that holds a stream of changes open, on a connection of its own.
 */
final class OpenStream implements AutoCloseable {

	private static final int PATIENCE_MS = 30_000;

	private final Socket socket;

	private final BufferedReader reader;

	private final int status;

	private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

	private final List<JsonNode> changes = new CopyOnWriteArrayList<>();

	private final List<String> comments = new CopyOnWriteArrayList<>();

	private volatile boolean ended;

	OpenStream(int port, String... headers) {
		try {
			this.socket = new Socket("localhost", port);
			this.socket.setSoTimeout(PATIENCE_MS);
			String more = (headers.length > 0) ? String.join("\r\n", headers) + "\r\n" : "";
			this.socket.getOutputStream()
				.write("GET /ojs/v1/events/stream HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(more)
					.getBytes(StandardCharsets.US_ASCII));
			this.reader = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.UTF_8));
			this.status = Integer.parseInt(this.reader.readLine().split(" ")[1]);
			for (String line = this.reader.readLine(); !line.isEmpty(); line = this.reader.readLine()) {
				this.headers.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1).strip());
			}
			this.socket.setSoTimeout(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads what comes, in a thread of its own. */
	OpenStream reading() {
		Thread thread = new Thread(this::read, "open-stream");
		thread.setDaemon(true);
		thread.start();
		return this;
	}

	private void read() {
		JsonMapper json = JsonMapper.shared();
		try {
			for (String line = this.reader.readLine(); line != null; line = this.reader.readLine()) {
				if (line.startsWith("data: ")) {
					this.changes.add(json.readTree(line.substring("data: ".length())));
				}
				else if (line.startsWith(":")) {
					this.comments.add(line);
				}
			}
		}
		catch (IOException ex) {
			// It was closed on either side.
		}
		this.ended = true;
	}

	int status() {
		return this.status;
	}

	String header(String name) {
		return this.headers.getOrDefault(name, "");
	}

	List<JsonNode> changes() {
		return this.changes;
	}

	List<String> comments() {
		return this.comments;
	}

	boolean isEnded() {
		return this.ended;
	}

	/** The ids of all jobs in all messages so far. */
	List<String> jobIds() {
		return this.changes.stream()
			.flatMap((change) -> change.get("job_ids").valueStream())
			.map(JsonNode::asString)
			.toList();
	}

	/** How many events of jobs of a type the messages have counted so far. */
	long count(String type) {
		return this.changes.stream().mapToLong((change) -> change.get("jobs").path(type).asLong(0)).sum();
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
