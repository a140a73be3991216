package io.ojs.web;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Decides who may call which endpoints. Who somebody is has been found out before.
 */
@FunctionalInterface
public interface AccessControl {

	/** Lets everybody do everything but see what is encrypted. */
	AccessControl ANYBODY = (access, request) -> (access != Access.CODEC) ? Decision.ALLOWED : Decision.UNKNOWN;

	/**
	 * Decides about a request.
	 * @param access what the endpoint asks for, never {@link Access#PUBLIC}
	 * @param request the request
	 * @return the decision
	 */
	Decision decide(Access access, HttpServletRequest request);

	/**
	 * What was decided.
	 */
	enum Decision {

		/** The request may go on. */
		ALLOWED,

		/** Nobody knows who sent it: 401. */
		UNKNOWN,

		/** Whoever sent it may not do that: 403. */
		REFUSED

	}

}
