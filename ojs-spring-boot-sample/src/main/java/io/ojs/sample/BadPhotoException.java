package io.ojs.sample;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * A file that is called an image and cannot be read as one.
 */
class BadPhotoException extends IOException {

	private static final long serialVersionUID = 1L;

	BadPhotoException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
