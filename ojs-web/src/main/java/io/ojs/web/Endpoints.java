package io.ojs.web;

/**
 * Endpoints that belong together.
 */
@FunctionalInterface
public interface Endpoints {

	/**
	 * Adds them.
	 * @param routes where to
	 */
	void addTo(Routes routes);

}
