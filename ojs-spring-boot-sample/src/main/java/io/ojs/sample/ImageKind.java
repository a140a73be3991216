package io.ojs.sample;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.springframework.http.MediaType;

/**
 * The kinds of files that the gallery accepts. SVG is not accepted, because it can
 * contain scripts.
 */
enum ImageKind {

	JPEG(MediaType.IMAGE_JPEG, "jpg", "jpeg"),

	PNG(MediaType.IMAGE_PNG, "png"),

	GIF(MediaType.IMAGE_GIF, "gif"),

	BMP(new MediaType("image", "bmp"), "bmp");

	private final MediaType mediaType;

	private final List<String> extensions;

	ImageKind(MediaType mediaType, String... extensions) {
		this.mediaType = mediaType;
		this.extensions = List.of(extensions);
	}

	/**
	 * The kind according to the name of a file. Only jobs look at the content: a damaged
	 * photo is accepted, and its failure is visible on the page.
	 */
	static Optional<ImageKind> of(String fileName) {
		String extension = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
		return Arrays.stream(values()).filter((kind) -> kind.extensions.contains(extension)).findFirst();
	}

	MediaType mediaType() {
		return this.mediaType;
	}

	String extension() {
		return this.extensions.get(0);
	}

}
