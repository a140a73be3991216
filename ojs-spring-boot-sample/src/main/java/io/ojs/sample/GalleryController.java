package io.ojs.sample;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;

import io.ojs.job.Job;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The API of the page: upload, watch, delete.
 */
@RestController
@RequestMapping("/api")
class GalleryController {

	private final Gallery gallery;

	private final GalleryFeed feed;

	private final PhotoLibrary library;

	private final GalleryProperties properties;

	GalleryController(Gallery gallery, GalleryFeed feed, PhotoLibrary library, GalleryProperties properties) {
		this.gallery = gallery;
		this.feed = feed;
		this.library = library;
		this.properties = properties;
	}

	@GetMapping("/gallery")
	GalleryFeed.Snapshot gallery() {
		return this.feed.snapshot();
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	ResponseEntity<SseEmitter> events() {
		// X-Accel-Buffering keeps nginx and similar proxies from buffering events.
		return ResponseEntity.ok()
			.header("Cache-Control", "no-store")
			.header("X-Accel-Buffering", "no")
			.body(this.feed.subscribe());
	}

	@PostMapping("/photos")
	ResponseEntity<PhotoView> upload(@RequestParam("file") MultipartFile file) throws IOException {
		String name = FileNames.clean(file.getOriginalFilename());
		ImageKind kind = kind(name, file.getContentType());
		if (file.isEmpty()) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "%s is empty.".formatted(name));
		}
		if (this.library.list().size() >= this.properties.maxPhotos()) {
			throw new ResponseStatusException(HttpStatus.CONFLICT,
					"The gallery is full: it has %d photos. Delete some of them first."
						.formatted(this.properties.maxPhotos()));
		}
		try (InputStream content = file.getInputStream()) {
			PhotoView photo = this.gallery.add(name, kind, content);
			return ResponseEntity.created(URI.create("/api/photos/" + photo.id() + "/original")).body(photo);
		}
	}

	/**
	 * The name must be that of an image, and the content type must not contradict it; the
	 * jobs find out whether the file is one.
	 */
	private static ImageKind kind(String name, @Nullable String contentType) {
		boolean image = contentType == null || contentType.startsWith("image/")
				|| contentType.equals(MediaType.APPLICATION_OCTET_STREAM_VALUE);
		return ImageKind.of(name)
			.filter((kind) -> image)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.UNSUPPORTED_MEDIA_TYPE,
					"%s (%s) is not a photo. The gallery takes JPEG, PNG, GIF and BMP files.".formatted(name,
							contentType)));
	}

	@GetMapping("/photos/{id}/jobs")
	List<JobHistory> jobs(@PathVariable String id) {
		return this.gallery.jobs(photo(id)).stream().map(JobHistory::of).toList();
	}

	@PostMapping("/photos/{id}/jobs")
	@ResponseStatus(HttpStatus.ACCEPTED)
	List<String> runAgain(@PathVariable String id) {
		return this.gallery.completeRenditions(photo(id)).stream().map(Job::id).toList();
	}

	@DeleteMapping("/photos/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void delete(@PathVariable String id) throws IOException {
		this.gallery.remove(photo(id));
	}

	private Photo photo(String id) {
		return this.library.find(id)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such photo."));
	}

}
