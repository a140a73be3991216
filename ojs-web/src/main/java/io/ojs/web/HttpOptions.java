package io.ojs.web;

/**
 * How requests are answered.
 *
 * @param maxBodyBytes larger bodies are refused
 * @param maxTotalBodyBytes bytes of bodies that are in memory at once, of all requests
 * together; while there are more, requests with a body are refused
 * @param requestsPerSecond how many requests are answered in a second; 0 for any number
 * @param stackTraces whether answers to what went wrong here show where
 */
public record HttpOptions(long maxBodyBytes, long maxTotalBodyBytes, int requestsPerSecond, boolean stackTraces) {

	/** One megabyte of body, any number of requests, no stack traces. */
	public static final HttpOptions DEFAULT = new HttpOptions(1024 * 1024, 16 * 1024 * 1024, 0, false);

}
