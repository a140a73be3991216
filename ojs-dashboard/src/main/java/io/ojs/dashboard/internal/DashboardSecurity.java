package io.ojs.dashboard.internal;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * What the pages need of the security of the application.
 */
public interface DashboardSecurity {

	/** For applications without Spring Security. */
	DashboardSecurity NONE = new DashboardSecurity() {

		@Override
		public @Nullable Csrf csrf(HttpServletRequest request) {
			return null;
		}

		@Override
		public void requestLogin(HttpServletRequest request) {
			// There is no login to go to.
		}

	};

	/**
	 * The token that a request which changes something has to carry.
	 * @return the token; {@code null} if the application asks for none
	 */
	@Nullable Csrf csrf(HttpServletRequest request);

	/**
	 * Has the application authenticate the caller: throws the exception for which its
	 * filters begin a login. Returns if there are no such filters.
	 */
	void requestLogin(HttpServletRequest request);

	/**
	 * A token against requests of other sites.
	 *
	 * @param header the name of the header that carries it
	 * @param token its value
	 */
	record Csrf(String header, String token) {
	}

}
