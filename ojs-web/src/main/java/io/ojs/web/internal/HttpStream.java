package io.ojs.web.internal;

import java.io.IOException;

import io.ojs.web.HttpFailure;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * An answer that goes on after the request was handled.
 */
@FunctionalInterface
public interface HttpStream {

	/**
	 * Begins the answer. The status and the headers are set.
	 * @throws HttpFailure if there is no stream; the caller gets this error then
	 */
	void begin(HttpServletRequest request, HttpServletResponse response) throws IOException;

}
