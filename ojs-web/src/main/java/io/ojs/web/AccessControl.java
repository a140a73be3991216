package io.ojs.web;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Decides who may call which endpoints. The application has authenticated the caller
 * before.
 */
@FunctionalInterface
public interface AccessControl {

	/** Allows all callers everything except {@link Access#CODEC}. */
	AccessControl ANYBODY = (access, request) -> (access != Access.CODEC) ? Decision.ALLOWED : Decision.UNKNOWN;

	/**
	 * Decides about a request.
	 * @param access the right that the endpoint needs, never {@link Access#PUBLIC}
	 * @param request the request
	 * @return the decision
	 */
	Decision decide(Access access, HttpServletRequest request);

	/**
	 * The decision about a request.
	 */
	enum Decision {

		/** The caller has the right. */
		ALLOWED,

		/** The caller is not authenticated: 401. */
		UNKNOWN,

		/** The caller lacks the right: 403. */
		REFUSED

	}

}
