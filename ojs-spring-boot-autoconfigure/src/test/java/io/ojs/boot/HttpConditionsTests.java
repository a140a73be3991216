package io.ojs.boot;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ojs.boot.web.OjsWebAutoConfiguration;
import io.ojs.boot.web.OjsWithoutWebAutoConfiguration;
import io.ojs.web.AccessControl;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.OjsHandlerMapping;
import io.ojs.webhook.Webhooks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When there is an HTTP API, and when the application had better not start.
 */
class HttpConditionsTests {

	private static final FilteredClassLoader NO_SECURITY = new FilteredClassLoader(SecurityContextHolder.class);

	@Test
	void thereIsNoneUnlessSomebodySaysSo() {
		new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
					OjsAmqpAutoConfiguration.class, OjsWebAutoConfiguration.class))
			.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OjsHandlerMapping.class));
	}

	@Test
	void withoutItsConfigurationNoFeatureHasEndpoints() {
		ClassLoader loader = getClass().getClassLoader();
		Class<?>[] others = ImportCandidates.load(AutoConfiguration.class, loader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.ojs.boot."))
			.map((name) -> ClassUtils.resolveClassName(name, loader))
			.filter((type) -> type != OjsWebAutoConfiguration.class)
			.toArray(Class<?>[]::new);
		HttpApi.WITHOUT_API.withConfiguration(AutoConfigurations.of(others))
			.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.webhooks.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Webhooks.class)
				.doesNotHaveBean(Endpoints.class));
	}

	@Test
	void itNeedsSpringMvc() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
					OjsAmqpAutoConfiguration.class, OjsWebAutoConfiguration.class,
					OjsWithoutWebAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet"))
			.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy", "ojs.http.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ojs.http.enabled", "Spring MVC"));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void withoutAJobStoreItIsReduced(CapturedOutput output) {
		HttpApi.RUNNER.withPropertyValues("ojs.store.enabled=false", "ojs.http.allow-anonymous=true").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Without a job store", "spring-boot-starter-jdbc");
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			for (String path : List.of("/ojs/v1/jobs/019539a4-0000-7000-8000-000000000000", "/ojs/v1/events",
					"/ojs/v1/events/stream", "/ojs/v1/queues", "/ojs/v1/cron", "/ojs/v1/workflows",
					"/ojs/v1/admin/jobs", "/ojs/v1/dead-letter")) {
				assertThat(api.get(path).status()).as(path).isEqualTo(404);
				assertThat(api.get(path).text("error.hint")).contains("no job store", "DataSource", "openapi.json");
			}
			assertThat(api.post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[]}").status()).isEqualTo(404);
			assertThat(api.get("/ojs/manifest").at("backend")).isEqualTo("amqp");
			assertThat(((Map<?, ?>) api.get("/ojs/openapi.json").at("paths")).keySet().stream().map(Object::toString))
				.contains("/ojs/v1/me", "/ojs/v1/broker", "/ojs/v1/admin/workers", "/ojs/v1/dead-letter/stats")
				.doesNotContain("/ojs/v1/jobs", "/ojs/v1/admin/workers/{id}/quiet");
			assertThat((List<?>) api.get("/ojs/v1/me").at("features")).isEqualTo(List.of("broker"));
		});
	}

	@Test
	void withoutSpringSecuritySomebodyHasToSayThatEverybodyMay() {
		HttpApi.RUNNER.withClassLoader(NO_SECURITY)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationException.class, (ex) -> assertThat(ex.fix())
					.contains("spring-boot-starter-security", "ojs.http.allow-anonymous=true")));
		HttpApi.RUNNER.withClassLoader(NO_SECURITY)
			.withPropertyValues("ojs.http.allow-anonymous=true")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(OjsHandlerMapping.class));
	}

	@Test
	void applicationMayDecideByItself() {
		AccessControl own = (access, request) -> AccessControl.Decision.REFUSED;
		HttpApi.RUNNER.withClassLoader(NO_SECURITY).withBean(AccessControl.class, () -> own).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(AccessControl.class);
			HttpApi api = HttpApi.of(context.getSourceApplicationContext());
			assertThat(api.get("/ojs/v1/queues").status()).isEqualTo(403);
			assertThat(api.get("/ojs/v1/health").status()).isEqualTo(200);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void applicationMayDecideAboutTenantsByItself(boolean security) {
		TenantAccess own = (request, wanted) -> Optional.of("acme");
		HttpApi.RUNNER.withClassLoader(security ? getClass().getClassLoader() : NO_SECURITY)
			.withPropertyValues("ojs.tenancy.enabled=true")
			.withBean(AccessControl.class, () -> (access, request) -> AccessControl.Decision.ALLOWED)
			.withBean(TenantAccess.class, () -> own)
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(TenantAccess.class);
				assertThat(context.getBean(TenantAccess.class)).isSameAs(own);
			});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void lettingEverybodyDoEverythingIsSaid(CapturedOutput output) {
		HttpApi.open((api) -> assertThat(output).contains("WARN").contains("ojs.http.allow-anonymous=true"));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void nothingIsSaidWhereCallersNeedAuthorities(CapturedOutput output) {
		HttpApi.RUNNER.run((context) -> assertThat(output).doesNotContain("allow-anonymous"));
	}

	@ParameterizedTest
	@CsvSource({ "max-body-size,0B", "max-body-size,1GB", "requests-per-second,-1", "max-total-body-size,9MB",
			"max-new-queues,-1", "max-streams,-1", "max-queues,-1" })
	void valueThatCannotWorkStopsTheApplication(String key, String value) {
		HttpApi.RUNNER.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.http." + key + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining("ojs.http." + key));
	}

}
