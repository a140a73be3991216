package io.ojs.sample;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Serves photos and their renditions. These files never change, so browsers may cache
 * them; answers about missing files are not cached.
 */
@RestController
class PhotoController {

	private final PhotoLibrary library;

	PhotoController(PhotoLibrary library) {
		this.library = library;
	}

	@GetMapping("/api/photos/{id}/original")
	ResponseEntity<Resource> original(@PathVariable String id) {
		Photo photo = photo(id);
		return file(photo.original(), photo.kind().mediaType(), photo.name());
	}

	@GetMapping("/api/photos/{id}/{rendition}")
	ResponseEntity<Resource> rendition(@PathVariable String id, @PathVariable String rendition) {
		Photo photo = photo(id);
		Rendition wanted = Rendition.named(rendition).orElseThrow(PhotoController::notFound);
		Path file = this.library.find(photo, wanted).orElseThrow(PhotoController::notFound);
		return file(file, wanted.mediaType(), rendition + " of " + photo.name());
	}

	private Photo photo(String id) {
		return this.library.find(id).orElseThrow(PhotoController::notFound);
	}

	private static ResponseEntity<Resource> file(Path file, MediaType mediaType, String name) {
		return ResponseEntity.ok()
			.contentType(mediaType)
			.cacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePrivate().immutable())
			.header(HttpHeaders.CONTENT_DISPOSITION,
					ContentDisposition.inline().filename(name, StandardCharsets.UTF_8).build().toString())
			// Only the name claims that the file is an image. These headers keep a
			// browser from running it.
			.header("X-Content-Type-Options", "nosniff")
			.header("Content-Security-Policy", "default-src 'none'; sandbox")
			.body(new FileSystemResource(file));
	}

	private static ResponseStatusException notFound() {
		return new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such photo, or not yet.");
	}

}
