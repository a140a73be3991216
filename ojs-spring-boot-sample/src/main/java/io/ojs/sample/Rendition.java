package io.ojs.sample;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

import org.springframework.http.MediaType;

/**
 * The results of jobs for a photo: one file each.
 */
enum Rendition {

	THUMBNAIL("photo.thumbnail", "thumbnail.jpg", MediaType.IMAGE_JPEG),

	PALETTE("photo.palette", "palette.json", MediaType.APPLICATION_JSON),

	WATERMARK("photo.watermark", "watermark.jpg", MediaType.IMAGE_JPEG),

	PAINTING("photo.painting", "painting.jpg", MediaType.IMAGE_JPEG),

	/** Shows that the first three exist. */
	PUBLISHED("photo.publish", "published.json", MediaType.APPLICATION_JSON);

	private final String jobType;

	private final String fileName;

	private final MediaType mediaType;

	Rendition(String jobType, String fileName, MediaType mediaType) {
		this.jobType = jobType;
		this.fileName = fileName;
		this.mediaType = mediaType;
	}

	static Optional<Rendition> named(String name) {
		return Arrays.stream(values())
			.filter((rendition) -> rendition.name().toLowerCase(Locale.ROOT).equals(name))
			.findFirst();
	}

	/** The type of the job that makes this rendition. */
	String jobType() {
		return this.jobType;
	}

	String fileName() {
		return this.fileName;
	}

	MediaType mediaType() {
		return this.mediaType;
	}

}
