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
 * @param missingHint what a caller of a path without an endpoint can do
 */
public record HttpOptions(long maxBodyBytes, long maxTotalBodyBytes, int requestsPerSecond, boolean stackTraces,
		String missingHint) {

	/** The hint where all endpoints are there. */
	public static final String ALL_THERE = "Look at the documentation of the HTTP API, and at the version in the path.";

	/** The hint where there is no job store. */
	public static final String NO_STORE = "This application has no job store, which most endpoints need: give it a "
			+ "DataSource and spring-jdbc. GET /ojs/openapi.json has the endpoints that are there.";

	/**
	 * 1 MiB for a body, 16 MiB for all bodies, any number of requests, no stack traces.
	 */
	public static final HttpOptions DEFAULT = new HttpOptions(1024 * 1024, 16 * 1024 * 1024, 0, false, ALL_THERE);

}
