package io.ojs.web;

/**
 * Answers the requests of one method to one path.
 */
@FunctionalInterface
public interface Endpoint {

	/**
	 * Answers a request. Whatever is thrown becomes an answer too.
	 * @param call the request
	 * @return the answer
	 * @see HttpErrors
	 */
	HttpResult handle(HttpCall call);

}
