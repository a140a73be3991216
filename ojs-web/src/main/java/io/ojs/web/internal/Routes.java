package io.ojs.web.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.ojs.web.Access;
import io.ojs.web.HttpFailure;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The endpoints, with the requests that each answers. Filled once, before the first
 * request.
 */
public final class Routes {

	/** The beginning of all paths, except those of {@link #getAtRoot}. */
	public static final String BASE = "/ojs";

	private final List<Route> routes;

	private final Set<String> roots;

	/** Whether the endpoints that are added keep tenants apart. */
	private final boolean tenants;

	/**
	 * Whether the endpoints that are added answer callers of several tenants that name
	 * none.
	 */
	private final boolean undecided;

	private final boolean counted;

	/** What a caller of a path without an endpoint can do. */
	private final String missingHint;

	/** Creates routes without endpoints. */
	public Routes() {
		this(HttpOptions.ALL_THERE);
	}

	/**
	 * Creates routes without endpoints.
	 * @param missingHint what a caller of a path without an endpoint can do
	 */
	Routes(String missingHint) {
		this(new ArrayList<>(), new TreeSet<>(), false, false, true, missingHint);
	}

	private Routes(List<Route> routes, Set<String> roots, boolean tenants, boolean undecided, boolean counted,
			String missingHint) {
		this.routes = routes;
		this.roots = roots;
		this.tenants = tenants;
		this.undecided = undecided;
		this.counted = counted;
		this.missingHint = missingHint;
	}

	/**
	 * Returns the same routes, to add endpoints that keep tenants apart: if a request has
	 * a {@link HttpCall#tenant()}, they show and change only what belongs to that tenant.
	 * All other endpoints refuse such a request.
	 * @return routes; an endpoint that is added to them is added to these, too
	 */
	public Routes forTenants() {
		return new Routes(this.routes, this.roots, true, false, this.counted, this.missingHint);
	}

	/**
	 * Returns the same routes, to add endpoints that tell callers about themselves alone:
	 * they also answer a caller that has several tenants, or none, and names none.
	 * {@link HttpCall#tenant()} is {@code null} then, though the caller may not see all
	 * jobs.
	 * @return routes; an endpoint that is added to them is added to these, too
	 */
	public Routes forCallers() {
		return new Routes(this.routes, this.roots, true, true, this.counted, this.missingHint);
	}

	/**
	 * Returns the same routes, to add endpoints that answer any number of requests: a
	 * monitor would take a refusal for the end of the process.
	 * @return routes; an endpoint that is added to them is added to these, too
	 */
	public Routes uncounted() {
		return new Routes(this.routes, this.roots, this.tenants, this.undecided, false, this.missingHint);
	}

	/**
	 * Adds an endpoint that reads, for {@code GET} and {@code HEAD}.
	 * @param path below {@link #BASE}, such as <code>/v1/jobs/{id}</code>
	 */
	public Routes get(String path, Access access, Endpoint endpoint) {
		return add("GET", path, access, endpoint);
	}

	/** Adds an endpoint for {@code POST}. */
	public Routes post(String path, Access access, Endpoint endpoint) {
		return add("POST", path, access, endpoint);
	}

	/** Adds an endpoint for {@code PUT}. */
	public Routes put(String path, Access access, Endpoint endpoint) {
		return add("PUT", path, access, endpoint);
	}

	/** Adds an endpoint for {@code PATCH}. */
	public Routes patch(String path, Access access, Endpoint endpoint) {
		return add("PATCH", path, access, endpoint);
	}

	/** Adds an endpoint for {@code DELETE}. */
	public Routes delete(String path, Access access, Endpoint endpoint) {
		return add("DELETE", path, access, endpoint);
	}

	/**
	 * Adds an endpoint that reads, outside of {@link #BASE}. It hides an endpoint of the
	 * application that has the same path.
	 * @param path within the application, without variables, such as {@code /health}
	 */
	public Routes getAtRoot(String path, Access access, Endpoint endpoint) {
		this.roots.add(path);
		return addAt("GET", path, access, endpoint);
	}

	/**
	 * All endpoints.
	 * @return the endpoints, in the order in which they were added
	 */
	public List<Route> all() {
		return List.copyOf(this.routes);
	}

	/** The paths outside of {@link #BASE}. */
	Set<String> roots() {
		return Set.copyOf(this.roots);
	}

	private Routes add(String method, String path, Access access, Endpoint endpoint) {
		return addAt(method, BASE + path, access, endpoint);
	}

	private Routes addAt(String method, String path, Access access, Endpoint endpoint) {
		PathPattern pattern = PathPatternParser.defaultInstance.parse(path);
		if (this.routes.stream()
			.anyMatch((route) -> route.method().equals(method)
					&& route.pattern().getPatternString().equals(pattern.getPatternString()))) {
			throw new IllegalStateException("There are two endpoints for %s %s.".formatted(method, path));
		}
		this.routes.add(new Route(method, pattern, access, this.tenants, this.undecided, this.counted, endpoint));
		return this;
	}

	/**
	 * Finds the endpoint for a request.
	 * @return the endpoint, and the values of the path's variables
	 * @throws HttpFailure with 404 or 405 if there is none
	 */
	Match match(String method, PathContainer path) {
		List<Route> candidates = this.routes.stream()
			.filter((route) -> route.pattern().matches(path))
			// The pattern with fewer variables first: /queues/_default/config before
			// /queues/{name}/config.
			.sorted(Comparator.comparing(Route::pattern))
			.toList();
		if (candidates.isEmpty()) {
			throw HttpErrors.noEndpoint(path.value(), this.missingHint);
		}
		String wanted = "HEAD".equals(method) ? "GET" : method;
		Route route = candidates.stream()
			.filter((candidate) -> candidate.method().equals(wanted))
			.findFirst()
			.orElse(null);
		if (route == null) {
			throw HttpErrors.methodNotAllowed(method, allowed(candidates));
		}
		PathPattern.PathMatchInfo info = route.pattern().matchAndExtract(path);
		return new Match(route, (info != null) ? info.getUriVariables() : Map.of());
	}

	private static String allowed(List<Route> candidates) {
		TreeSet<String> methods = new TreeSet<>();
		candidates.forEach((route) -> methods.add(route.method()));
		if (methods.contains("GET")) {
			methods.add("HEAD");
		}
		return String.join(", ", methods);
	}

	/**
	 * One endpoint.
	 *
	 * @param tenants whether it keeps tenants apart
	 * @param undecided whether it answers callers of several tenants that name none
	 * @param counted whether its requests count among those that are answered in a second
	 */
	public record Route(String method, PathPattern pattern, Access access, boolean tenants, boolean undecided,
			boolean counted, Endpoint endpoint) {

		/**
		 * Its path within the application, with variables in braces.
		 * @return the path, such as <code>/ojs/v1/jobs/{id}</code>
		 */
		public String path() {
			return this.pattern.getPatternString();
		}

	}

	/**
	 * An endpoint that was found.
	 *
	 */
	record Match(Route route, Map<String, String> variables) {
	}

}
