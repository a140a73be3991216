package io.ojs.boot.internal;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.handler.JobContext;
import io.ojs.handler.OjsJobHandler;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

/**
 * Handlers where one would not look for them first, and the mistakes that are easy to
 * overlook.
 */
class HandlersOfUnusualBeansTests {

	private static final List<String> CALLS = new ArrayList<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class, OjsAutoConfiguration.class));

	@Test
	void configurationClassMayHaveHandlers() {
		this.runner.withUserConfiguration(HandlingConfiguration.class).run(calls("configuration", "configuration"));
	}

	@Test
	void productOfAFactoryBeanMayHaveHandlers() {
		this.runner.withUserConfiguration(Produced.class).run(calls("work.run", "worker"));
	}

	@Test
	void beanBehindAScopedProxyMayHaveHandlers() {
		this.runner.withUserConfiguration(Scoped.class).run(calls("work.run", "worker"));
	}

	@Test
	void handlerMayBeInherited() {
		this.runner.withBean(SubWorker.class).run(calls("work.run", "sub worker"));
	}

	@Test
	void handlerMayBeDeclaredByAnInterface() {
		this.runner.withBean(Implementation.class).run(calls("contract.run", "implementation"));
		this.runner.withBean(Inheritor.class).run(calls("contract.run", "default"));
	}

	@Test
	void handlerMayBeStatic() {
		this.runner.withBean(Statically.class).run(calls("static.run", "static"));
	}

	@Test
	void handlerMayBePrivateWhereNoProxyIsInTheWay() {
		this.runner.withBean(Discreet.class).run(calls("discreet.run", "discreet"));
	}

	@Test
	void resultOfTheMethodIsTheResultOfTheJob() {
		this.runner.withBean(CallableWorker.class)
			.run((context) -> assertThat(run(context.getBean(JobHandlers.class), "call.run")).isEqualTo("called"));
	}

	@Test
	void placeholderMayHaveADefault() {
		this.runner.withBean(WithDefaults.class).run((context) -> {
			assertThat(context.getBean(JobHandlers.class).find("fallback.run")).get()
				.satisfies((definition) -> assertThat(definition.queue()).isEqualTo("other"));
		});
	}

	@Test
	void placeholderThatNobodyResolvesIsNamedWithItsBean() {
		this.runner.withBean("bad", UnknownQueue.class)
			.run(fails("bean 'bad', method UnknownQueue.run", "no.such.queue"));
		this.runner.withBean("bad", UnknownType.class).run(fails("bean 'bad', method UnknownType.run", "no.such.type"));
	}

	@Test
	void secondHandlerForATypeIsNoticedThoughItsClassHidesBehindAnInterface() {
		this.runner.withUserConfiguration(HiddenDouble.class)
			.run(fails("bean 'hidden', method CallableWorker.call", "bean 'known'", "'call.run'"));
		this.runner.withUserConfiguration(LateHiddenDouble.class)
			.run(fails("bean 'hidden', method CallableWorker.call", "does not say that it returns a CallableWorker"));
	}

	@Test
	void proxyThatDoesNotHaveTheMethodIsNoticed() {
		this.runner.withUserConfiguration(WrongProxy.class)
			.run(fails("bean 'worker', method OtherCallableWorker.other", "interface"));
	}

	@Test
	void applicationWithoutHandlersHasNone() {
		this.runner.run((context) -> assertThat(context.getBean(JobHandlers.class).byQueue()).isEmpty());
	}

	private static ContextConsumer<AssertableApplicationContext> calls(String type, String call) {
		return (context) -> {
			assertThat(context).hasNotFailed();
			CALLS.clear();
			run(context.getBean(JobHandlers.class), type);
			assertThat(CALLS).containsExactly(call);
		};
	}

	private static @Nullable Object run(JobHandlers handlers, String type) throws Exception {
		JobContext attempt = mock(JobContext.class);
		Job job = Job.builder(new JobIdGenerator(Clock.systemUTC()).next(), type, "default").build();
		when(attempt.job()).thenReturn(job);
		return handlers.find(type).orElseThrow().handler().handle(attempt);
	}

	private static ContextConsumer<AssertableApplicationContext> fails(String... parts) {
		return (context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new OjsFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).as("an exception of ours").isNotNull();
			assertThat(analysis.getDescription() + " " + analysis.getAction()).contains(parts);
		};
	}

	@Configuration
	static class HandlingConfiguration {

		@OjsJobHandler("configuration")
		void run() {
			CALLS.add("configuration");
		}

	}

	static class Worker {

		@OjsJobHandler("work.run")
		void run() {
			CALLS.add(name());
		}

		String name() {
			return "worker";
		}

	}

	static class SubWorker extends Worker {

		@Override
		String name() {
			return "sub worker";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Produced {

		@Bean
		FactoryBean<Worker> worker() {
			return new FactoryBean<>() {

				@Override
				public Worker getObject() {
					return new Worker();
				}

				@Override
				public Class<?> getObjectType() {
					return Worker.class;
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Worker worker() {
			return new Worker();
		}

	}

	interface Contract {

		@OjsJobHandler("contract.run")
		default void run() {
			CALLS.add("default");
		}

	}

	static class Implementation implements Contract {

		@Override
		public void run() {
			CALLS.add("implementation");
		}

	}

	static class Inheritor implements Contract {

	}

	static class Statically {

		@OjsJobHandler("static.run")
		static void run() {
			CALLS.add("static");
		}

	}

	static class Discreet {

		@OjsJobHandler("discreet.run")
		private void run() {
			CALLS.add("discreet");
		}

	}

	static class WithDefaults {

		@OjsJobHandler(value = "${no.such.type:fallback.run}", queue = "${no.such.queue:other}")
		void run() {
		}

	}

	static class UnknownQueue {

		@OjsJobHandler(value = "a.b", queue = "${no.such.queue}")
		void run() {
		}

	}

	static class UnknownType {

		@OjsJobHandler("${no.such.type}")
		void run() {
		}

	}

	static class CallableWorker implements Callable<String> {

		@Override
		@OjsJobHandler("call.run")
		public String call() {
			return "called";
		}

	}

	static class OtherCallableWorker extends CallableWorker {

		@OjsJobHandler("call.other")
		public void other() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenDouble {

		@Bean
		CallableWorker known() {
			return new CallableWorker();
		}

		@Bean
		Callable<String> hidden() {
			return new CallableWorker();
		}

	}

	/** The hidden one is made after all handlers were looked for. */
	@Configuration(proxyBeanMethods = false)
	static class LateHiddenDouble {

		@Bean
		CallableWorker known(JobHandlers handlers) {
			return new CallableWorker();
		}

		@Bean
		Callable<String> hidden(JobHandlers handlers) {
			return new CallableWorker();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WrongProxy {

		@Bean
		static BeanPostProcessor proxying() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					if (!(bean instanceof CallableWorker)) {
						return bean;
					}
					ProxyFactory factory = new ProxyFactory(bean);
					factory.setProxyTargetClass(false);
					return factory.getProxy();
				}

			};
		}

		@Bean
		OtherCallableWorker worker() {
			return new OtherCallableWorker();
		}

	}

}
