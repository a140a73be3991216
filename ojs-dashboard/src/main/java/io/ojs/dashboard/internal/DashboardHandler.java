package io.ojs.dashboard.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.ojs.dashboard.internal.DashboardPages.Refusal;
import io.ojs.dashboard.internal.DashboardSecurity.Csrf;
import io.ojs.internal.json.JsonObjects;
import io.ojs.web.Access;
import io.ojs.web.AccessControl;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.RequestPath;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Serves the dashboard below {@code /ojs/ui/}. All pages are one document at paths of one
 * segment, so that its URLs can be relative: an application with a context path, or
 * behind a proxy with a prefix, configures nothing.
 */
public final class DashboardHandler implements HttpRequestHandler {

	static final String BASE = "/ojs/ui";

	private static final String CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
			+ "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
			+ "require-trusted-types-for 'script'; trusted-types lit-html ojs";

	private static final Map<String, String> HEADERS = Map.of("Content-Security-Policy", CSP, "X-Content-Type-Options",
			"nosniff", "X-Frame-Options", "DENY", "Referrer-Policy", "same-origin", "Cross-Origin-Opener-Policy",
			"same-origin", "Cross-Origin-Resource-Policy", "same-origin");

	private static final String FOREVER = "public, max-age=31536000, immutable";

	private static final String ASSETS = "assets/";

	private static final Pattern PAGE = Pattern.compile("[a-z-]*");

	/**
	 * A document of an earlier or later version loads these first. They say that it has
	 * to be reloaded.
	 */
	private static final Set<String> OF_ANY_VERSION = Set.of("js/boot.js", "js/reload.js");

	private final DashboardFiles files;

	private final DashboardPages pages;

	private final AccessControl accessControl;

	private final DashboardSecurity security;

	private final String readRight;

	private final JsonObjects json = new JsonObjects();

	/**
	 * Creates a handler.
	 * @param accessControl decides who may read
	 * @param readRight what a caller without the right to read lacks, as a sentence
	 */
	public DashboardHandler(DashboardFiles files, AccessControl accessControl, DashboardSecurity security,
			String readRight) {
		this.files = files;
		this.pages = new DashboardPages(files);
		this.accessControl = accessControl;
		this.security = security;
		this.readRight = readRight;
	}

	static RequestPath parsed(HttpServletRequest request) {
		return ServletRequestPathUtils.hasParsedRequestPath(request)
				? ServletRequestPathUtils.getParsedRequestPath(request)
				: ServletRequestPathUtils.parseAndCache(request);
	}

	/** The path of a request within the application. */
	static String path(HttpServletRequest request) {
		return parsed(request).pathWithinApplication().value();
	}

	/** Whether a path within the application is of the dashboard. */
	static boolean handles(String path) {
		return path.equals(BASE) || path.startsWith(BASE + "/");
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
		HEADERS.forEach(response::setHeader);
		response.setHeader("Cache-Control", "no-store");
		String path = path(request);
		if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
			response.setHeader("Allow", "GET, HEAD");
			response.setStatus(405);
		}
		else if (isForAnotherSite(request)) {
			refuse(Refusal.OTHER_SITE, response);
		}
		else if (path.equals(BASE)) {
			response.setStatus(302);
			response.setHeader("Location", "ui/");
		}
		else {
			serve(path.substring(BASE.length() + 1), request, response);
		}
	}

	private void serve(String name, HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (name.startsWith(ASSETS)) {
			asset(name.substring(ASSETS.length()), request, response);
		}
		else if (name.equals("session")) {
			session(request, response);
		}
		else if (!PAGE.matcher(name).matches()) {
			refuse(Refusal.NOT_FOUND, response);
		}
		else if (mayRead(request, response)) {
			Csrf csrf = this.security.csrf(request);
			html(200, this.pages.page(csrf), response);
		}
	}

	/**
	 * Whether another site asks, other than by a link: Fetch Metadata Request Headers §2.
	 */
	private static boolean isForAnotherSite(HttpServletRequest request) {
		return "cross-site".equals(request.getHeader("Sec-Fetch-Site"))
				&& !("navigate".equals(request.getHeader("Sec-Fetch-Mode"))
						&& "document".equals(request.getHeader("Sec-Fetch-Dest")));
	}

	private boolean mayRead(HttpServletRequest request, HttpServletResponse response) throws IOException {
		AccessControl.Decision decision = this.accessControl.decide(Access.READ, request);
		if (decision == AccessControl.Decision.UNKNOWN) {
			this.security.requestLogin(request);
			refuse(Refusal.UNKNOWN, response);
		}
		else if (decision == AccessControl.Decision.REFUSED) {
			Principal caller = request.getUserPrincipal();
			refuse(new Refusal(403, "You may not see this",
					(caller != null) ? "You are " + caller.getName() + ". " + this.readRight : this.readRight,
					"Have that right given to you, or log in as a person who has it."), response);
		}
		return decision == AccessControl.Decision.ALLOWED;
	}

	/**
	 * The version of the files, and another token: for a page that is open for long,
	 * whose user may have become another one meanwhile.
	 */
	private void session(HttpServletRequest request, HttpServletResponse response) throws IOException {
		AccessControl.Decision decision = this.accessControl.decide(Access.READ, request);
		if (decision != AccessControl.Decision.ALLOWED) {
			response.setStatus((decision == AccessControl.Decision.REFUSED) ? 403 : 401);
			return;
		}
		Csrf csrf = this.security.csrf(request);
		Map<String, @Nullable Object> session = new LinkedHashMap<>();
		session.put("version", this.files.version());
		session.put("csrf", (csrf != null) ? Map.of("header", csrf.header(), "token", csrf.token()) : null);
		write(200, "application/json", this.json.write(session), response);
	}

	/**
	 * Files are the same in every application and contain no data: no right is needed.
	 */
	private void asset(String name, HttpServletRequest request, HttpServletResponse response) throws IOException {
		int slash = name.indexOf('/');
		String version = (slash < 0) ? "" : name.substring(0, slash);
		String path = name.substring(slash + 1);
		boolean isCurrent = version.equals(this.files.version());
		DashboardFile file = (isCurrent || OF_ANY_VERSION.contains(path) || path.startsWith("css/"))
				? this.files.find(path) : null;
		if (file == null) {
			response.setStatus(404);
			return;
		}
		String etag = '"' + this.files.version() + '"';
		response.setHeader("Cache-Control", isCurrent ? FOREVER : "no-store");
		response.setHeader("Vary", "Accept-Encoding");
		if (isCurrent) {
			response.setHeader("ETag", etag);
			if (etag.equals(request.getHeader("If-None-Match"))) {
				response.setStatus(304);
				return;
			}
		}
		String accepted = request.getHeader("Accept-Encoding");
		boolean zipped = accepted != null && accepted.contains("gzip");
		if (zipped) {
			response.setHeader("Content-Encoding", "gzip");
		}
		write(200, file.contentType(), zipped ? file.zipped() : file.bytes(), response);
	}

	void refuse(Refusal refusal, HttpServletResponse response) throws IOException {
		HEADERS.forEach(response::setHeader);
		response.setHeader("Cache-Control", "no-store");
		html(refusal.status(), this.pages.refusal(refusal), response);
	}

	private static void html(int status, String html, HttpServletResponse response) throws IOException {
		write(status, "text/html;charset=UTF-8", html.getBytes(StandardCharsets.UTF_8), response);
	}

	private static void write(int status, String contentType, byte[] body, HttpServletResponse response)
			throws IOException {
		response.setStatus(status);
		response.setContentType(contentType);
		response.setContentLength(body.length);
		response.getOutputStream().write(body);
	}

}
