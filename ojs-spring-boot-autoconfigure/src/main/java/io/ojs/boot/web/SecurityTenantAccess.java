package io.ojs.boot.web;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.ojs.boot.HttpProperties.AuthoritiesProperties;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.Tenants;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.TenantAccess;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Decides by the authorities of the caller that Spring Security has authenticated, and by
 * the tenant that the application's {@link TenantResolver} returns.
 */
final class SecurityTenantAccess implements TenantAccess {

	private final AuthoritiesProperties authorities;

	private final TenantResolver resolver;

	/** The rights of callers that Spring Security does not know. */
	private final Set<Access> anonymous;

	private final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

	SecurityTenantAccess(AuthoritiesProperties authorities, TenantResolver resolver, Set<Access> anonymous) {
		this.authorities = authorities;
		this.resolver = resolver;
		this.anonymous = anonymous;
	}

	@Override
	public Scope scope(HttpServletRequest request) {
		return scope(Access.READ, request);
	}

	private Scope scope(Access access, HttpServletRequest request) {
		Set<String> own = new LinkedHashSet<>();
		boolean all = false;
		Authentication caller = SecurityContextHolder.getContext().getAuthentication();
		all |= this.anonymous.contains(access) && !this.trust.isAuthenticated(caller)
				&& this.resolver.currentTenant().isEmpty();
		if (caller != null) {
			for (GrantedAuthority granted : caller.getAuthorities()) {
				String authority = granted.getAuthority();
				if (authority != null && authority.startsWith(this.authorities.tenantPrefix())) {
					add(own, authority.substring(this.authorities.tenantPrefix().length()));
				}
				all |= this.authorities.allTenants().equals(authority);
			}
		}
		this.resolver.currentTenant().ifPresent((tenant) -> add(own, tenant));
		return new Scope(own, all);
	}

	@Override
	public Optional<String> decide(HttpServletRequest request, @Nullable String wanted) {
		return decide(Access.READ, request, wanted);
	}

	@Override
	public Optional<String> decide(Access access, HttpServletRequest request, @Nullable String wanted) {
		Scope scope = scope(access, request);
		Set<String> own = scope.own();
		if (wanted != null) {
			if (scope.all() || own.contains(wanted)) {
				return Optional.of(wanted);
			}
			throw HttpFailure.forbidden("You may not work for tenant '%s'.".formatted(wanted));
		}
		if (scope.all()) {
			return Optional.empty();
		}
		if (own.isEmpty()) {
			throw HttpFailure.forbidden("You work for no tenant: it takes the authority %s and its id, or %s."
				.formatted(this.authorities.tenantPrefix(), this.authorities.allTenants()));
		}
		if (own.size() > 1) {
			throw HttpFailure.invalid(HEADER, null,
					"must say for which of your tenants: " + String.join(", ", new TreeSet<>(own)));
		}
		return own.stream().findFirst();
	}

	/** Ignores an authority or a resolved value that is not a valid id of a tenant. */
	private static void add(Set<String> own, String tenant) {
		if (Tenants.isValid(tenant)) {
			own.add(tenant);
		}
	}

}
