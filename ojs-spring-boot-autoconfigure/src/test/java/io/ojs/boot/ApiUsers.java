package io.ojs.boot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;

/**
 * Users whose password is "secret". It is compared as it is: Spring Security's default
 * hashes for a tenth of a second, with each request again.
 */
final class ApiUsers implements AuthenticationManager {

	private final Map<String, List<String>> authorities = new HashMap<>();

	ApiUsers user(String name, String... authorities) {
		this.authorities.put(name, List.of(authorities));
		return this;
	}

	@Override
	public Authentication authenticate(Authentication asked) {
		List<String> granted = this.authorities.get(asked.getName());
		if (granted == null || !"secret".equals(asked.getCredentials())) {
			throw new BadCredentialsException("No such user, or another password");
		}
		return UsernamePasswordAuthenticationToken.authenticated(asked.getName(), null,
				AuthorityUtils.createAuthorityList(granted));
	}

}
