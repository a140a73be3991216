package io.ojs.boot.web;

import java.util.Optional;
import java.util.Set;

import io.ojs.tenant.TenantResolver;
import io.ojs.web.Access;
import io.ojs.web.HttpFailure;
import io.ojs.web.TenantAccess;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the tenant that the application's {@link TenantResolver} returns, without
 * authorities: where there is no Spring Security, or where anonymous callers are allowed.
 */
final class ResolvedTenantAccess implements TenantAccess {

	private final TenantResolver resolver;

	private final Set<Access> anonymous;

	/**
	 * Creates it.
	 * @param resolver returns the tenant of the caller
	 * @param anonymous the rights that callers without a tenant have for all tenants
	 */
	ResolvedTenantAccess(TenantResolver resolver, Set<Access> anonymous) {
		this.resolver = resolver;
		this.anonymous = anonymous;
	}

	@Override
	public Optional<String> decide(HttpServletRequest request, @Nullable String wanted) {
		return decide(Access.READ, request, wanted);
	}

	@Override
	public Optional<String> decide(Access access, HttpServletRequest request, @Nullable String wanted) {
		Optional<String> own = this.resolver.currentTenant();
		if (own.isEmpty()) {
			if (this.anonymous.contains(access)) {
				return TRUSTING.decide(request, wanted);
			}
			throw HttpFailure.forbidden("You work for no tenant.");
		}
		if (wanted != null && !wanted.equals(own.get())) {
			throw HttpFailure.forbidden("You may not work for tenant '%s'.".formatted(wanted));
		}
		return own;
	}

}
