package io.ojs.web.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import io.ojs.internal.json.JsonObjects;
import io.ojs.queue.internal.Producers;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.web.AccessControl;
import io.ojs.web.TenantAccess;
import org.jspecify.annotations.Nullable;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * Sends requests to endpoints, without an application.
 */
public final class HttpRequests {

	public static final String JSON = "application/json";

	public static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-15T09:30:00Z"), ZoneOffset.UTC);

	private final OjsRequestHandler handler;

	HttpRequests(OjsRequestHandler handler) {
		this.handler = handler;
	}

	public HttpRequests(Endpoints endpoints, AccessControl access, HttpOptions options) {
		this(handler(endpoints, access, options));
	}

	static OjsRequestHandler handler(Endpoints endpoints) {
		return handler(endpoints, AccessControl.ANYBODY, HttpOptions.DEFAULT);
	}

	private static OjsRequestHandler handler(Endpoints endpoints, AccessControl access, HttpOptions options) {
		return new OjsRequestHandler(List.of(endpoints), access, ThreadTenants.OFF, TenantAccess.OFF,
				new Producers("test"), options, CLOCK);
	}

	public static HttpRequests of(Endpoints endpoints) {
		return of(endpoints, AccessControl.ANYBODY);
	}

	public static HttpRequests of(Endpoints endpoints, AccessControl access) {
		return new HttpRequests(endpoints, access, HttpOptions.DEFAULT);
	}

	/** Each request is made for the tenant that its header names. */
	public static HttpRequests forTenants(Endpoints endpoints) {
		return new HttpRequests(new OjsRequestHandler(List.of(endpoints), AccessControl.ANYBODY,
				new ThreadTenants(true, false, TenantResolver.NONE), TenantAccess.TRUSTING, new Producers("test"),
				HttpOptions.DEFAULT, CLOCK));
	}

	public MockHttpServletResponse get(String path, Map<String, String> parameters) {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
		parameters.forEach(request::addParameter);
		return send(request);
	}

	public MockHttpServletResponse post(String path, String body) {
		return send("POST", path, body, Map.of("Content-Type", JSON));
	}

	public MockHttpServletResponse send(String method, String path, @Nullable String body,
			Map<String, String> headers) {
		MockHttpServletRequest request = new MockHttpServletRequest(method, path);
		headers.forEach(request::addHeader);
		if (body != null) {
			request.setContent(body.getBytes(StandardCharsets.UTF_8));
		}
		return send(request);
	}

	public MockHttpServletResponse send(MockHttpServletRequest request) {
		MockHttpServletResponse response = new MockHttpServletResponse();
		try {
			this.handler.handleRequest(request, response);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return response;
	}

	public static Map<String, @Nullable Object> body(MockHttpServletResponse response) {
		return new JsonObjects().read(response.getContentAsByteArray());
	}

	public static Map<?, ?> error(MockHttpServletResponse response) {
		return (Map<?, ?>) body(response).get("error");
	}

	/** The details of an error, such as the field that is wrong. */
	public static Map<?, ?> details(MockHttpServletResponse response) {
		return (Map<?, ?>) error(response).get("details");
	}

	public static String text(MockHttpServletResponse response) {
		try {
			return response.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (UnsupportedEncodingException ex) {
			throw new AssertionError(ex);
		}
	}

}
