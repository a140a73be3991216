package io.ojs.sample;

import java.nio.file.Path;
import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the gallery.
 *
 * @param directory Directory that keeps the photos.
 * @param maxPhotos Largest number of photos in the gallery.
 * @param maxUpload Largest size of a file. A larger file is rejected.
 * @param keepFor Time for which a photo is kept.
 * @param cleanAt Times at which older photos are deleted, as a cron expression.
 * @param zone Time zone of the cron expression.
 */
@ConfigurationProperties("gallery")
record GalleryProperties(Path directory, @DefaultValue("200") int maxPhotos, @DefaultValue("20MB") DataSize maxUpload,
		@DefaultValue("30d") Duration keepFor, @DefaultValue("0 3 * * *") String cleanAt,
		@DefaultValue("Europe/Berlin") String zone) {
}
