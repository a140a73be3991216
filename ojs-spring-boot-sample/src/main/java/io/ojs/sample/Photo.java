package io.ojs.sample;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A photo in the library.
 *
 * @param id its id, which is also the name of its directory
 * @param name what its file was called; for people, never a path
 * @param kind what the name says is in it
 * @param original the file as it was uploaded
 * @param bytes the size of that file
 * @param addedAt when it was uploaded
 */
record Photo(String id, String name, ImageKind kind, Path original, long bytes, Instant addedAt) {

	Path directory() {
		return this.original.resolveSibling("");
	}

}
