package io.ojs.sample;

import java.nio.file.Path;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the gallery.
 *
 * @param directory Directory that keeps the photos.
 * @param maxPhotos Number of photos that it takes.
 * @param maxUpload Size of a file above which it is refused.
 */
@ConfigurationProperties("gallery")
record GalleryProperties(Path directory, @DefaultValue("200") int maxPhotos, @DefaultValue("20MB") DataSize maxUpload) {
}
