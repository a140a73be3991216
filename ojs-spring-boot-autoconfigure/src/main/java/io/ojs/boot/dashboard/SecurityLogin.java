package io.ojs.boot.dashboard;

import io.ojs.dashboard.internal.DashboardSecurity;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.web.csrf.CsrfToken;

/**
 * Spring Security's part of the dashboard.
 */
final class SecurityLogin implements DashboardSecurity {

	/** Name of the exception for which Spring Security's filters begin a login. */
	static final String LOGIN_REQUIRED = "org.springframework.security.authentication.AuthenticationCredentialsNotFoundException";

	@Override
	public @Nullable Csrf csrf(HttpServletRequest request) {
		CsrfToken token = (CsrfToken) request.getAttribute(CsrfToken.class.getName());
		return (token != null) ? new Csrf(token.getHeaderName(), token.getToken()) : null;
	}

	@Override
	public void requestLogin(HttpServletRequest request) {
		throw new AuthenticationCredentialsNotFoundException("The dashboard needs to know its caller.");
	}

}
