package io.ojs.sample;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import javax.imageio.ImageIO;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks HTTP with the gallery, and sends just what it is told, however hostile.
 */
final class GalleryClient {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final HttpClient http = HttpClient.newHttpClient();

	private final String base;

	GalleryClient(int port) {
		this.base = "http://localhost:" + port;
	}

	static byte[] shipped(String name) throws IOException {
		try (InputStream file = GalleryClient.class.getResourceAsStream("/static/photos/" + name)) {
			return file.readAllBytes();
		}
	}

	/** Uploads one of the pictures that come with the sample. */
	String uploadShipped(String name) throws Exception {
		HttpResponse<String> response = upload(name, "image/jpeg", shipped(name));
		if (response.statusCode() != 201) {
			throw new IllegalStateException(response.body());
		}
		return json(response).path("id").asString();
	}

	/**
	 * Uploads a picture that is quickly worked, however many pixels each job looks at.
	 */
	String uploadSmall(int width, int height) throws Exception {
		ByteArrayOutputStream png = new ByteArrayOutputStream();
		ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB), "png", png);
		return json(upload("small.PNG", "image/png", png.toByteArray())).path("id").asString();
	}

	HttpResponse<String> upload(String fileName, String contentType, byte[] content) throws Exception {
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		body.writeBytes(
				"--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: %s\r\n\r\n"
					.formatted(fileName.replace("\\", "\\\\"), contentType)
					.getBytes(StandardCharsets.UTF_8));
		body.writeBytes(content);
		body.writeBytes("\r\n--limit--\r\n".getBytes(StandardCharsets.UTF_8));
		return send(HttpRequest.newBuilder()
			.header("Content-Type", "multipart/form-data; boundary=limit")
			.POST(BodyPublishers.ofByteArray(body.toByteArray())), "/api/photos");
	}

	HttpResponse<String> get(String path) throws Exception {
		return send(HttpRequest.newBuilder(), path);
	}

	HttpResponse<String> post(String path) throws Exception {
		return send(HttpRequest.newBuilder().POST(BodyPublishers.noBody()), path);
	}

	/** Posts JSON, and fails unless the answer is a success. */
	JsonNode post(String path, String json) throws Exception {
		HttpResponse<String> response = send(
				HttpRequest.newBuilder().header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)),
				path);
		if (response.statusCode() / 100 != 2) {
			throw new IllegalStateException(path + ": " + response.body());
		}
		return json(response);
	}

	HttpResponse<String> delete(String path) throws Exception {
		return send(HttpRequest.newBuilder().DELETE(), path);
	}

	String base() {
		return this.base;
	}

	private HttpResponse<String> send(HttpRequest.Builder request, String path) throws Exception {
		return this.http.send(request.uri(URI.create(this.base + path)).build(), BodyHandlers.ofString());
	}

	HttpResponse<byte[]> file(String photoId, String rendition) throws Exception {
		return this.http
			.send(HttpRequest.newBuilder(URI.create("%s/api/photos/%s/%s".formatted(this.base, photoId, rendition)))
				.build(), BodyHandlers.ofByteArray());
	}

	FeedReader follow() throws Exception {
		return new FeedReader(this.http
			.send(HttpRequest.newBuilder(URI.create(this.base + "/api/events")).build(), BodyHandlers.ofInputStream())
			.body());
	}

	JsonNode gallery() throws Exception {
		return json(get("/api/gallery"));
	}

	JsonNode photo(String id) throws Exception {
		return gallery().path("photos")
			.valueStream()
			.filter((photo) -> photo.path("id").asString().equals(id))
			.findFirst()
			.orElseThrow();
	}

	Set<String> renditions(String id) throws Exception {
		Set<String> renditions = new TreeSet<>();
		photo(id).path("renditions").forEach((rendition) -> renditions.add(rendition.asString()));
		return renditions;
	}

	List<JsonNode> jobs(String photoId) throws Exception {
		return gallery().path("jobs")
			.valueStream()
			.filter((job) -> job.path("photoId").asString().equals(photoId))
			.toList();
	}

	/** What the job store knows of the jobs of a photo. */
	JsonNode history(String photoId) throws Exception {
		return json(get("/api/photos/" + photoId + "/jobs"));
	}

	/** The states, as the job store knows them, that its jobs are in. */
	Set<String> states(String photoId) throws Exception {
		Set<String> states = new TreeSet<>();
		history(photoId).forEach((job) -> states.add(job.path("state").asString()));
		return states;
	}

	static JsonNode json(HttpResponse<String> response) {
		return JSON.readTree(response.body());
	}

}
