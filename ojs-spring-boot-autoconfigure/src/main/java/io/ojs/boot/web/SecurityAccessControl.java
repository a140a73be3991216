package io.ojs.boot.web;

import io.ojs.boot.HttpProperties.AuthoritiesProperties;
import io.ojs.web.Access;
import io.ojs.web.AccessControl;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Decides by the authorities of the caller that Spring Security has authenticated. If no
 * filter chain of the application covers a request, its caller is unknown, and the
 * request is refused.
 */
final class SecurityAccessControl implements AccessControl {

	private final AuthoritiesProperties authorities;

	private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

	SecurityAccessControl(AuthoritiesProperties authorities) {
		this.authorities = authorities;
	}

	@Override
	public Decision decide(Access access, HttpServletRequest request) {
		Authentication caller = SecurityContextHolder.getContext().getAuthentication();
		if (caller == null || !caller.isAuthenticated() || this.trust.isAnonymous(caller)) {
			return Decision.UNKNOWN;
		}
		String needed = authority(access);
		return caller.getAuthorities().stream().anyMatch((authority) -> needed.equals(authority.getAuthority()))
				? Decision.ALLOWED : Decision.REFUSED;
	}

	private String authority(Access access) {
		return switch (access) {
			case READ -> this.authorities.read();
			case WRITE -> this.authorities.write();
			case CODEC -> this.authorities.codec();
			case ADMIN, PUBLIC -> this.authorities.admin();
		};
	}

}
