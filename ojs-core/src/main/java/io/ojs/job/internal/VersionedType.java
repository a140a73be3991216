package io.ojs.job.internal;

import org.jspecify.annotations.Nullable;

/**
 * A type with an optional version, as producers may write it (OJS Job Versioning §5.3):
 * {@code invoice.generate@2.0}. The parts are not checked.
 *
 * @param type the text before the first {@code @}
 * @param version the text after it; {@code null} if there is none
 */
public record VersionedType(String type, @Nullable String version) {

	/**
	 * Splits a type and its version.
	 * @param text a type, with or without a version
	 */
	public static VersionedType split(String text) {
		int at = text.indexOf('@');
		return (at < 0) ? new VersionedType(text, null)
				: new VersionedType(text.substring(0, at), text.substring(at + 1));
	}

}
