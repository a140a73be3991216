package io.ojs.sample;

import java.util.Set;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What somebody who runs the gallery can look at.
 */
class OperatorTests extends GalleryTest {

	@Test
	void queuesAndHealthCanBeLookedAt() throws Exception {
		String id = client().uploadShipped("wind-and-sand.jpg");
		await().until(() -> client().renditions(id)
			.equals(Set.of("thumbnail", "palette", "watermark", "painting", "published")));
		JsonNode report = GalleryClient.json(client().get("/actuator/ojs"));
		assertThat(report.get("broker").get("reachable").asBoolean()).isTrue();
		assertThat(report.get("queues").valueStream().map((queue) -> queue.get("name").asString()))
			.containsExactlyInAnyOrder("photos", "studio");
		assertThat(client().get("/actuator/ojs/studio").body()).contains("photo.painting");
		JsonNode health = GalleryClient.json(client().get("/actuator/health"));
		assertThat(health.get("components").get("ojs").get("status").asString()).isEqualTo("UP");
	}

	@Test
	void endpointThatDeletesEverythingIsOnlyThereForConformanceCases() throws Exception {
		assertThat(client().get("/reset").statusCode()).isEqualTo(404);
	}

}
