package io.ojs.sample;

import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a page is told.
 */
class FeedTests extends GalleryTest {

	@Test
	void statesComeInOrderAndTheFileIsThereWhenItIsTold() throws Exception {
		try (FeedReader feed = client().follow()) {
			await().until(() -> feed.names().contains("snapshot"));
			String id = client().uploadShipped("northern-lights.jpg");
			await().until(() -> feed.states(id, "photo.thumbnail").contains("done"));
			// The worker may tell that it runs before the caller tells that it is queued.
			assertThat(feed.states(id, "photo.thumbnail")).filteredOn((state) -> !state.equals("queued"))
				.containsExactly("running", "done");
			await().until(() -> feed.events("photo").stream().anyMatch((photo) -> hasThumbnail(photo, id)));
			assertThat(client().file(id, "thumbnail").statusCode()).isEqualTo(200);
			List<Double> progress = feed.events("job")
				.stream()
				.map((event) -> event.path("job"))
				.filter((job) -> job.path("photoId").asString().equals(id)
						&& job.path("type").asString().equals("photo.thumbnail")
						&& job.path("state").asString().equals("running"))
				.map((job) -> job.path("progress").asDouble())
				.toList();
			assertThat(progress).isSorted().hasSizeGreaterThan(2).contains(0.6);
		}
	}

	private static boolean hasThumbnail(JsonNode photo, String id) {
		return photo.path("id").asString().equals(id) && photo.path("renditions")
			.valueStream()
			.anyMatch((rendition) -> rendition.asString().equals("thumbnail"));
	}

	@Test
	void whoComesLaterIsToldHowThingsStand() throws Exception {
		String id = client().uploadSmall(60, 40);
		await().until(() -> client().renditions(id).size() == 5);
		await().until(() -> client().jobs(id).stream().allMatch((job) -> job.path("state").asString().equals("done")));
		try (FeedReader feed = client().follow()) {
			await().until(() -> feed.names().contains("snapshot"));
			assertThat(feed.names()).first().isEqualTo("snapshot");
			JsonNode snapshot = feed.events("snapshot").get(0);
			assertThat(snapshot.path("photos").valueStream().map((photo) -> photo.path("id").asString())).contains(id);
			assertThat(snapshot.path("jobs")
				.valueStream()
				.filter((job) -> job.path("photoId").asString().equals(id))
				.map((job) -> job.path("state").asString())).containsExactly("done", "done", "done", "done", "done");
			assertThat(snapshot.path("log").valueStream().map((entry) -> entry.path("event").asString()))
				.contains("job.enqueued", "job.started", "job.completed");
		}
	}

	@Test
	void silenceIsFilledWithHeartbeats() throws Exception {
		try (FeedReader feed = client().follow()) {
			await().until(() -> feed.events("heartbeat").size() > 1);
		}
	}

}
