package io.ojs.web.internal;

import java.io.IOException;
import java.security.Principal;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonObjects;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.internal.JobRules;
import io.ojs.queue.internal.Producers;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.web.Access;
import io.ojs.web.AccessControl;
import io.ojs.web.HttpError;
import io.ojs.web.HttpFailure;
import io.ojs.web.TenantAccess;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Answers all requests below {@code /ojs}. It reads and writes JSON itself, independently
 * of the configuration of the application: this is a wire format.
 */
public final class OjsRequestHandler implements HttpRequestHandler {

	private static final String REQUEST_ID = "X-Request-Id";

	private static final String VERSION = "OJS-Version";

	private static final Pattern FOREIGN_ID = Pattern.compile("[\\x21-\\x7e]{1,128}");

	private static final Pattern KNOWN_VERSION = Pattern.compile("1(\\.0(\\.\\d+)?)?(-[0-9A-Za-z.-]+)?");

	private final Routes routes;

	private final Set<String> roots;

	private final AccessControl accessControl;

	private final ThreadTenants tenants;

	private final TenantAccess tenantAccess;

	private final Producers producers;

	private final HttpErrors errors;

	/** Counts the requests of callers that may do what they ask for. */
	private final RequestRate rate;

	/**
	 * Counts all other requests, so that they cannot use up the rate of known callers.
	 */
	private final RequestRate strangers;

	private final RequestBodies bodies;

	private final JsonObjects objects = new JsonObjects();

	private final JobIdGenerator ids;

	private final Clock clock;

	/**
	 * Creates a handler.
	 * @param accessControl decides who may call the endpoints
	 */
	public OjsRequestHandler(List<Endpoints> endpoints, AccessControl accessControl, ThreadTenants tenants,
			TenantAccess tenantAccess, Producers producers, HttpOptions options, Clock clock) {
		this.routes = new Routes(options.missingHint());
		endpoints.forEach((some) -> some.addTo(this.routes));
		this.roots = this.routes.roots();
		this.accessControl = accessControl;
		this.tenants = tenants;
		this.tenantAccess = tenantAccess;
		this.producers = producers;
		this.errors = new HttpErrors(options.stackTraces());
		this.rate = new RequestRate(options.requestsPerSecond(), clock);
		this.strangers = new RequestRate(options.requestsPerSecond(), clock);
		this.bodies = new RequestBodies(options.maxBodyBytes(), options.maxTotalBodyBytes());
		this.ids = new JobIdGenerator(clock);
		this.clock = clock;
	}

	/** Whether this handler answers requests to a path within the application. */
	boolean handles(String path) {
		return path.equals(Routes.BASE) || path.startsWith(Routes.BASE + "/") || this.roots.contains(path);
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
		String requestId = requestId(request.getHeader(REQUEST_ID));
		HttpResult result;
		try {
			result = answer(request, response, requestId);
			HttpStream stream = result.stream();
			if (stream != null) {
				prepare(result, requestId, response);
				if (!request.getMethod().equals("HEAD")) {
					stream.begin(request, response);
				}
				return;
			}
		}
		catch (RuntimeException ex) {
			result = HttpErrors.result(this.errors.of(ex, requestId), requestId);
		}
		write(result, requestId, response);
	}

	/** Answers a request that failed before it reached this handler. */
	void refuse(HttpFailure failure, HttpServletRequest request, HttpServletResponse response) throws IOException {
		String requestId = requestId(request.getHeader(REQUEST_ID));
		write(HttpErrors.result(failure.error(), requestId), requestId, response);
	}

	private HttpResult answer(HttpServletRequest request, HttpServletResponse response, String requestId)
			throws IOException {
		Routes.Match match = allowed(request, response);
		Routes.Route route = match.route();
		request.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, route.pattern().getPatternString());
		String tenant = (route.access() != Access.PUBLIC) ? tenant(route, request) : null;
		if (route.method().equals("GET")) {
			return handle(match, request, new byte[0], requestId, tenant);
		}
		checkContentType(request);
		return this.bodies.with(request.getInputStream(), request.getContentLengthLong(), (body) -> {
			checkContentType(body, request);
			return handle(match, request, body, requestId, tenant);
		});
	}

	/** Finds the endpoint and checks the right of the caller. Counts the request. */
	private Routes.Match allowed(HttpServletRequest request, HttpServletResponse response) {
		Routes.Match match;
		try {
			match = this.routes.match(request.getMethod(), path(request));
			checkVersion(request.getHeader(VERSION));
			checkAccess(match.route().access(), request);
		}
		catch (RuntimeException ex) {
			this.strangers.count().forEach(response::setHeader);
			throw ex;
		}
		if (!match.route().counted()) {
			return match;
		}
		boolean known = match.route().access() != Access.PUBLIC;
		(known ? this.rate : this.strangers).count().forEach(response::setHeader);
		return match;
	}

	private HttpResult handle(Routes.Match match, HttpServletRequest request, byte[] body, String requestId,
			@Nullable String tenant) {
		HttpCall call = new HttpCall(match.variables(), query(request), body, headers(request), requestId,
				this.clock.instant(), tenant, caller(request));
		Endpoint endpoint = match.route().endpoint();
		String name = call.caller();
		return this.producers.supply((name != null) ? name : Producers.ANONYMOUS,
				() -> (tenant != null) ? this.tenants.supply(tenant, () -> endpoint.handle(call))
						: this.tenants.supplyForNobody(() -> endpoint.handle(call)));
	}

	private HttpCall.Caller caller(HttpServletRequest request) {
		Principal principal = request.getUserPrincipal();
		return new HttpCall.Caller((principal != null) ? principal.getName() : null,
				(access) -> this.accessControl.decide(access, request) == AccessControl.Decision.ALLOWED,
				() -> this.tenantAccess.scope(request));
	}

	private @Nullable String tenant(Routes.Route route, HttpServletRequest request) {
		List<String> said = Collections.list(request.getHeaders(TenantAccess.HEADER));
		if (said.size() > 1) {
			throw HttpFailure.invalid(TenantAccess.HEADER, String.join(", ", said), "must not be given more than once");
		}
		String wanted = said.isEmpty() ? null : said.get(0);
		if (wanted != null && !Tenants.isValid(wanted)) {
			throw HttpFailure.invalid(TenantAccess.HEADER, wanted, ThreadTenants.RULE);
		}
		String tenant = decide(route, request, wanted);
		if (tenant != null && !route.tenants()) {
			throw HttpFailure
				.forbidden("This endpoint concerns all tenants, and the caller works for tenant '%s' alone."
					.formatted(tenant));
		}
		return tenant;
	}

	private @Nullable String decide(Routes.Route route, HttpServletRequest request, @Nullable String wanted) {
		try {
			return this.tenantAccess.decide(route.access(), request, wanted).orElse(null);
		}
		catch (HttpFailure ex) {
			if (wanted == null && route.undecided()) {
				return null;
			}
			throw ex;
		}
	}

	private static HttpQuery query(HttpServletRequest request) {
		try {
			return new HttpQuery(request.getParameterMap());
		}
		catch (IllegalStateException ex) {
			// A container throws this (Servlet 6.1) if it cannot decode a parameter.
			throw HttpFailure.invalid("query", request.getQueryString(),
					"must be parameters that are escaped as UTF-8, such as limit=10");
		}
	}

	static PathContainer path(HttpServletRequest request) {
		RequestPath path = ServletRequestPathUtils.hasParsedRequestPath(request)
				? ServletRequestPathUtils.getParsedRequestPath(request)
				: ServletRequestPathUtils.parseAndCache(request);
		return path.pathWithinApplication();
	}

	private static void checkVersion(@Nullable String version) {
		if (version != null && !KNOWN_VERSION.matcher(version.strip()).matches()) {
			throw new HttpFailure(HttpError
				.of(422, "unsupported", "unsupported",
						"This server speaks OJS %s. Leave out the header %s, or ask for that."
							.formatted(JobRules.SPEC_VERSION, VERSION))
				.detail("field", VERSION));
		}
	}

	private void checkAccess(Access access, HttpServletRequest request) {
		if (access == Access.PUBLIC) {
			return;
		}
		switch (this.accessControl.decide(access, request)) {
			case ALLOWED -> {
				// The request goes on.
			}
			case UNKNOWN -> throw new HttpFailure(
					HttpError.of(401, "unauthenticated", "unauthenticated", "This endpoint requires authentication.")
						.hint("Send credentials that the application takes, such as a bearer token."));
			case REFUSED -> throw new HttpFailure(HttpError
				.of(403, "PERMISSION_DENIED", "permission_denied",
						"This endpoint requires the right to %s, which the caller does not have."
							.formatted(access.name().toLowerCase(Locale.ROOT)))
				.detail("access", access.name().toLowerCase(Locale.ROOT)));
			default ->
				throw new IllegalStateException("An access control decided neither ALLOWED, UNKNOWN nor REFUSED.");
		}
	}

	/** A form has no body to read: the container has made parameters of it. */
	private static void checkContentType(HttpServletRequest request) {
		String contentType = request.getContentType();
		if (contentType != null && isForm(contentType) && request.getContentLengthLong() != 0) {
			throw HttpErrors.unsupportedMediaType(contentType);
		}
	}

	/**
	 * Refuses what a page of another site can make a browser send, as a form can: a body
	 * with a plain content type or none, or no body. Before a browser sends JSON to
	 * another site, it asks the server. A filter of the application may have made another
	 * method of a form's.
	 */
	private static void checkContentType(byte[] body, HttpServletRequest request) {
		String contentType = request.getContentType();
		if (contentType != null && isJson(contentType)) {
			return;
		}
		if (body.length > 0) {
			throw HttpErrors.unsupportedMediaType(contentType);
		}
		boolean simple = request.getMethod().equals("POST") ? request.getHeader(VERSION) == null
				: "navigate".equals(request.getHeader("Sec-Fetch-Mode"));
		if (simple && isFromAnotherSite(request)) {
			throw HttpErrors.fromAnotherSite();
		}
	}

	/**
	 * Whether a page of another site has sent the request, by Fetch Metadata Request
	 * Headers §2. Older browsers send the origin with each POST.
	 */
	private static boolean isFromAnotherSite(HttpServletRequest request) {
		String site = request.getHeader("Sec-Fetch-Site");
		return (site != null) ? !site.equals("same-origin") && !site.equals("none")
				: request.getHeader("Origin") != null;
	}

	private static boolean isForm(String contentType) {
		String type = mediaType(contentType);
		return type.startsWith("multipart/") || type.equals("application/x-www-form-urlencoded");
	}

	private static String mediaType(String contentType) {
		return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
	}

	private static boolean isJson(String contentType) {
		String type = mediaType(contentType);
		return type.equals(JsonJobCodec.CONTENT_TYPE) || type.equals("application/json");
	}

	private static Map<String, String> headers(HttpServletRequest request) {
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		Collections.list(request.getHeaderNames()).forEach((name) -> headers.put(name, request.getHeader(name)));
		return headers;
	}

	private String requestId(@Nullable String given) {
		return (given != null && FOREIGN_ID.matcher(given).matches()) ? given : "req_" + this.ids.next();
	}

	private static void prepare(HttpResult result, String requestId, HttpServletResponse response) {
		response.setStatus(result.status());
		response.setHeader(VERSION, JobRules.SPEC_VERSION);
		response.setHeader(REQUEST_ID, requestId);
		response.setHeader("Cache-Control", "no-store");
		response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
		response.setHeader("X-Content-Type-Options", "nosniff");
		result.headers().forEach(response::setHeader);
	}

	private void write(HttpResult result, String requestId, HttpServletResponse response) throws IOException {
		prepare(result, requestId, response);
		if (result.body() != null) {
			byte[] body = this.objects.write(result.body());
			response.setContentType(result.headers().getOrDefault("Content-Type", JsonJobCodec.CONTENT_TYPE));
			response.setContentLength(body.length);
			response.getOutputStream().write(body);
		}
	}

}
