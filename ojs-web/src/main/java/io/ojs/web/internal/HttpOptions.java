package io.ojs.web.internal;

/**
 * Options for all requests.
 *
 * @param maxBodyBytes how many bytes a body may have; a request with a larger one is
 * refused
 * @param maxTotalBodyBytes how many bytes of bodies may be in memory at once, of all
 * requests together; while there are more, requests with a body are refused
 * @param requestsPerSecond how many requests are answered in a second; 0 for any number
 * @param stackTraces whether answers with a status of 500 or above contain a stack trace
 */
public record HttpOptions(long maxBodyBytes, long maxTotalBodyBytes, int requestsPerSecond, boolean stackTraces) {

	/**
	 * 1 MiB for a body, 16 MiB for all bodies, any number of requests, no stack traces.
	 */
	public static final HttpOptions DEFAULT = new HttpOptions(1024 * 1024, 16 * 1024 * 1024, 0, false);

}
