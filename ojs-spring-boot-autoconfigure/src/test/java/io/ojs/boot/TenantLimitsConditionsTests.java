package io.ojs.boot;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.TenantLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How limits of tenants are told.
 */
class TenantLimitsConditionsTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class));

	private final ApplicationContextRunner tenants = this.application.withPropertyValues("ojs.tenancy.enabled=true");

	@Test
	void nobodyHasAnyUnlessSomebodySaysSo() {
		this.tenants.run((context) -> assertThat(context.getBean(TenantLimitSource.class).of("acme"))
			.isEqualTo(TenantLimits.NONE));
	}

	@Test
	void aTenantHasItsOwnAndThoseOfAllWhereItSaysNothing() {
		this.tenants
			.withPropertyValues("ojs.tenancy.limits.max-concurrency=5", "ojs.tenancy.limits.max-queue-depth=100",
					"ojs.tenancy.limits.max-enqueue-rate.limit=10", "ojs.tenancy.limits.max-enqueue-rate.period=1m",
					"ojs.tenancy.tenants.acme.max-queue-depth=7", "ojs.tenancy.tenants.acme.max-scheduled=0",
					"ojs.tenancy.tenants[Beta.eu_1].max-enqueue-rate.limit=1",
					"ojs.tenancy.tenants[Beta.eu_1].max-enqueue-rate.period=2s")
			.run((context) -> {
				TenantLimitSource limits = context.getBean(TenantLimitSource.class);
				assertThat(limits.of("other")).isEqualTo(TenantLimits.NONE.maxConcurrency(5)
					.maxEnqueueRate(10, Duration.ofMinutes(1))
					.maxQueueDepth(100));
				assertThat(limits.of("acme")).isEqualTo(TenantLimits.NONE.maxConcurrency(5)
					.maxEnqueueRate(10, Duration.ofMinutes(1))
					.maxQueueDepth(7)
					.maxScheduled(0));
				assertThat(limits.of("Beta.eu_1")).isEqualTo(TenantLimits.NONE.maxConcurrency(5)
					.maxEnqueueRate(1, Duration.ofSeconds(2))
					.maxQueueDepth(100));
			});
	}

	@Test
	void aBeanTellsThemInstead() {
		TenantLimitSource own = (tenant) -> TenantLimits.NONE.maxQueueDepth(tenant.length());
		this.tenants.withBean(TenantLimitSource.class, () -> own)
			.run((context) -> assertThat(context.getBean(TenantLimitSource.class)).isSameAs(own));
	}

	@ParameterizedTest
	@CsvSource({ "ojs.tenancy.limits.max-concurrency, -1", "ojs.tenancy.limits.max-queue-depth, -1",
			"ojs.tenancy.limits.max-scheduled, -1", "ojs.tenancy.tenants.acme.max-scheduled, -1",
			"ojs.tenancy.tenants[a.b].max-queue-depth, -1", "ojs.tenancy.tenants[not one].max-queue-depth, 1" })
	void valuesThatCannotWorkStopTheApplication(String key, String value) {
		this.tenants.withPropertyValues(key + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContaining(key.replaceAll("]\\..*", "]")));
	}

	@ParameterizedTest
	@CsvSource({ "0, 1m, limit", "1000000001, 1m, limit", "1, 0s, period", "1, 367d, period", "1,, period",
			", 1m, limit" })
	void soDoRates(String limit, String period, String wrong) {
		String rate = "ojs.tenancy.tenants.acme.max-enqueue-rate.";
		ApplicationContextRunner runner = this.tenants;
		if (limit != null) {
			runner = runner.withPropertyValues(rate + "limit=" + limit);
		}
		if (period != null) {
			runner = runner.withPropertyValues(rate + "period=" + period);
		}
		runner.run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.rootCause()
			.isInstanceOf(InvalidConfigurationException.class)
			.hasMessageContaining(rate + wrong));
	}

	@Test
	void noMoreTenantsAreMeasuredThanMetersCanBear() {
		String many = IntStream.range(0, 101).mapToObj((i) -> "t" + i).collect(Collectors.joining(","));
		for (String wrong : List.of(many, "acme,not one")) {
			this.tenants.withPropertyValues("ojs.tenancy.metrics.tenants=" + wrong)
				.run((context) -> assertThat(context).hasFailed()
					.getFailure()
					.rootCause()
					.isInstanceOf(InvalidConfigurationException.class)
					.hasMessageContaining("ojs.tenancy.metrics.tenants"));
		}
		this.tenants.withPropertyValues("ojs.tenancy.metrics.tenants=" + many.replace(",t100", ""))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void limitsOfNobodyStopTheApplication() {
		this.application.withPropertyValues("ojs.tenancy.tenants.acme.max-scheduled=5")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("ojs.tenancy.tenants.acme.max-scheduled = 5")
				.hasMessageContaining("no tenants"));
	}

	@Test
	void withoutAJobStoreNobodyCouldKeepToThem() {
		this.tenants
			.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAmqpAutoConfiguration.class))
			.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy",
					"ojs.tenancy.limits.max-concurrency=5")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("ojs.tenancy.limits.max-concurrency")
				.hasMessageContaining("needs a job store"));
	}

}
