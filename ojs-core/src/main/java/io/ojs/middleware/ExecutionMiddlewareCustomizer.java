package io.ojs.middleware;

/**
 * Changes the order of execution middleware, where the order of beans is not enough.
 */
@FunctionalInterface
public interface ExecutionMiddlewareCustomizer {

	/**
	 * Changes the chain at the start of the application.
	 * @param chain the chain, with the beans of the application
	 */
	void customize(MiddlewareChain<ExecutionMiddleware> chain);

}
