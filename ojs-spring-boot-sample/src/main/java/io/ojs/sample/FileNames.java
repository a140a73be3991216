package io.ojs.sample;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

import org.jspecify.annotations.Nullable;

/**
 * Makes names of files safe to show.
 */
final class FileNames {

	private static final int MAX_BYTES = 120;

	private FileNames() {
	}

	/**
	 * Cleans a name: keeps the last segment, replaces control characters and characters
	 * with a meaning for shells, browsers or file systems, and limits the length.
	 * @param fromClient the name that a client sent
	 * @return a name that is not empty
	 */
	static String clean(@Nullable String fromClient) {
		String name = Normalizer.normalize((fromClient != null) ? fromClient : "", Normalizer.Form.NFC);
		name = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
		name = name.replaceAll("[^\\p{L}\\p{M}\\p{N} ._()+-]", "_").replaceAll("^[. ]+|[. ]+$", "");
		int dot = name.lastIndexOf('.');
		String extension = (dot > 0 && name.length() - dot <= 6) ? name.substring(dot) : "";
		String base = name.substring(0, name.length() - extension.length());
		while ((base + extension).getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
			base = base.substring(0, base.offsetByCodePoints(base.length(), -1));
		}
		return base.isBlank() ? "photo" + extension : base + extension;
	}

}
