package io.ojs.web;

import java.util.Optional;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Decides which tenant a request is made for (OJS Multi-Tenancy §5.3). The caller was
 * authenticated before, and may call the endpoint.
 */
@FunctionalInterface
public interface TenantAccess {

	/** Name of the header that names the tenant of a request. */
	String HEADER = "X-OJS-Tenant";

	/**
	 * For applications without tenants. Refuses a request that names a tenant: its caller
	 * expects a separation that does not exist.
	 */
	TenantAccess OFF = (request, wanted) -> {
		if (wanted != null) {
			throw HttpFailure.invalid(HEADER, wanted,
					"must be left out: this application keeps no tenants apart (ojs.tenancy.enabled)");
		}
		return Optional.empty();
	};

	/** Accepts the tenant that the request names. */
	TenantAccess TRUSTING = (request, wanted) -> Optional.ofNullable(wanted);

	/**
	 * Decides about a request.
	 * @param request the request
	 * @param wanted the tenant that the header names, a valid id; {@code null} without
	 * one
	 * @return the only tenant whose jobs the request sees; empty if it sees all jobs
	 * @throws HttpFailure if the caller may not make a request for that tenant, or not
	 * for all
	 */
	Optional<String> decide(HttpServletRequest request, @Nullable String wanted);

	/**
	 * Decides about a request whose endpoint needs a right. By default the right changes
	 * nothing.
	 * @param access the right, never {@link Access#PUBLIC}
	 * @param request the request
	 * @param wanted the tenant that the header names, a valid id; {@code null} without
	 * one
	 * @return the only tenant whose jobs the request sees; empty if it sees all jobs
	 * @throws HttpFailure if the caller may not make a request for that tenant, or not
	 * for all
	 */
	default Optional<String> decide(Access access, HttpServletRequest request, @Nullable String wanted) {
		return decide(request, wanted);
	}

	/**
	 * Returns for which tenants the caller of a request may make requests, so that people
	 * can choose one. By default this is what {@link #decide} answers if the header names
	 * no tenant.
	 * @param request the request
	 * @return the tenants
	 */
	default Scope scope(HttpServletRequest request) {
		try {
			return decide(request, null).map((tenant) -> new Scope(Set.of(tenant), false))
				.orElseGet(() -> new Scope(Set.of(), true));
		}
		catch (HttpFailure ex) {
			return new Scope(Set.of(), false);
		}
	}

	/**
	 * The tenants for which a caller may make requests.
	 *
	 * @param own ids of the caller's own tenants, in any order
	 * @param all whether the caller may make requests for any tenant, and for all at once
	 */
	record Scope(Set<String> own, boolean all) {

		public Scope {
			own = Set.copyOf(own);
		}

	}

}
