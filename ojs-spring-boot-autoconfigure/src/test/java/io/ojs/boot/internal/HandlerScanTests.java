package io.ojs.boot.internal;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.handler.JobContext;
import io.ojs.handler.JobUpcaster;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.OjsRetry;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobVersion;
import io.ojs.retry.BackoffStrategy;
import io.ojs.retry.OnExhaustion;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

/**
 * Which methods are handlers, and which mistakes stop the start.
 */
class HandlerScanTests {

	private static final List<String> CALLS = new ArrayList<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class));

	@Test
	void annotationSaysTypeQueueConcurrencyAndRetry() {
		this.runner.withBean("mails", Mails.class)
			.withPropertyValues("mail.queue=mail.bulk", "mail.pause=5s")
			.run((context) -> {
				JobHandlerDefinition definition = context.getBean(JobHandlers.class).find("email.send").orElseThrow();
				assertThat(definition.queue()).isEqualTo("mail.bulk");
				assertThat(definition.concurrency()).isEqualTo(3);
				assertThat(definition.origin()).isEqualTo("bean 'mails', method Mails.send");
				assertThat(definition.retry().maxAttempts()).isEqualTo(7);
				assertThat(definition.retry().initialInterval()).isEqualTo(Duration.ofSeconds(5));
				assertThat(definition.retry().maxInterval()).isEqualTo(Duration.ofMinutes(10));
				assertThat(definition.retry().jitter()).isFalse();
				assertThat(definition.retry().onExhaustion()).isEqualTo(OnExhaustion.DISCARD);
				assertThat(definition.retry().backoffStrategy()).isEqualTo(BackoffStrategy.LINEAR);
				assertThat(definition.retry().backoffCoefficient()).isNull();
				assertThat(definition.retry().nonRetryableErrors()).isNull();
				JobHandlerDefinition plain = context.getBean(JobHandlers.class).find("email.plain").orElseThrow();
				assertThat(plain.queue()).isEqualTo("default");
				assertThat(plain.retry().maxAttempts()).isNull();
			});
	}

	@Test
	void lazyBeanStaysLazyUntilItsFirstJob() {
		CALLS.clear();
		this.runner.withUserConfiguration(Lazily.class).run((context) -> {
			assertThat(CALLS).isEmpty();
			run(context.getBean(JobHandlers.class), "late.run");
			assertThat(CALLS).containsExactly("created", "late.run");
		});
	}

	@Test
	void prototypeIsMadeForEachJob() {
		CALLS.clear();
		this.runner.withUserConfiguration(Prototypes.class).run((context) -> {
			run(context.getBean(JobHandlers.class), "late.run");
			run(context.getBean(JobHandlers.class), "late.run");
			assertThat(CALLS).containsExactly("created", "late.run", "created", "late.run");
		});
	}

	@Test
	void proxiedBeanIsCalledThroughItsProxyOfAClassOrOfAnInterface() {
		for (Class<?> configuration : List.of(ClassProxied.class, InterfaceProxied.class)) {
			CALLS.clear();
			this.runner.withUserConfiguration(configuration).run((context) -> {
				assertThat(context).hasNotFailed();
				run(context.getBean(JobHandlers.class), "advised.run");
				assertThat(CALLS).containsExactly("advice", "advised.run");
			});
		}
	}

	@Test
	void twoHandlersForOneTypeAreNamedBoth() {
		this.runner.withBean("mails", Plain.class)
			.withBean("others", Plain.class)
			.run(fails("bean 'others', method Plain.send", "bean 'mails', method Plain.send", "'email.send'"));
	}

	@Test
	void handlersOfDifferentVersionsStandBesideEachOther() {
		this.runner.withBean("old", OldInvoices.class)
			.withBean("current", Invoices.class)
			.withPropertyValues("next=4.0")
			.run((context) -> {
				JobHandlers handlers = context.getBean(JobHandlers.class);
				assertThat(handlers.all("invoice.generate")).extracting(JobHandlerDefinition::origin)
					.containsExactly("bean 'current', method Invoices.generate",
							"bean 'old', method OldInvoices.generate");
				assertThat(handlers.find("invoice.generate", JobVersion.parse("3.9")).orElseThrow().origin())
					.startsWith("bean 'current'");
				assertThat(handlers.find("invoice.generate", JobVersion.parse("4.0"))).isEmpty();
			});
	}

	@Test
	void handlersOfTheSameVersionAreNamedBoth() {
		this.runner.withBean("mine", OldInvoices.class)
			.withBean("theirs", OldInvoices.class)
			.run(fails("bean 'theirs', method OldInvoices.generate", "bean 'mine', method OldInvoices.generate",
					"versions >=1.0 <2.0 of jobs of type 'invoice.generate'"));
		this.runner.withBean("wrong", Invoices.class)
			.withPropertyValues("next=^4.0")
			.run(fails("bean 'wrong', method Invoices.generate", "'versions'", ">=2.0 <^4.0", ">=1.0 <3.0"));
	}

	@Test
	void upcastersAreBeansAndAreNamedIfTheyCannotWork() {
		this.runner.withBean("current", Invoices.class)
			.withPropertyValues("next=4.0")
			.withBean("up", JobUpcaster.class, () -> JobUpcaster.of("invoice.generate", "<2.0", "2.0", (args) -> args))
			.run((context) -> assertThat(
					context.getBean(JobHandlers.class).handled().contain("invoice.generate", JobVersion.parse("1.0")))
				.isTrue());
		this.runner
			.withBean("down", JobUpcaster.class,
					() -> JobUpcaster.of("invoice.generate", "<2.0", "1.0", (args) -> args))
			.run(fails("bean 'down'", "leads from versions <2.0 to 1.0"));
	}

	@Test
	void badDeclarationsNameTheBeanTheMethodAndTheValue() {
		this.runner.withBean("bad", BadType.class)
			.run(fails("bean 'bad', method BadType.send", "'type'", "Email Send"));
		this.runner.withBean("bad", BadQueue.class)
			.run(fails("bean 'bad', method BadQueue.send", "'queue'", "dlx.mail"));
		this.runner.withBean("bad", BadConcurrency.class).run(fails("bean 'bad', method BadConcurrency.send", "-1"));
		this.runner.withBean("bad", BadDuration.class).run(fails("bean 'bad', method BadDuration.send", "'soon'"));
	}

	@Test
	void classThatHidesBehindItsInterfaceIsNoticed() {
		this.runner.withUserConfiguration(Hidden.class)
			.run(fails("bean 'hidden', method Advised.work", "does not say that it returns a Advised"));
	}

	@Test
	void privateMethodOfAProxiedBeanIsNoticed() {
		this.runner.withUserConfiguration(PrivatelyProxied.class).run(fails("bean 'shy', method Shy.work"));
	}

	private static ContextConsumer<AssertableApplicationContext> fails(String... parts) {
		return (context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new OjsFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).as("an exception of ours").isNotNull();
			assertThat(analysis.getDescription()).contains(parts);
			assertThat(analysis.getAction()).isNotBlank();
		};
	}

	private static void run(JobHandlers handlers, String type) throws Exception {
		JobContext context = mock(JobContext.class);
		Job job = Job.builder(new JobIdGenerator(Clock.systemUTC()).next(), type, "default").build();
		when(context.job()).thenReturn(job);
		handlers.find(type).orElseThrow().handler().handle(context);
	}

	static class Mails {

		@OjsJobHandler(value = "email.send", queue = "${mail.queue}", concurrency = 3,
				retry = @OjsRetry(maxAttempts = 7, initialInterval = "${mail.pause}", maxInterval = "PT10M",
						jitter = false, onExhaustion = OnExhaustion.DISCARD, backoffStrategy = BackoffStrategy.LINEAR))
		void send() {
		}

		@OjsJobHandler("email.plain")
		void plain() {
		}

	}

	static class Late {

		Late() {
			CALLS.add("created");
		}

		@OjsJobHandler("late.run")
		void run() {
			CALLS.add("late.run");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lazily {

		@Bean
		@Lazy
		Late late() {
			return new Late();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Prototypes {

		@Bean
		@Scope("prototype")
		Late late() {
			return new Late();
		}

	}

	interface Work {

		void work();

	}

	static class Advised implements Work {

		@Override
		@OjsJobHandler("advised.run")
		public void work() {
			CALLS.add("advised.run");
		}

	}

	static class Shy {

		@OjsJobHandler("shy.run")
		private void work() {
		}

	}

	private static <T> T withAdvice(Object target, Class<T> type, boolean proxyClass) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(proxyClass);
		factory.addAdvice((MethodInterceptor) (invocation) -> {
			CALLS.add("advice");
			return invocation.proceed();
		});
		Object proxy = factory.getProxy();
		assertThat(Proxy.isProxyClass(proxy.getClass())).isEqualTo(!proxyClass);
		return type.cast(proxy);
	}

	@Configuration(proxyBeanMethods = false)
	static class ClassProxied {

		@Bean
		Advised advised() {
			return withAdvice(new Advised(), Advised.class, true);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InterfaceProxied {

		@Bean
		static BeanPostProcessor proxying() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof Advised) ? withAdvice(bean, Work.class, false) : bean;
				}

			};
		}

		@Bean
		Advised advised() {
			return new Advised();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Hidden {

		@Bean
		Work hidden(JobHandlers handlers) {
			// Whoever enqueues needs the handlers, and so has them looked for before
			// itself.
			assertThat(handlers.byQueue()).isEmpty();
			return new Advised();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrivatelyProxied {

		@Bean
		Shy shy() {
			return withAdvice(new Shy(), Shy.class, true);
		}

	}

	static class OldInvoices {

		@OjsJobHandler(value = "invoice.generate", versions = ">=1.0 <2.0")
		void generate() {
		}

	}

	static class Invoices {

		@OjsJobHandler(value = "invoice.generate", versions = ">=2.0 <${next}")
		void generate() {
		}

	}

	static class Plain {

		@OjsJobHandler("email.send")
		void send() {
		}

	}

	static class BadType {

		@OjsJobHandler("Email Send")
		void send() {
		}

	}

	static class BadQueue {

		@OjsJobHandler(value = "email.send", queue = "dlx.mail")
		void send() {
		}

	}

	static class BadConcurrency {

		@OjsJobHandler(value = "email.send", concurrency = -1)
		void send() {
		}

	}

	static class BadDuration {

		@OjsJobHandler(value = "email.send", retry = @OjsRetry(initialInterval = "soon"))
		void send() {
		}

	}

}
