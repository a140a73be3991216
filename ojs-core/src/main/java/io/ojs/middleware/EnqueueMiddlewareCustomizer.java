package io.ojs.middleware;

/**
 * Says where in the chain enqueue middleware stands, where the order of beans is not
 * enough.
 */
@FunctionalInterface
public interface EnqueueMiddlewareCustomizer {

	/**
	 * Changes the chain, at the start of the application.
	 * @param chain the chain; the application's beans are in it
	 */
	void customize(MiddlewareChain<EnqueueMiddleware> chain);

}
