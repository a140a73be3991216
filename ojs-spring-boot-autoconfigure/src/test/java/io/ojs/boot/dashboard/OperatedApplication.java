package io.ojs.boot.dashboard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ojs.client.OjsOperations;
import io.ojs.test.internal.database.PostgresDatabase;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * An application with the dashboard below a context path, a login for people, tenants and
 * encryption, as its page describes it.
 */
final class OperatedApplication implements AutoCloseable {

	static final String READ = "SCOPE_ojs:read";

	static final String WRITE = "SCOPE_ojs:write";

	static final String ADMIN = "SCOPE_ojs:admin";

	static final String CODEC = "SCOPE_ojs:codec";

	private static final String TOKEN_IN_SESSION = "test.token-in-session";

	private static final String OPERATOR = "SCOPE_ojs:all-tenants";

	private final ConfigurableApplicationContext context;

	private OperatedApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Starter on(String amqpUri, PostgresDatabase database) {
		return new Starter(amqpUri, database.url(), database.username(), database.password());
	}

	static Starter on(String amqpUri, String url, String username, String password) {
		return new Starter(amqpUri, url, username, password);
	}

	/** An application without a job store. */
	static Starter onBroker(String amqpUri) {
		return new Starter(amqpUri).property("ojs.store.enabled", false);
	}

	OjsOperations ojs() {
		return this.context.getBean(OjsOperations.class);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	JdbcTemplate database() {
		return this.context.getBean(JdbcTemplate.class);
	}

	int port() {
		return Integer.parseInt(this.context.getEnvironment().getRequiredProperty("local.server.port"));
	}

	/** The address of the application, without a slash at its end. */
	String uri() {
		return "http://localhost:" + port() + "/shop";
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Collects what an application is made of.
	 */
	static final class Starter {

		private final Map<String, Object> properties = new HashMap<>();

		private final List<Class<?>> beans = new ArrayList<>(List.of(Basis.class));

		private Starter(String amqpUri) {
			property("server.port", 0).property("server.servlet.context-path", "/shop")
				.property("server.shutdown", "immediate")
				.property("spring.application.name", "shop")
				.property("spring.main.banner-mode", "off")
				.property("spring.rabbitmq.addresses", amqpUri)
				.property("spring.autoconfigure.exclude", "io.ojs.boot.actuate.OjsTracingAutoConfiguration")
				.property("ojs.http.enabled", true)
				.property("ojs.http.attention.no-worker", "1s")
				.property("ojs.dashboard.enabled", true)
				.property("ojs.worker.shutdown-grace", "1s");
		}

		private Starter(String amqpUri, String url, String username, String password) {
			this(amqpUri);
			property("spring.datasource.url", url).property("spring.datasource.username", username)
				.property("spring.datasource.password", password)
				.property("ojs.store.enabled", true)
				.property("ojs.store.initialize-schema", "always")
				.property("ojs.store.labels", "customer")
				.property("ojs.tenancy.enabled", true)
				.property("ojs.tenancy.required", false)
				.property("ojs.encryption.active-key", "2026-11")
				.property("ojs.encryption.keys.2026-11", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
				.property("ojs.encryption.types", "payment.*")
				.property("ojs.encryption.codec-server.enabled", true);
		}

		Starter with(Class<?>... classes) {
			this.beans.addAll(Arrays.asList(classes));
			return this;
		}

		Starter property(String key, Object value) {
			this.properties.put(key, value);
			return this;
		}

		/** With the CSRF tokens that Spring Security has by default. */
		Starter tokenInSession() {
			return property(TOKEN_IN_SESSION, true);
		}

		OperatedApplication start() {
			return new OperatedApplication(
					new SpringApplicationBuilder(this.beans.toArray(Class<?>[]::new)).registerShutdownHook(false)
						.properties(this.properties)
						.run("--spring.application.version=2.4.0")); // Tests have that of
																		// their runner
																		// otherwise.
		}

	}

	/**
	 * The chain of the page, and a user for each right.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Basis {

		@Bean
		SecurityFilterChain application(HttpSecurity http, Environment environment) throws Exception {
			if (!environment.getProperty(TOKEN_IN_SESSION, Boolean.class, false)) {
				http.csrf((csrf) -> csrf.spa());
			}
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers("/ojs/**").permitAll().anyRequest().authenticated())
				.formLogin(Customizer.withDefaults())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(user("reader", OPERATOR, READ), user("writer", OPERATOR, READ, WRITE),
					user("admin", OPERATOR, READ, WRITE, ADMIN), user("admin-only", OPERATOR, READ, ADMIN),
					user("codec", OPERATOR, READ, CODEC), user("acme-codec", "OJS_TENANT_acme", READ, CODEC),
					user("acme", "OJS_TENANT_acme", READ, WRITE, ADMIN),
					user("globex", "OJS_TENANT_globex", READ, WRITE, ADMIN), user("nobody"));
		}

		private static UserDetails user(String name, String... authorities) {
			return User.withUsername(name).password("{noop}secret").authorities(authorities).build();
		}

	}

}
