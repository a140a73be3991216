package io.ojs.web.internal;

/**
 * Endpoints that belong together.
 */
@FunctionalInterface
public interface Endpoints {

	/** Adds the endpoints to routes. */
	void addTo(Routes routes);

}
