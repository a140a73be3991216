package io.ojs.boot.cron;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.internal.OjsFailureAnalyzer;
import io.ojs.boot.store.OjsStoreAutoConfiguration;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronJobs;
import io.ojs.cron.CronRequest;
import io.ojs.cron.OjsCron;
import io.ojs.cron.OverlapPolicy;
import io.ojs.cron.internal.CronScheduler;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Which crons an application has, and which keep it from starting.
 */
class CronConditionsTests {

	private static final String ZONE = "Europe/Berlin";

	private final ApplicationContextRunner broker = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
				OjsStoreAutoConfiguration.class, OjsAmqpAutoConfiguration.class, OjsCronAutoConfiguration.class))
		.withPropertyValues("spring.rabbitmq.port=1", "ojs.topology.declaration=lazy");

	private final ApplicationContextRunner both = this.broker
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	@Test
	void whatIsDeclaredIsRegistered() {
		this.both.withUserConfiguration(Cleaning.class, OfBean.class)
			.withPropertyValues("spring.application.name=gallery", "when.to-clean=0 3 * * *",
					"ojs.cron.jobs.[of.property].type=report.render", "ojs.cron.jobs.[of.property].expression=@daily",
					"ojs.cron.jobs.[of.property].zone=" + ZONE, "ojs.cron.jobs.[of.property].args=a,b",
					"ojs.cron.jobs.[of.property].queue=reports", "ojs.cron.jobs.[of.property].overlap=replace",
					"ojs.cron.jobs.[of.property].enabled=false", "ojs.cron.jobs.[of.property].description=Reports")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(CronScheduler.class);
				CronJobs crons = context.getBean(CronJobs.class);
				assertThat(crons.list()).extracting(CronJob::name).containsExactly("clean", "of-bean", "of.property");
				assertThat(crons.list()).extracting(CronJob::source).containsOnly("application:gallery");
				assertThat(crons.find("clean").orElseThrow().request()).isEqualTo(
						CronRequest.of("clean", "0 3 * * *", JobRequest.of("pictures.clean", "a", 1).queue("pictures"))
							.zone(ZONE));
				assertThat(crons.find("of.property").orElseThrow().request()).isEqualTo(CronRequest
					.of("of.property", "@daily", JobRequest.of("report.render", "a", "b").queue("reports"))
					.zone(ZONE)
					.overlap(OverlapPolicy.CANCEL_PREVIOUS)
					.enabled(false)
					.description("Reports"));
			});
	}

	@Test
	void handlersHideBehindNoProxy() {
		this.both.withUserConfiguration(Hidden.class)
			.run((context) -> assertThat(context.getBean(CronJobs.class).list())
				.extracting(CronJob::name, (cron) -> cron.request().job().type())
				.containsExactly(tuple("hidden", "hidden.clean")));
	}

	@Test
	void whoDoesNotFireMayManageAllTheSame() {
		this.both.withUserConfiguration(NotAnExpression.class)
			.withPropertyValues("ojs.cron.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(CronJobs.class).doesNotHaveBean(CronScheduler.class);
				assertThat(context.getBean(CronJobs.class).list()).isEmpty();
			});
	}

	@Test
	void withoutStoreThereIsNothingOfIt() {
		this.broker.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CronJobs.class));
		this.both.withClassLoader(new FilteredClassLoader("io.ojs.jdbc"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CronJobs.class));
		this.both.withPropertyValues("ojs.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(CronDeclarations.class));
	}

	@Test
	void aCronWithoutStoreStopsTheApplication() {
		this.broker.withUserConfiguration(OfBean.class).run((context) -> {
			FailureAnalysis analysis = new OjsFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("bean 'ofBean'").contains("need a job store");
			assertThat(analysis.getAction()).contains("spring-boot-starter-jdbc");
		});
	}

	@Test
	void anAnnotationThatCannotWorkStopsTheApplication() {
		stops(NotAnExpression.class, "bean 'cronConditionsTests.NotAnExpression', method NotAnExpression.clean",
				"'expression' must have five fields", "@OjsCron annotation");
		stops(NoHandler.class, "bean 'cronConditionsTests.NoHandler', method NoHandler.clean", "handles no jobs",
				"Add @OjsJobHandler");
		stops(NoArray.class, "bean 'cronConditionsTests.NoArray', method NoArray.clean", "'args' must be a JSON array",
				"@OjsCron");
		stops(Twice.class, "method Twice.", "its name, clean, is that of the cron of bean 'cronConditionsTests.Twice'",
				"another name");
	}

	private void stops(Class<?> bean, String where, String what, String fix) {
		this.both.withUserConfiguration(bean).run((context) -> {
			FailureAnalysis analysis = new OjsFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains(where).contains(what);
			assertThat(analysis.getAction()).contains(fix);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			expression | 61 * * * * | ojs.cron.jobs.a.expression
			zone | EST | ojs.cron.jobs.a.zone
			type | No Type | ojs.cron.jobs.a.type
			type | '' | ojs.cron.jobs.a.type
			queue | No Queue | ojs.cron.jobs.a.queue
			overlap | never | ojs.cron.jobs.a.overlap
			typo | x | left unbound
			""")
	void aPropertyThatCannotWorkStopsTheApplication(String key, String value, String named) {
		this.both
			.withPropertyValues("ojs.cron.jobs.a.expression=@daily", "ojs.cron.jobs.a.type=a.b",
					"ojs.cron.jobs.a." + key + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.satisfies((failure) -> assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
					.map(Throwable::toString)
					.collect(Collectors.joining("\n"))).contains(named)));
	}

	@Test
	void aPollIntervalOfNothingStopsTheApplication() {
		this.both.withPropertyValues("ojs.cron.poll-interval=0s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ojs.cron.poll-interval"));
	}

	@Test
	void aDatabaseThatIsAwayDoesNotStopTheApplication() {
		this.both.withUserConfiguration(OfBean.class)
			.withPropertyValues("spring.datasource.url=jdbc:postgresql://localhost:1/none")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	static class Cleaning {

		@OjsJobHandler(value = "pictures.clean", queue = "pictures")
		@OjsCron(name = "clean", expression = "${when.to-clean}", zone = ZONE, args = "[\"a\", 1]")
		void clean(String one, int other) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfBean {

		@Bean
		CronRequest ofBean() {
			return CronRequest.of("of-bean", "@every 1h", JobRequest.of("bean.clean"));
		}

	}

	interface Cleaner {

		void clean();

	}

	static class HiddenCleaner implements Cleaner {

		@Override
		@OjsJobHandler("hidden.clean")
		@OjsCron(name = "hidden", expression = "@daily")
		public void clean() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Hidden {

		@Bean
		Cleaner cleaner() {
			ProxyFactory proxies = new ProxyFactory(new HiddenCleaner());
			proxies.setInterfaces(Cleaner.class);
			return (Cleaner) proxies.getProxy();
		}

	}

	static class NotAnExpression {

		@OjsJobHandler("pictures.clean")
		@OjsCron(name = "clean", expression = "* *")
		void clean() {
		}

	}

	static class NoHandler {

		@OjsCron(name = "clean", expression = "@daily")
		void clean() {
		}

	}

	static class NoArray {

		@OjsJobHandler("pictures.clean")
		@OjsCron(name = "clean", expression = "@daily", args = "{}")
		void clean() {
		}

	}

	static class Twice {

		@OjsJobHandler("pictures.clean")
		@OjsCron(name = "clean", expression = "@daily")
		void clean() {
		}

		@OjsJobHandler("pictures.other")
		@OjsCron(name = "clean", expression = "@daily")
		void other() {
		}

	}

}
