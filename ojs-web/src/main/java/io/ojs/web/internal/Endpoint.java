package io.ojs.web.internal;

/**
 * Answers the requests of one method to one path.
 */
@FunctionalInterface
public interface Endpoint {

	/**
	 * Answers a request. An exception becomes an answer, too.
	 * @see HttpErrors
	 */
	HttpResult handle(HttpCall call);

}
