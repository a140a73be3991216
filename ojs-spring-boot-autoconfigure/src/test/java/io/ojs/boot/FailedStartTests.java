package io.ojs.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.ojs.client.OjsOperations;
import io.ojs.handler.OjsJobHandler;
import io.ojs.job.JobRequest;
import io.ojs.tenant.Tenants;
import io.ojs.workflow.Workflows;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What a person sees in the console when an application with a mistake is started: what
 * is wrong and what to do, and no stack trace.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailedStartTests {

	@Test
	void badValue(CapturedOutput output) {
		start(Application.class, "ojs.queues.email.prefetch=2001");
		assertReport(output, "ojs.queues.email.prefetch = 2001", "at most 2000", "Set it to 2000 or less.");
	}

	@Test
	void unknownKey(CapturedOutput output) {
		start(Application.class, "ojs.quues.email.prefetch=20");
		assertReport(output, "There is no property ojs.quues.email.prefetch (value 20", "queues");
	}

	@Test
	void valueOfTheWrongKind(CapturedOutput output) {
		start(Application.class, "ojs.publisher.confirm-timeout=soon");
		assertReport(output, "ojs.publisher.confirm-timeout", "soon", "not a valid duration");
	}

	@Test
	void badHandler(CapturedOutput output) {
		start(Doubled.class);
		assertReport(output, "Handlers.send", "Others.send", "'email.send'", "another type");
	}

	@Test
	void workflowsWithoutAJobStore(CapturedOutput output) {
		start(Waiting.class);
		assertReport(output, "There is no Workflows", "job store", "DataSource");
	}

	@Test
	void jobEnqueuedAtTheStartWithoutABroker(CapturedOutput output) {
		start(Enqueueing.class);
		assertReport(output, "'email' was not confirmed", "spring.rabbitmq.port", "It was not sent.",
				"enqueued this job while it started");
	}

	@Test
	void secondBeanOfATypeThatIsNotReplaced(CapturedOutput output) {
		start(Replacing.class);
		assertReport(output, "The bean 'myTenants' is a second io.ojs.tenant.Tenants", "'ojsTenants'",
				"Remove the bean 'myTenants'", "src/docs/api.md");
	}

	private static void start(Class<?> application, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--spring.rabbitmq.port=1", "--spring.main.banner-mode=off"));
		for (String property : properties) {
			arguments.add("--" + property);
		}
		SpringApplication spring = new SpringApplication(application);
		spring.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> spring.run(arguments.toArray(String[]::new)));
	}

	private static void assertReport(CapturedOutput output, String... parts) {
		String all = output.getAll();
		assertThat(all).contains("APPLICATION FAILED TO START");
		String report = all.substring(all.indexOf("APPLICATION FAILED TO START"));
		assertThat(report).contains("Description:", "Action:").contains(parts).doesNotContain("\tat ");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RabbitAutoConfiguration.class, OjsAutoConfiguration.class,
			OjsAmqpAutoConfiguration.class, OjsWorkerAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Application.class, Handlers.class, Others.class })
	static class Doubled {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class Waiting {

		@Bean
		Object shop(Workflows workflows) {
			return workflows;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class Enqueueing {

		@Bean
		CommandLineRunner enqueue(OjsOperations ojs) {
			return (arguments) -> ojs.enqueue(JobRequest.of("email.send").queue("email"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class Replacing {

		@Bean
		Tenants myTenants() {
			return new MyTenants();
		}

	}

	static class MyTenants implements Tenants {

		@Override
		public Optional<String> current() {
			return Optional.empty();
		}

		@Override
		public <T extends @Nullable Object> T supply(String tenant, Supplier<T> work) {
			return work.get();
		}

	}

	static class Handlers {

		@OjsJobHandler("email.send")
		void send() {
		}

	}

	static class Others {

		@OjsJobHandler("email.send")
		void send() {
		}

	}

}
