package io.ojs.sample;

import java.io.IOException;
import java.time.Clock;
import java.time.Instant;

import io.ojs.cron.OjsCron;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;

import org.springframework.stereotype.Component;

/**
 * Deletes old photos every night. If there are several instances, one of them does it.
 */
@Component
class GalleryCleaning {

	private final PhotoLibrary library;

	private final Gallery gallery;

	private final GalleryProperties properties;

	private final Clock clock = Clock.systemUTC();

	GalleryCleaning(PhotoLibrary library, Gallery gallery, GalleryProperties properties) {
		this.library = library;
		this.gallery = gallery;
		this.properties = properties;
	}

	/**
	 * Deletes photos that were added long ago. A second run finds no such photos.
	 * @return the number of deleted photos
	 */
	@OjsJobHandler(value = "gallery.clean", queue = "photos")
	@OjsCron(name = "gallery-clean", expression = "${gallery.clean-at}", zone = "${gallery.zone}",
			description = "Forgets old photos")
	int clean(JobContext context) throws IOException {
		Instant oldest = this.clock.instant().minus(this.properties.keepFor());
		int removed = 0;
		for (Photo photo : this.library.list()) {
			if (photo.addedAt().isBefore(oldest)) {
				context.progress(0.5, "Removing " + photo.name());
				this.gallery.remove(photo);
				removed++;
			}
		}
		return removed;
	}

}
