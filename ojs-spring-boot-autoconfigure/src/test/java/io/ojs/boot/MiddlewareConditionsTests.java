package io.ojs.boot;

import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.EnqueueMiddlewareCustomizer;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.ExecutionMiddlewareCustomizer;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.middleware.internal.ExecutionChain;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Middleware that is beans: its order, its names, and what keeps an application from
 * starting.
 */
class MiddlewareConditionsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(OjsAutoConfiguration.class));

	@Test
	void withoutAnyThereAreTheSteps() {
		this.runner.run((context) -> {
			assertThat(context.getBean(EnqueueChain.class).names()).containsExactly("trace", "tenant", "validate",
					"unique", "rate-limit", "encrypt");
			assertThat(context.getBean(ExecutionChain.class).names()).containsExactly("trace", "decrypt", "tenant");
		});
	}

	@Test
	void beansStandInTheirOrder() {
		this.runner.withUserConfiguration(Beans.class).run((context) -> {
			assertThat(context.getBean(EnqueueChain.class).names()).containsExactly("trace", "tenant", "first",
					"second", "unordered", "validate", "unique", "rate-limit", "encrypt");
			assertThat(context.getBean(ExecutionChain.class).names()).containsExactly("trace", "decrypt", "tenant",
					"outer", "inner");
		});
	}

	@Test
	void customizersHaveTheLastWord() {
		this.runner.withUserConfiguration(Beans.class, Customizers.class).run((context) -> {
			assertThat(context.getBean(EnqueueChain.class).names()).containsExactly("trace", "tenant", "second",
					"unordered", "validate", "unique", "audit", "rate-limit", "encrypt");
			assertThat(context.getBean(ExecutionChain.class).names()).containsExactly("trace", "raw", "decrypt",
					"tenant", "outer", "inner");
		});
	}

	@Test
	void whatCannotBeKeepsTheApplicationFromStarting() {
		this.runner.withUserConfiguration(Wrong.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("There is no middleware 'encryption' in the chain [trace, tenant, validate,"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		EnqueueMiddleware unordered() {
			return (job) -> job;
		}

		@Bean
		@Order(2)
		EnqueueMiddleware second() {
			return (job) -> job;
		}

		@Bean
		@Order(1)
		EnqueueMiddleware first() {
			return (job) -> job;
		}

		@Bean
		@Order(5)
		ExecutionMiddleware inner() {
			return (attempt, next) -> next.proceed(attempt);
		}

		@Bean
		@Order(-5)
		ExecutionMiddleware outer() {
			return (attempt, next) -> next.proceed(attempt);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		EnqueueMiddlewareCustomizer audit() {
			return (chain) -> {
				chain.insertAfter("unique", "audit", (job) -> job);
				chain.remove("first");
			};
		}

		@Bean
		ExecutionMiddlewareCustomizer raw() {
			return (chain) -> chain.insertBefore("decrypt", "raw", (attempt, next) -> next.proceed(attempt));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Wrong {

		@Bean
		EnqueueMiddlewareCustomizer wrong() {
			return (chain) -> chain.insertBefore("encryption", "mine", (job) -> job);
		}

	}

}
