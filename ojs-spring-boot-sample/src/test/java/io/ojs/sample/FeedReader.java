package io.ojs.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads server-sent events, as a browser does.
 */
final class FeedReader implements AutoCloseable {

	private final List<Event> events = new CopyOnWriteArrayList<>();

	private final InputStream stream;

	FeedReader(InputStream stream) {
		this.stream = stream;
		Thread thread = new Thread(this::read, "feed");
		thread.setDaemon(true);
		thread.start();
	}

	private void read() {
		try (BufferedReader lines = new BufferedReader(new InputStreamReader(this.stream, StandardCharsets.UTF_8))) {
			String name = "";
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.startsWith("event:")) {
					name = line.substring("event:".length());
				}
				else if (line.startsWith("data:")) {
					this.events.add(new Event(name, JsonMapper.shared().readTree(line.substring("data:".length()))));
				}
			}
		}
		catch (IOException ex) {
			// Closed, by this side or the other.
		}
	}

	List<String> names() {
		return this.events.stream().map(Event::name).toList();
	}

	List<JsonNode> events(String name) {
		return this.events.stream().filter((event) -> event.name().equals(name)).map(Event::data).toList();
	}

	/** The states that were told of a job, each once for as long as it stays. */
	List<String> states(String photoId, String type) {
		List<String> states = new ArrayList<>();
		for (JsonNode event : events("job")) {
			JsonNode job = event.path("job");
			String state = job.path("state").asString();
			if (job.path("photoId").asString().equals(photoId) && job.path("type").asString().equals(type)
					&& (states.isEmpty() || !states.get(states.size() - 1).equals(state))) {
				states.add(state);
			}
		}
		return states;
	}

	@Override
	public void close() throws IOException {
		this.stream.close();
	}

	/**
	 * An event.
	 *
	 * @param name its name
	 * @param data its data
	 */
	record Event(String name, JsonNode data) {
	}

}
