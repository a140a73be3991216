package io.ojs.boot;

import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.ojs.boot.cron.OjsCronAutoConfiguration;
import io.ojs.boot.crypto.OjsEncryptionAutoConfiguration;
import io.ojs.boot.deadletter.OjsDeadLettersAutoConfiguration;
import io.ojs.boot.figures.OjsFiguresAutoConfiguration;
import io.ojs.boot.figures.OjsMinutesAutoConfiguration;
import io.ojs.boot.queue.OjsQueuesAutoConfiguration;
import io.ojs.boot.rate.OjsRateLimitsAutoConfiguration;
import io.ojs.boot.store.OjsStoreAutoConfiguration;
import io.ojs.boot.tenant.OjsTenancyAutoConfiguration;
import io.ojs.boot.web.OjsWebAutoConfiguration;
import io.ojs.boot.web.OjsWebBrokerAutoConfiguration;
import io.ojs.boot.webhook.OjsWebhooksAutoConfiguration;
import io.ojs.boot.workflow.OjsWorkflowsAutoConfiguration;
import io.ojs.internal.json.JsonObjects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.ConfigurableWebApplicationContext;
import org.springframework.web.context.WebApplicationContext;

/**
 * The HTTP API of a real application on a database of its own, without a broker: jobs
 * wait for it in the store.
 */
final class HttpApi {

	static final WebApplicationContextRunner WITHOUT_API = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class, RabbitAutoConfiguration.class,
				OjsAutoConfiguration.class, OjsStoreAutoConfiguration.class, OjsQueuesAutoConfiguration.class,
				OjsDeadLettersAutoConfiguration.class, OjsAmqpAutoConfiguration.class,
				OjsEncryptionAutoConfiguration.class, OjsRateLimitsAutoConfiguration.class,
				OjsTenancyAutoConfiguration.class, OjsWorkflowsAutoConfiguration.class, OjsCronAutoConfiguration.class,
				OjsWebhooksAutoConfiguration.class, OjsFiguresAutoConfiguration.class,
				OjsMinutesAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy", "ojs.http.enabled=true",
				"spring.datasource.generate-unique-name=true");

	static final WebApplicationContextRunner RUNNER = WITHOUT_API
		.withConfiguration(AutoConfigurations.of(OjsWebAutoConfiguration.class, OjsWebBrokerAutoConfiguration.class));

	private final MockMvc mvc;

	private HttpApi(WebApplicationContext context) {
		this.mvc = MockMvcBuilders.webAppContextSetup(context).build();
	}

	/** Any caller has all rights. */
	static void open(Consumer<HttpApi> test, String... properties) {
		RUNNER.withPropertyValues("ojs.http.allow-anonymous=true").withPropertyValues(properties).run((context) -> {
			if (context.getStartupFailure() != null) {
				throw new AssertionError(context.getStartupFailure());
			}
			test.accept(new HttpApi(context.getSourceApplicationContext()));
		});
	}

	static HttpApi of(WebApplicationContext context) {
		return new HttpApi(context);
	}

	Answer get(String path) {
		return send("GET", path, null, Map.of());
	}

	Answer post(String path, String body) {
		return send("POST", path, body, Map.of("Content-Type", "application/openjobspec+json"));
	}

	Answer put(String path, String body) {
		return send("PUT", path, body, Map.of("Content-Type", "application/json"));
	}

	Answer delete(String path) {
		return send("DELETE", path, null, Map.of());
	}

	Answer send(String method, String path, @Nullable String body, Map<String, String> headers) {
		try {
			var request = MockMvcRequestBuilders.request(HttpMethod.valueOf(method), URI.create(path));
			headers.forEach(request::header);
			if (body != null) {
				request.content(body.getBytes(StandardCharsets.UTF_8));
			}
			return new Answer(this.mvc.perform(request).andReturn().getResponse());
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	/** One application for those tests of a class that leave nothing behind in it. */
	static final class Kept implements AfterAllCallback {

		private final WebApplicationContextRunner runner;

		private @Nullable ConfigurableWebApplicationContext context;

		/** Everybody may do everything. */
		Kept() {
			this(RUNNER, "ojs.http.allow-anonymous=true");
		}

		Kept(WebApplicationContextRunner runner, String... properties) {
			this.runner = runner.withPropertyValues(properties);
		}

		HttpApi api() {
			return new HttpApi(context());
		}

		/** The runner closes what has not started yet, so that it can start here. */
		WebApplicationContext context() {
			if (this.context == null || !this.context.isActive()) {
				this.runner.prepare((prepared) -> this.context = prepared.getSourceApplicationContext());
				this.context.refresh();
			}
			return this.context;
		}

		@Override
		public void afterAll(ExtensionContext extension) {
			if (this.context != null) {
				this.context.close();
			}
		}

	}

	/**
	 * What came back.
	 *
	 * @param response the response
	 */
	record Answer(MockHttpServletResponse response) {

		int status() {
			return this.response.getStatus();
		}

		@Nullable String header(String name) {
			return this.response.getHeader(name);
		}

		String body() {
			try {
				return this.response.getContentAsString(StandardCharsets.UTF_8);
			}
			catch (UnsupportedEncodingException ex) {
				throw new AssertionError(ex);
			}
		}

		/** What stands there, such as {@code job.args[0].key}; null if nothing does. */
		@Nullable Object at(String path) {
			Object value = new JsonObjects().read(body().getBytes(StandardCharsets.UTF_8));
			for (String step : path.replace("[", ".[").split("\\.")) {
				if (step.startsWith("[")) {
					value = ((List<?>) value).get(Integer.parseInt(step.substring(1, step.length() - 1)));
				}
				else {
					value = ((Map<?, ?>) value).get(step);
				}
				if (value == null) {
					return null;
				}
			}
			return value;
		}

		String text(String path) {
			return String.valueOf(at(path));
		}

	}

}
