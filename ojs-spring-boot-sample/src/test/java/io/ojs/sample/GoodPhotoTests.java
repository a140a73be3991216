package io.ojs.sample;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of a photo that is one.
 */
class GoodPhotoTests extends GalleryTest {

	@Test
	void jobsMakeFilesThatCanBeLookedAt() throws Exception {
		String id = client().uploadShipped("evening-ridges.jpg");
		await().until(() -> client().renditions(id)
			.equals(Set.of("thumbnail", "palette", "watermark", "painting", "published")));
		BufferedImage original = image(id, "original");
		BufferedImage thumbnail = image(id, "thumbnail");
		BufferedImage watermark = image(id, "watermark");
		BufferedImage painting = image(id, "painting");
		assertThat(original.getWidth()).isEqualTo(1600);
		assertThat(thumbnail.getWidth()).isEqualTo(640);
		assertThat(thumbnail.getHeight()).isEqualTo(427);
		assertThat(painting.getWidth()).isEqualTo(1000);
		assertThat(painting.getHeight()).isEqualTo(667);
		assertThat(watermark.getWidth()).isEqualTo(1600);
		assertThat(difference(original, watermark, 0, 0)).isLessThan(8);
		assertThat(difference(original, watermark, 1280, 980)).isGreaterThan(30);
		for (Path file : files(id)) {
			assertThat(Files.size(file)).isPositive();
		}
	}

	private static Iterable<Path> files(String id) {
		Path directory = DIRECTORY.resolve(id);
		return Set.of(directory.resolve("original.jpg"), directory.resolve("thumbnail.jpg"),
				directory.resolve("watermark.jpg"), directory.resolve("painting.jpg"),
				directory.resolve("palette.json"), directory.resolve("published.json"));
	}

	/** The mean difference of channels in a part of the image. */
	private static double difference(BufferedImage one, BufferedImage other, int left, int top) {
		double sum = 0;
		for (int y = top; y < top + 60; y++) {
			for (int x = left; x < left + 300; x++) {
				for (int shift = 0; shift < 24; shift += 8) {
					sum += Math.abs(((one.getRGB(x, y) >> shift) & 0xff) - ((other.getRGB(x, y) >> shift) & 0xff));
				}
			}
		}
		return sum / (60 * 300 * 3);
	}

	private BufferedImage image(String id, String rendition) throws Exception {
		HttpResponse<byte[]> response = client().file(id, rendition);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("image/jpeg");
		assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
		assertThat(response.headers().firstValue("Cache-Control")).hasValue("max-age=31536000, private, immutable");
		return ImageIO.read(new ByteArrayInputStream(response.body()));
	}

	@ParameterizedTest
	@CsvSource({ "1, 1", "2000, 2", "2, 2000" })
	void oddSizesAreNoReasonToFail(int width, int height) throws Exception {
		String id = client().uploadSmall(width, height);
		await().until(() -> client().renditions(id).size() == 5);
		assertThat(image(id, "watermark").getWidth()).isEqualTo(width);
	}

	@Test
	void paletteIsThatOfTheSunset() throws Exception {
		String id = client().uploadShipped("evening-ridges.jpg");
		await().until(() -> client().renditions(id).contains("palette"));
		JsonNode palette = client().photo(id).path("palette");
		assertThat(palette).hasSize(6);
		assertThat(palette.valueStream().mapToDouble((swatch) -> swatch.path("share").asDouble()).sum()).isBetween(0.99,
				1.01);
		assertThat(palette.valueStream().map((swatch) -> swatch.path("hex").asString()))
			.anySatisfy((hex) -> assertThat(Integer.parseInt(hex.substring(1, 3), 16)).isGreaterThan(220));
	}

	@Test
	void whatIsNotMadeYetIsNotThereAndNotCached() throws Exception {
		HttpResponse<byte[]> response = client().file("00000000-0000-7000-8000-000000000000", "thumbnail");
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(response.headers().firstValue("Cache-Control").orElse("")).doesNotContain("immutable");
	}

	@Test
	void deletedPhotoIsGone() throws Exception {
		String id = client().uploadShipped("wind-and-sand.jpg");
		assertThat(client().delete("/api/photos/" + id).statusCode()).isEqualTo(204);
		assertThat(client().file(id, "original").statusCode()).isEqualTo(404);
		assertThat(DIRECTORY.resolve(id)).doesNotExist();
		// Some jobs may have been done before; of the others none may fail aloud.
		await().until(() -> client().jobs(id)
			.stream()
			.allMatch((job) -> Set.of("done", "discarded").contains(job.path("state").asString())));
	}

}
