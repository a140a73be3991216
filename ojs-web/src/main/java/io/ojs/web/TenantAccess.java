package io.ojs.web;

import java.util.Optional;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Decides for which tenant a request is made (OJS Multi-Tenancy §5.3). Who sent it, and
 * that they may call the endpoint, has been found out before.
 */
@FunctionalInterface
public interface TenantAccess {

	/** Name of the header that says for whom a request is made. */
	String HEADER = "X-OJS-Tenant";

	/**
	 * Jobs belong to nobody: whoever names a tenant would believe in what is not there.
	 */
	TenantAccess OFF = (request, wanted) -> {
		if (wanted != null) {
			throw HttpFailure.invalid(HEADER, wanted,
					"must be left out: this application keeps no tenants apart (ojs.tenancy.enabled)");
		}
		return Optional.empty();
	};

	/** Believes what the request says. */
	TenantAccess TRUSTING = (request, wanted) -> Optional.ofNullable(wanted);

	/**
	 * Decides about a request.
	 * @param request the request
	 * @param wanted what its header says, a valid id; {@code null} without one
	 * @return the tenant whose jobs alone it sees; empty if it sees all
	 * @throws HttpFailure if it may not be made for that tenant, or not for all
	 */
	Optional<String> decide(HttpServletRequest request, @Nullable String wanted);

}
