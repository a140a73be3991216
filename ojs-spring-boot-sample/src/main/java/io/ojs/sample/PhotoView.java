package io.ojs.sample;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A photo as the page sees it.
 *
 * @param id its id
 * @param name its name
 * @param bytes the size of the original
 * @param addedAt when it was uploaded
 * @param renditions what jobs made of it so far
 * @param palette its colours, if they are known
 */
record PhotoView(String id, String name, long bytes, Instant addedAt, Set<Rendition> renditions, List<Swatch> palette) {
}
