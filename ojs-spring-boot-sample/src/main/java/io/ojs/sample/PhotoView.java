package io.ojs.sample;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A photo for the page.
 *
 * @param id the id of the photo
 * @param name its name
 * @param bytes the size of the original
 * @param addedAt when it was uploaded
 * @param renditions the renditions that jobs have made so far
 * @param palette its colours; empty while they are unknown
 */
record PhotoView(String id, String name, long bytes, Instant addedAt, Set<Rendition> renditions, List<Swatch> palette) {
}
