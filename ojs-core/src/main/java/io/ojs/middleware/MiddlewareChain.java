package io.ojs.middleware;

import java.util.List;

/**
 * The order in which middleware runs (OJS Middleware §5): the middleware of the
 * application, by name, and the steps of the library, whose order is fixed (OJS Extension
 * Interactions §14). Can be changed by one thread at the start of the application, and
 * not afterwards.
 *
 * @param <M> the kind of middleware
 */
public interface MiddlewareChain<M> {

	/** Begins the span of the job; always the first step. */
	String TRACE = "trace";

	/** Sets the tenant of the job, or of the thread that works it. */
	String TENANT = "tenant";

	/**
	 * Marks the place before which the middleware of the application changes jobs. Does
	 * nothing itself: rules are checked when the job is created, after each middleware,
	 * and when its bytes are read back.
	 */
	String VALIDATE = "validate";

	/** Makes the key of a unique job, before the arguments are encrypted. */
	String UNIQUE = "unique";

	/** Reads the rate limit. */
	String RATE_LIMIT = "rate-limit";

	/** Encrypts the arguments. */
	String ENCRYPT = "encrypt";

	/** Decrypts the arguments. */
	String DECRYPT = "decrypt";

	/**
	 * Adds a middleware after the others of the application.
	 * @param name its name, unique in this chain
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if the name is blank or taken, or the
	 * application has started
	 */
	void add(String name, M middleware);

	/**
	 * Adds a middleware before the others of the application.
	 * @param name its name, unique in this chain
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if the name is blank or taken, or the
	 * application has started
	 */
	void prepend(String name, M middleware);

	/**
	 * Inserts a middleware before another one or a step.
	 * @param existing the name of the other one
	 * @param name the name of the new one, unique in this chain
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if {@code existing} is not in the chain or is
	 * {@value #TRACE}, if the name is blank or taken, or the application has started
	 */
	void insertBefore(String existing, String name, M middleware);

	/**
	 * Inserts a middleware after another one or a step.
	 * @param existing the name of the other one
	 * @param name the name of the new one, unique in this chain
	 * @param middleware the middleware
	 * @throws InvalidMiddlewareException if {@code existing} is not in the chain, if the
	 * name is blank or taken, or the application has started
	 */
	void insertAfter(String existing, String name, M middleware);

	/**
	 * Removes a middleware of the application.
	 * @param name its name
	 * @throws InvalidMiddlewareException if the name is not in the chain or is a step, or
	 * the application has started
	 */
	void remove(String name);

	/**
	 * The names of the middleware and the steps.
	 * @return the names, in order
	 */
	List<String> names();

}
