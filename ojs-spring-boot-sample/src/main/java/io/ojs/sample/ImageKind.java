package io.ojs.sample;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.springframework.http.MediaType;

/**
 * The kinds of files that the gallery takes. SVG is none of them: it may carry scripts.
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
	 * The kind that a file's name speaks of. What is in the file is left to the jobs: a
	 * damaged photo is taken, and fails where it can be seen.
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
