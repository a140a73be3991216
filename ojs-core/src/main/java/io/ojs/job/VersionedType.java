package io.ojs.job;

import org.jspecify.annotations.Nullable;

/**
 * A type as producers may write it, with a version behind it (OJS Job Versioning §5.3):
 * {@code invoice.generate@2.0}. Nothing of it is checked.
 *
 * @param type what stands before the first {@code @}
 * @param version what stands behind it; {@code null} if there is none
 */
public record VersionedType(String type, @Nullable String version) {

	/**
	 * Takes a type apart.
	 * @param text a type, with or without a version
	 * @return both
	 */
	public static VersionedType split(String text) {
		int at = text.indexOf('@');
		return (at < 0) ? new VersionedType(text, null)
				: new VersionedType(text.substring(0, at), text.substring(at + 1));
	}

}
