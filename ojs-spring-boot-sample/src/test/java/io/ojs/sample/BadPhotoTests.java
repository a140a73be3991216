package io.ojs.sample;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import io.ojs.client.OjsOperations;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of a photo that cannot be read.
 */
class BadPhotoTests extends GalleryTest {

	@Autowired
	private OjsOperations ojs;

	@Test
	void fileThatWasCutOffIsTriedAgainAndThenDeadLettered() throws Exception {
		try (FeedReader feed = client().follow()) {
			String id = client().uploadShipped("broken.jpg");
			await().until(() -> states(id).equals(List.of("dead", "dead", "dead", "dead")));
			for (JsonNode job : client().jobs(id)) {
				int attempts = job.path("type").asString().equals("photo.painting") ? 2 : 3;
				assertThat(job.path("attempt").asInt()).isEqualTo(attempts);
				assertThat(job.path("maxAttempts").asInt()).isEqualTo(attempts);
				assertThat(job.path("error").path("type").asString()).isEqualTo(BadPhotoException.class.getName());
				assertThat(job.path("error").path("message").asString()).startsWith("broken.jpg ends too early.");
			}
			await().until(() -> feed.states(id, "photo.thumbnail").contains("dead"));
			assertThat(feed.states(id, "photo.thumbnail")).filteredOn((state) -> !state.equals("queued"))
				.containsExactly("running", "retrying", "running", "retrying", "running", "dead");
			assertThat(client().renditions(id)).isEmpty();
			assertThat(client().file(id, "thumbnail").statusCode()).isEqualTo(404);
		}
	}

	private List<String> states(String id) throws Exception {
		return client().jobs(id).stream().map((job) -> job.path("state").asString()).toList();
	}

	@Test
	void jobThatWaitsSaysUntilWhenAndWhy() throws Exception {
		try (FeedReader feed = client().follow()) {
			String id = client().uploadShipped("broken.jpg");
			await().until(() -> feed.states(id, "photo.palette").contains("retrying"));
			JsonNode waiting = feed.events("job")
				.stream()
				.filter((event) -> event.path("job").path("photoId").asString().equals(id))
				.filter((event) -> event.path("job").path("state").asString().equals("retrying"))
				.findFirst()
				.orElseThrow();
			assertThat(Instant.parse(waiting.path("job").path("retryAt").asString()))
				.isAfter(Instant.parse(waiting.path("serverTime").asString()));
			assertThat(waiting.path("entry").path("detail").asString())
				.matches("attempt 1 of [23] failed, next in 0.2 s");
		}
	}

	@Test
	void whatIsNoImageAtAllSaysSo() throws Exception {
		byte[] text = "I only look like a photo from outside".getBytes(StandardCharsets.UTF_8);
		String id = GalleryClient.json(client().upload("disguise.png", "image/png", text)).path("id").asString();
		await().until(() -> states(id).equals(List.of("dead", "dead", "dead", "dead")));
		assertThat(client().jobs(id).get(0).path("error").path("message").asString())
			.startsWith("disguise.png is no image");
	}

	@Test
	void whatFailedCanBeRunAgain() throws Exception {
		String id = client().uploadShipped("broken.jpg");
		await().until(() -> states(id).equals(List.of("dead", "dead", "dead", "dead")));
		assertThat(GalleryClient.json(client().post("/api/photos/" + id + "/jobs"))).hasSize(4);
		await().until(() -> client().jobs(id).size() == 8);
	}

	@Test
	void jobForPhotoThatIsGoneIsDiscarded() {
		String gone = UUID.randomUUID().toString();
		this.ojs.enqueue("photo.thumbnail", gone, new PhotoJobs.Size(10, 10));
		await().until(() -> client().jobs(gone).size() == 1
				&& Set.of("discarded").contains(client().jobs(gone).get(0).path("state").asString()));
	}

}
