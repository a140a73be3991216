package io.ojs.boot.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ojs.amqp.internal.publish.OjsTemplate;
import io.ojs.event.JobEvent;
import io.ojs.web.AccessControl;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/**
 * An application that uses this library as anybody's would: by auto-configuration.
 */
final class Application implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	/** Made for the first request: most applications get none. */
	private @Nullable HttpClient client;

	private Application(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static Starter on(String amqpUri) {
		return new Starter(amqpUri);
	}

	OjsTemplate ojs() {
		return this.context.getBean(OjsTemplate.class);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	<T> Collection<T> beans(Class<T> type) {
		return this.context.getBeansOfType(type).values();
	}

	/** Where it is listening; it was started with {@link Starter#web}. */
	int port() {
		return Integer.parseInt(this.context.getEnvironment().getRequiredProperty("local.server.port"));
	}

	/**
	 * What the application answers over HTTP; it was started with {@link Starter#web}.
	 */
	HttpResponse<String> get(String path) {
		return send(HttpRequest.newBuilder(uri(path)).build());
	}

	HttpResponse<String> post(String path, String json) {
		return send(HttpRequest.newBuilder(uri(path))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json))
			.build());
	}

	/**
	 * What the HTTP API answers a tenant; the application was started with
	 * {@link Starter#http} and tenancy.
	 */
	HttpResponse<String> ask(String tenant, String method, String path, String json) {
		return send(HttpRequest.newBuilder(uri("/ojs/v1" + path))
			.header("X-OJS-Tenant", tenant)
			.header("Content-Type", "application/json")
			.method(method, HttpRequest.BodyPublishers.ofString(json))
			.build());
	}

	private URI uri(String path) {
		return URI.create("http://localhost:" + port() + path);
	}

	private HttpResponse<String> send(HttpRequest request) {
		try {
			return client().send(request, HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Several threads may ask at once. */
	private synchronized HttpClient client() {
		HttpClient made = this.client;
		if (made == null) {
			made = HttpClient.newHttpClient();
			this.client = made;
		}
		return made;
	}

	/** What was told to listeners so far. */
	List<JobEvent> events() {
		return bean(Events.class).told;
	}

	List<String> events(String jobId) {
		return events().stream().filter((event) -> event.job().id().equals(jobId)).map(JobEvent::name).toList();
	}

	/** What a worker told, which alone is in order. */
	List<String> worked(String jobId) {
		return events(jobId).stream()
			.filter((name) -> !Set.of("job.scheduled", "job.enqueued").contains(name))
			.toList();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Collects what an application is made of.
	 */
	static final class Starter {

		private static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

		/**
		 * The headers of traces would be in every message that a test looks at; Spring
		 * Security, which is on the class path of tests, would ask everybody who they
		 * are.
		 */
		private static final List<String> EXCLUDED = List.of("io.ojs.boot.actuate.OjsTracingAutoConfiguration",
				SECURITY + "UserDetailsServiceAutoConfiguration",
				SECURITY + "actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
				SECURITY + "web.servlet.SecurityFilterAutoConfiguration",
				SECURITY + "web.servlet.ServletWebSecurityAutoConfiguration");

		private final Map<String, Object> properties = new HashMap<>();

		private final List<Class<?>> classes = new ArrayList<>(List.of(Basis.class, Events.class));

		private WebApplicationType type = WebApplicationType.NONE;

		private Starter(String amqpUri) {
			this.properties.put("spring.rabbitmq.addresses", amqpUri);
			this.properties.put("spring.main.banner-mode", "off");
			this.properties.put("ojs.queue-defaults.retry.initial-interval", "200ms");
			this.properties.put("ojs.queue-defaults.retry.jitter", false);
			// Spring Boot finds an embedded database on the class path of tests.
			this.properties.put("ojs.store.enabled", false);
			this.properties.put("spring.autoconfigure.exclude", String.join(",", EXCLUDED));
			this.properties.put(UnobservedImportFilter.UNOBSERVED, true);
		}

		Starter with(Class<?>... beans) {
			this.classes.addAll(List.of(beans));
			return this;
		}

		/** Listens at a free port. */
		Starter web() {
			this.type = WebApplicationType.SERVLET;
			return property("server.port", 0);
		}

		/** Has meters, health and all endpoints, and serves them over HTTP. */
		Starter managed() {
			return web().observed()
				.property("management.endpoints.web.exposure.include", "*")
				.property("management.endpoint.ojs.access", "unrestricted");
		}

		/** Serves the HTTP API without a login. */
		Starter http() {
			return web().property("ojs.http.enabled", true).property("ojs.http.allow-anonymous", true);
		}

		/** Keeps jobs in a database, whose tables are created. */
		Starter database(String url, String username, String password) {
			return property("ojs.store.enabled", true).property("ojs.store.initialize-schema", "always")
				.property("spring.datasource.url", url)
				.property("spring.datasource.username", username)
				.property("spring.datasource.password", password)
				// Ten connections would be opened, and most tests need two.
				.property("spring.datasource.hikari.minimum-idle", 1);
		}

		/** Has meters, health and endpoints, without which it starts sooner. */
		Starter observed() {
			return property(UnobservedImportFilter.UNOBSERVED, false);
		}

		/** Makes spans, which go to the exporter among the beans. */
		Starter traced() {
			return observed()
				.property("spring.autoconfigure.exclude", String.join(",", EXCLUDED.subList(1, EXCLUDED.size())))
				.property("management.tracing.sampling.probability", 1.0);
		}

		Starter property(String key, Object value) {
			this.properties.put(key, value);
			return this;
		}

		Application start() {
			return new Application(new SpringApplicationBuilder(this.classes.toArray(Class<?>[]::new)).web(this.type)
				.registerShutdownHook(false)
				.properties(this.properties)
				.run());
		}

	}

	/**
	 * Nothing but auto-configuration, and whoever calls may do everything.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Basis {

		@Bean
		AccessControl anybody() {
			return AccessControl.ANYBODY;
		}

	}

	/**
	 * Hears of jobs the way that applications do.
	 */
	static class Events {

		private final List<JobEvent> told = new CopyOnWriteArrayList<>();

		@EventListener
		void on(JobEvent event) {
			this.told.add(event);
		}

	}

}
