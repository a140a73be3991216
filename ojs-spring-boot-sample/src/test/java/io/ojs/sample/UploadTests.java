package io.ojs.sample;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the door lets in.
 */
class UploadTests extends GalleryTest {

	private static final byte[] SOMETHING = "something".getBytes(StandardCharsets.UTF_8);

	@ParameterizedTest
	@CsvSource({ "setup.exe, application/x-msdownload", "notes.txt, text/plain", "drawing.svg, image/svg+xml",
			"notes.jpg, text/plain", "setup.exe, image/jpeg", "photo, image/jpeg", ".jpg/.., image/jpeg" })
	void whatIsNotCalledPhotoIsRefusedAndEnqueuesNothing(String name, String contentType) throws Exception {
		assertRefused(client().upload(name, contentType, SOMETHING), 415, "is not a photo");
	}

	@Test
	void nameThatNoFileCanHaveIsRefused() throws Exception {
		assertRefused(client().upload("null\u0000.exe.jpg", "image/jpeg", SOMETHING), 400,
				"The upload could not be read");
	}

	@Test
	void emptyFileIsRefused() throws Exception {
		assertRefused(client().upload("empty.jpg", "image/jpeg", new byte[0]), 400, "empty.jpg is empty.");
	}

	@Test
	void largeFileIsRefused() throws Exception {
		assertRefused(client().upload("large.jpg", "image/jpeg", new byte[1_100_000]), 413,
				"The file is larger than 1 MB.");
	}

	private void assertRefused(HttpResponse<String> response, int status, String detail) throws Exception {
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(GalleryClient.json(response).path("detail").asString()).contains(detail);
		JsonNode gallery = client().gallery();
		Set<String> photos = gallery.path("photos")
			.valueStream()
			.map((photo) -> photo.path("id").asString())
			.collect(Collectors.toSet());
		// Whatever was told of jobs so far was about photos that were let in.
		assertThat(gallery.path("photos").valueStream().map((photo) -> photo.path("name").asString()))
			.doesNotContain("setup.exe", "notes.txt", "notes.jpg", "drawing.svg", "empty.jpg", "large.jpg");
		try (Stream<Path> kept = Files.list(DIRECTORY)) {
			// The database of jobs is a file beside them.
			assertThat(kept.filter(Files::isDirectory).map((path) -> path.getFileName().toString()))
				.containsExactlyInAnyOrderElementsOf(photos);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "../../../../../../../../tmp/escaped.jpg", "..\\..\\escaped.jpg", "/etc/escaped.jpg",
			"....//....//escaped.jpg", "%2e%2e%2fescaped.jpg", "<img src=x onerror=alert(1)>escaped.jpg",
			"C:\\Windows\\escaped.jpg" })
	void hostileNameStaysInside(String name) throws Exception {
		List<Path> outside = around();
		HttpResponse<String> response = client().upload(name, "image/jpeg", GalleryClient.shipped("broken.jpg"));
		assertThat(response.statusCode()).isEqualTo(201);
		JsonNode photo = GalleryClient.json(response);
		assertThat(photo.path("name").asString()).endsWith(".jpg").doesNotContain("/", "\\", "<", ">", "..", "\u0000");
		assertThat(DIRECTORY.resolve(photo.path("id").asString()).resolve("original.jpg")).isRegularFile();
		assertThat(around()).isEqualTo(outside);
		assertThat(Path.of("/tmp/escaped.jpg")).doesNotExist();
		client().delete("/api/photos/" + photo.path("id").asString());
	}

	private static List<Path> around() throws Exception {
		try (Stream<Path> files = Files.list(DIRECTORY.getParent())) {
			return files.sorted().toList();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "..%2f..%2fetc", "%2e%2e", "..", "00000000-0000-7000-8000-000000000000", "incoming-1" })
	void hostileIdFindsNothing(String id) throws Exception {
		assertThat(client().get("/api/photos/" + id + "/original").statusCode()).isIn(400, 404);
		assertThat(client().delete("/api/photos/" + id).statusCode()).isIn(400, 404, 405);
	}

}
