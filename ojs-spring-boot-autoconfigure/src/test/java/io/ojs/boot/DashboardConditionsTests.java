package io.ojs.boot;

import io.ojs.boot.dashboard.OjsDashboardAutoConfiguration;
import io.ojs.dashboard.internal.DashboardHandler;
import org.junit.jupiter.api.Test;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.csrf.CsrfToken;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When an application has the dashboard, and what it says if something is missing.
 */
class DashboardConditionsTests {

	private final WebApplicationContextRunner runner = HttpApi.RUNNER
		.withConfiguration(AutoConfigurations.of(OjsDashboardAutoConfiguration.class))
		.withPropertyValues("ojs.http.allow-anonymous=true");

	@Test
	void isOffUnlessEnabled() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardHandler.class));
		this.runner.withPropertyValues("ojs.dashboard.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardHandler.class));
		this.runner.withPropertyValues("ojs.dashboard.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DashboardHandler.class));
	}

	@Test
	void isOffWithTheLibrary() {
		this.runner.withPropertyValues("ojs.enabled=false", "ojs.dashboard.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DashboardHandler.class));
	}

	@Test
	void needsItsModule() {
		this.runner.withClassLoader(new FilteredClassLoader("io.ojs.dashboard"))
			.withPropertyValues("ojs.dashboard.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ojs.dashboard.enabled", "ojs-dashboard"));
		this.runner.withClassLoader(new FilteredClassLoader("io.ojs.dashboard"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void needsTheApi() {
		this.runner.withPropertyValues("ojs.dashboard.enabled=true", "ojs.http.enabled=false")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ojs.dashboard.enabled", "ojs.http.enabled is false"));
	}

	@Test
	void needsSpringMvc() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
					OjsAmqpAutoConfiguration.class, OjsDashboardAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.web.servlet"))
			.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy", "ojs.dashboard.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ojs.dashboard.enabled", "Spring MVC"));
	}

	@Test
	void doesWithoutSpringSecurity() {
		this.runner.withClassLoader(new FilteredClassLoader(SecurityContextHolder.class, CsrfToken.class))
			.withPropertyValues("ojs.dashboard.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(DashboardHandler.class));
	}

	@Test
	void anonymousRightsAndAllowAnonymousContradictEachOther() {
		this.runner.withPropertyValues("ojs.http.anonymous-rights=read")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ojs.http.anonymous-rights", "ojs.http.allow-anonymous"));
	}

}
