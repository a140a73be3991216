package io.ojs.boot;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ojs.boot.dashboard.OjsDashboardAutoConfiguration;
import io.ojs.dashboard.internal.DashboardRefusalFilter;
import io.ojs.web.AccessControl;
import jakarta.servlet.http.Cookie;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors;
import org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.request.RequestPostProcessor;
import org.springframework.test.web.servlet.setup.DefaultMockMvcBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who sees the dashboard, how callers log in, and how its requests are told from those of
 * other sites.
 */
class DashboardSecurityTests {

	private static final FilteredClassLoader NO_SECURITY = new FilteredClassLoader(SecurityContextHolder.class,
			CsrfToken.class);

	private static final String PAUSE = "/ojs/v1/queues/email/pause";

	private static final Pattern TOKEN = Pattern.compile("name=\"ojs-csrf-token\" content=\"([^\"]+)\"");

	@Test
	void unknownCallerLogsInAtTheApplicationAndComesBack() {
		run(FormLogin.class, (mvc) -> {
			MockHttpSession session = new MockHttpSession();
			MockHttpServletResponse answer = perform(mvc, page("/ojs/ui/queues").session(session));
			assertThat(answer.getStatus()).isEqualTo(302);
			assertThat(answer.getHeader("Location")).endsWith("/login");
			assertThat(session.getAttribute("SPRING_SECURITY_SAVED_REQUEST")).asString().contains("/ojs/ui/queues");
		});
	}

	@Test
	void theApiAndWhatPagesFetchAnswer401() {
		run(FormLogin.class, (mvc) -> {
			assertThat(perform(mvc, MockMvcRequestBuilders.get("/ojs/v1/queues")).getStatus()).isEqualTo(401);
			assertThat(perform(mvc, MockMvcRequestBuilders.get("/ojs/ui/session")).getStatus()).isEqualTo(401);
		});
	}

	@Test
	void callerWithoutTheRightToReadLearnsWhichOneItTakes() {
		run(FormLogin.class, (mvc) -> {
			MockHttpServletResponse answer = perform(mvc, page("/ojs/ui/").with(user("writer", "SCOPE_ojs:write")));
			assertThat(answer.getStatus()).isEqualTo(403);
			assertThat(
					perform(mvc, MockMvcRequestBuilders.get("/ojs/ui/session").with(user("writer", "SCOPE_ojs:write")))
						.getStatus())
				.isEqualTo(403);
			assertThat(text(answer)).contains("You are writer.", "SCOPE_ojs:read");
			assertThat(perform(mvc, page("/ojs/ui/").with(user("reader", "SCOPE_ojs:read"))).getStatus())
				.isEqualTo(200);
		});
	}

	@Test
	void withoutALoginPageThePageSaysWhatToConfigure() {
		run(BasicLogin.class, (mvc) -> {
			MockHttpServletResponse answer = perform(mvc, page("/ojs/ui/"));
			assertThat(answer.getStatus()).isEqualTo(401);
			assertThat(answer.getHeader("WWW-Authenticate")).startsWith("Basic");
			assertThat(text(answer)).contains("formLogin");
			assertThat(answer.getHeader("Content-Security-Policy")).contains("default-src 'none'");
		});
	}

	@Test
	void withoutAFilterChainThePageSaysWhatToConfigure() {
		run(OtherPaths.class, (mvc) -> {
			MockHttpServletResponse answer = perform(mvc, page("/ojs/ui/"));
			assertThat(answer.getStatus()).isEqualTo(401);
			assertThat(text(answer)).contains("security filter chain", "/ojs/**", "ojs.http.anonymous-rights=read")
				.doesNotContain("script");
		});
	}

	@Test
	void chainOfTheApplicationThatRefusesIsExplained() {
		run(Closed.class, (mvc) -> {
			MockHttpServletResponse answer = perform(mvc, page("/ojs/ui/").with(user("reader", "SCOPE_ojs:read")));
			assertThat(answer.getStatus()).isEqualTo(403);
			assertThat(text(answer)).contains("own security refuses");
		});
	}

	@Test
	void requestsCarryTheTokenOfTheSession() {
		run(FormLogin.class, (mvc) -> {
			MockHttpSession session = new MockHttpSession();
			var admin = user("admin", "SCOPE_ojs:read", "SCOPE_ojs:admin");
			MockHttpServletResponse answer = perform(mvc, page("/ojs/ui/").with(admin).session(session));
			assertThat(text(answer)).contains("name=\"ojs-csrf-header\" content=\"X-CSRF-TOKEN\"");
			assertThat(perform(mvc, pause().with(admin).session(session)).getStatus()).isEqualTo(403);
			assertThat(perform(mvc, pause().with(admin).session(session).header("X-CSRF-TOKEN", token(answer)))
				.getStatus()).isEqualTo(200);
			String renewed = text(
					perform(mvc, MockMvcRequestBuilders.get("/ojs/ui/session").with(admin).session(session)));
			String token = renewed.replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
			assertThat(perform(mvc, pause().with(admin).session(session).header("X-CSRF-TOKEN", token)).getStatus())
				.isEqualTo(200);
		});
	}

	@Test
	void requestsCarryTheCookieOfApplicationsWithOnePage() {
		run(SinglePage.class, (mvc) -> {
			var admin = user("admin", "SCOPE_ojs:read", "SCOPE_ojs:admin");
			MockHttpServletResponse answer = perform(mvc, page("/ojs/ui/").with(admin));
			Cookie cookie = answer.getCookie("XSRF-TOKEN");
			assertThat(cookie).isNotNull();
			assertThat(cookie.isHttpOnly()).isFalse();
			assertThat(text(answer)).contains("name=\"ojs-csrf-header\" content=\"X-XSRF-TOKEN\"");
			assertThat(perform(mvc, pause().with(admin).cookie(cookie)).getStatus()).isEqualTo(403);
			assertThat(perform(mvc, pause().with(admin).cookie(cookie).header("X-XSRF-TOKEN", cookie.getValue()))
				.getStatus()).isEqualTo(200);
		});
	}

	@Test
	void emptyFormOfAnotherSitePausesNothing() {
		run(FormLogin.class, (mvc) -> {
			var admin = user("admin", "SCOPE_ojs:read", "SCOPE_ojs:admin");
			assertThat(perform(mvc,
					MockMvcRequestBuilders.post(PAUSE)
						.with(admin)
						.with(SecurityMockMvcRequestPostProcessors.csrf())
						.header("Sec-Fetch-Site", "cross-site"))
				.getStatus()).isEqualTo(415);
		});
	}

	@Test
	void openInstallationIsReadOnly() {
		run(OtherPaths.class, (mvc) -> {
			assertThat(perform(mvc, page("/ojs/ui/")).getStatus()).isEqualTo(200);
			assertThat(perform(mvc, MockMvcRequestBuilders.get("/ojs/v1/queues")).getStatus()).isEqualTo(200);
			assertThat(perform(mvc, pause()).getStatus()).isEqualTo(401);
		}, "ojs.http.anonymous-rights=read");
	}

	@Test
	void openInstallationNeedsNoSpringSecurity() {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsDashboardAutoConfiguration.class))
			.withClassLoader(NO_SECURITY)
			.withPropertyValues("ojs.dashboard.enabled=true", "ojs.http.anonymous-rights=read")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				MockMvc mvc = MockMvcBuilders.webAppContextSetup(context.getSourceApplicationContext()).build();
				assertThat(perform(mvc, page("/ojs/ui/")).getStatus()).isEqualTo(200);
				assertThat(perform(mvc, pause()).getStatus()).isEqualTo(403);
			});
	}

	@Test
	void callerThatTheApplicationsOwnAccessControlDoesNotKnowIsRefused() {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsDashboardAutoConfiguration.class))
			.withClassLoader(NO_SECURITY)
			.withBean(AccessControl.class, () -> (access, request) -> AccessControl.Decision.UNKNOWN)
			.withPropertyValues("ojs.dashboard.enabled=true")
			.run((context) -> {
				MockMvc mvc = MockMvcBuilders.webAppContextSetup(context.getSourceApplicationContext()).build();
				MockHttpServletResponse answer = perform(mvc, page("/ojs/ui/"));
				assertThat(answer.getStatus()).isEqualTo(401);
				assertThat(text(answer)).contains("Sign in first");
			});
	}

	private static void run(Class<?> security, Consumer<MockMvc> test, String... properties) {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsDashboardAutoConfiguration.class))
			.withUserConfiguration(security)
			.withPropertyValues("ojs.dashboard.enabled=true")
			.withPropertyValues(properties)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				FilterRegistrationBean<?> filter = context.getBean("ojsDashboardRefusalFilter",
						FilterRegistrationBean.class);
				assertThat(filter.getFilter()).isInstanceOf(DashboardRefusalFilter.class);
				DefaultMockMvcBuilder mvc = MockMvcBuilders.webAppContextSetup(context.getSourceApplicationContext());
				test.accept(
						mvc.addFilters(filter.getFilter()).apply(SecurityMockMvcConfigurers.springSecurity()).build());
			});
	}

	private static MockHttpServletRequestBuilder page(String path) {
		return MockMvcRequestBuilders.get(path).header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
	}

	private static MockHttpServletRequestBuilder pause() {
		return MockMvcRequestBuilders.post(PAUSE).contentType("application/json").content("{}");
	}

	private static RequestPostProcessor user(String name, String... authorities) {
		return SecurityMockMvcRequestPostProcessors.user(name)
			.authorities(AuthorityUtils.createAuthorityList(authorities));
	}

	private static MockHttpServletResponse perform(MockMvc mvc, MockHttpServletRequestBuilder request) {
		try {
			return mvc.perform(request).andReturn().getResponse();
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	private static String text(MockHttpServletResponse answer) {
		return new String(answer.getContentAsByteArray(), StandardCharsets.UTF_8);
	}

	private static String token(MockHttpServletResponse page) {
		Matcher token = TOKEN.matcher(text(page));
		assertThat(token.find()).isTrue();
		return token.group(1);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class FormLogin {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.formLogin(Customizer.withDefaults())
				.authenticationManager(new ApiUsers().user("reader", "SCOPE_ojs:read"))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class SinglePage {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.formLogin(Customizer.withDefaults())
				.csrf((csrf) -> csrf.spa())
				.authenticationManager(new ApiUsers().user("reader", "SCOPE_ojs:read"))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class BasicLogin {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.securityMatcher("/ojs/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.authenticationManager(new ApiUsers().user("reader", "SCOPE_ojs:read"))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Closed {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().denyAll())
				.formLogin(Customizer.withDefaults())
				.authenticationManager(new ApiUsers().user("reader", "SCOPE_ojs:read"))
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class OtherPaths {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.securityMatcher("/elsewhere/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.build();
		}

	}

}
