package io.ojs.sample;

import java.nio.file.Path;
import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the gallery.
 *
 * @param directory Directory that keeps the photos.
 * @param maxPhotos Number of photos that it takes.
 * @param maxUpload Size of a file above which it is refused.
 * @param keepFor Time for which a photo is kept.
 * @param cleanAt Times at which older ones are forgotten, as a cron expression.
 * @param zone Zone whose clock that is about.
 */
@ConfigurationProperties("gallery")
record GalleryProperties(Path directory, @DefaultValue("200") int maxPhotos, @DefaultValue("20MB") DataSize maxUpload,
		@DefaultValue("30d") Duration keepFor, @DefaultValue("0 3 * * *") String cleanAt,
		@DefaultValue("Europe/Berlin") String zone) {
}
