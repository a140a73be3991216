package io.ojs.dashboard.internal;

import java.io.IOException;
import java.util.function.Predicate;

import io.ojs.dashboard.internal.DashboardPages.Refusal;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a page is not served, where the application's security refuses it without
 * a login page: a browser would show an empty page. Comes before the filters of the
 * application.
 */
public final class DashboardRefusalFilter implements Filter {

	private final DashboardHandler handler;

	private final Predicate<Throwable> isRequestForLogin;

	/**
	 * Creates a filter.
	 * @param isRequestForLogin whether the handler threw an exception to have the caller
	 * log in, and no filter of the application has caught it
	 */
	public DashboardRefusalFilter(DashboardHandler handler, Predicate<Throwable> isRequestForLogin) {
		this.handler = handler;
		this.isRequestForLogin = isRequestForLogin;
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)
				|| !isPage(http)) {
			chain.doFilter(request, response);
			return;
		}
		try {
			chain.doFilter(request, new Explaining(answer));
		}
		catch (RuntimeException | ServletException ex) {
			if (answer.isCommitted() || !isRequestForLogin(ex)) {
				throw ex;
			}
			answer.reset();
			this.handler.refuse(Refusal.UNKNOWN, answer);
		}
	}

	private boolean isRequestForLogin(Throwable failure) {
		Throwable cause = failure.getCause();
		return this.isRequestForLogin.test(failure) || (cause != null && this.isRequestForLogin.test(cause));
	}

	/** A page, but neither a file nor what a page asks for itself. */
	private static boolean isPage(HttpServletRequest request) {
		String path = request.getRequestURI().substring(request.getContextPath().length());
		String accept = request.getHeader("Accept");
		return path.contains(DashboardHandler.BASE + "/") && accept != null && accept.contains("text/html");
	}

	private final class Explaining extends HttpServletResponseWrapper {

		Explaining(HttpServletResponse response) {
			super(response);
		}

		@Override
		public void sendError(int status) throws IOException {
			sendError(status, null);
		}

		@Override
		public void sendError(int status, @Nullable String message) throws IOException {
			if (isCommitted() || (status != 401 && status != 403)) {
				super.sendError(status, message);
				return;
			}
			resetBuffer();
			HttpServletResponse response = (HttpServletResponse) getResponse();
			DashboardRefusalFilter.this.handler
				.refuse((status == 401) ? Refusal.UNKNOWN_TO_APPLICATION : Refusal.REFUSED_BY_APPLICATION, response);
			response.flushBuffer();
		}

	}

}
