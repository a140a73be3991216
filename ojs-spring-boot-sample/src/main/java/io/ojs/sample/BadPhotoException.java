package io.ojs.sample;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a photo cannot be decoded.
 */
class BadPhotoException extends IOException {

	private static final long serialVersionUID = 1L;

	BadPhotoException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
