package io.ojs.web.internal;

/**
 * Endpoints that belong together.
 */
@FunctionalInterface
public interface Endpoints {

	/**
	 * Adds the endpoints to routes.
	 * @param routes the routes
	 */
	void addTo(Routes routes);

}
