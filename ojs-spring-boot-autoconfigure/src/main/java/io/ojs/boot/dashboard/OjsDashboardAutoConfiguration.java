package io.ojs.boot.dashboard;

import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.EffectiveAccess;
import io.ojs.boot.web.OjsWebAutoConfiguration;
import io.ojs.dashboard.internal.DashboardFiles;
import io.ojs.dashboard.internal.DashboardHandler;
import io.ojs.dashboard.internal.DashboardHandlerMapping;
import io.ojs.dashboard.internal.DashboardRefusalFilter;
import io.ojs.dashboard.internal.DashboardSecurity;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of the dashboard, for applications that have the OJS HTTP API.
 */
@AutoConfiguration(after = OjsWebAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "ojs.dashboard.enabled")
public final class OjsDashboardAutoConfiguration {

	private static final String KEY = "ojs.dashboard.enabled";

	OjsDashboardAutoConfiguration(OjsProperties properties, ApplicationContext context) {
		ClassLoader loader = context.getClassLoader();
		if (!ClassUtils.isPresent("io.ojs.dashboard.internal.DashboardHandler", loader)) {
			throw new InvalidConfigurationException(KEY, true,
					"needs the module ojs-dashboard, which is not on the class path",
					"Add the dependency io.ojs:ojs-dashboard, or remove the property.");
		}
		if (!ClassUtils.isPresent("org.springframework.web.servlet.HandlerMapping", loader)) {
			throw new InvalidConfigurationException(KEY, true, "needs Spring MVC, which is not on the class path",
					"Add spring-boot-starter-webmvc, or remove the property.");
		}
		if (!properties.http().enabled()) {
			throw new InvalidConfigurationException(KEY, true,
					"needs the OJS HTTP API, which the pages call, and ojs.http.enabled is false",
					"Set ojs.http.enabled=true, or remove the property.");
		}
	}

	/**
	 * Serves the files and pages.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ DashboardHandler.class, org.springframework.web.servlet.HandlerMapping.class })
	@ConditionalOnHttpApi
	static class Served {

		@Bean
		DashboardHandler ojsDashboardHandler(EffectiveAccess access, ObjectProvider<DashboardSecurity> security,
				OjsProperties properties) {
			return new DashboardHandler(new DashboardFiles(), access.control(),
					security.getIfAvailable(() -> DashboardSecurity.NONE),
					"It takes the right to read, which is the authority %s (ojs.http.authorities.read) unless the application's own AccessControl decides."
						.formatted(properties.http().authorities().read()));
		}

		@Bean
		DashboardHandlerMapping ojsDashboardHandlerMapping(DashboardHandler handler) {
			return new DashboardHandlerMapping(handler);
		}

		/** Comes before Spring Security, to explain what its filters refuse. */
		@Bean
		FilterRegistrationBean<DashboardRefusalFilter> ojsDashboardRefusalFilter(DashboardHandler handler) {
			FilterRegistrationBean<DashboardRefusalFilter> filter = new FilterRegistrationBean<>(
					new DashboardRefusalFilter(handler,
							(failure) -> failure.getClass().getName().equals(SecurityLogin.LOGIN_REQUIRED)));
			filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 100);
			return filter;
		}

	}

	/**
	 * With Spring Security, pages carry its token, and its filters begin logins.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(value = DashboardSecurity.class, name = "org.springframework.security.web.csrf.CsrfToken")
	@ConditionalOnHttpApi
	static class Secured {

		@Bean
		DashboardSecurity ojsDashboardSecurity() {
			return new SecurityLogin();
		}

	}

}
