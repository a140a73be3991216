package io.ojs.sample;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A photo in the library.
 *
 * @param id the id of the photo, which is also the name of its directory
 * @param name the name of the uploaded file; only to be shown, never a path
 * @param kind the kind of the file, according to its name
 * @param original the file as it was uploaded
 * @param bytes the size of that file
 * @param addedAt when it was uploaded
 */
record Photo(String id, String name, ImageKind kind, Path original, long bytes, Instant addedAt) {

	Path directory() {
		return this.original.resolveSibling("");
	}

}
