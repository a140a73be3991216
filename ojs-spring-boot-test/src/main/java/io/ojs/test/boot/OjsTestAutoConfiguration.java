package io.ojs.test.boot;

import java.time.Clock;
import java.time.ZoneOffset;

import io.ojs.client.internal.JobFactory;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.middleware.internal.ExecutionChain;
import io.ojs.test.jobs.SettableClock;
import io.ojs.test.jobs.TestJobs;
import io.ojs.test.jobs.TestMode;
import io.ojs.test.jobs.internal.MemoryTestJobs;
import io.ojs.test.jobs.internal.TestRuntime;
import io.ojs.test.jobs.internal.TestTransactions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Auto-configuration of jobs in memory. The application's own configuration creates and
 * works them.
 */
@AutoConfiguration(afterName = "io.ojs.boot.OjsAutoConfiguration")
final class OjsTestAutoConfiguration {

	@Bean
	static OjsTestCheck ojsTestCheck(Environment environment) {
		return new OjsTestCheck(environment);
	}

	/**
	 * Takes precedence over the application's own clock, if there is one, and uses its
	 * zone.
	 */
	@Bean
	@Primary
	SettableClock ojsTestClock(ObjectProvider<Clock> clocks) {
		return new SettableClock(clocks.stream((type) -> !SettableClock.class.isAssignableFrom(type))
			.findFirst()
			.map(Clock::getZone)
			.orElse(ZoneOffset.UTC));
	}

	@Bean
	@Primary
	TestJobs ojsTestJobs(TestRuntime runtime, JobCodec codec, JsonValues values, Environment environment,
			ObjectProvider<TestTransactions> transactions) {
		return new MemoryTestJobs(runtime, codec, values,
				environment.getProperty(OjsTestImportFilter.PREFIX + ".mode", TestMode.class, TestMode.FAKE),
				transactions.getIfAvailable(() -> TestTransactions.NONE));
	}

	@Bean
	TestRuntime ojsTestRuntime(JobFactory factory, JobHandlers handlers, RetryPolicies retryPolicies, Timeouts timeouts,
			ExecutionChain chain, JobEvents events, SettableClock clock) {
		return new TestRuntime(factory, handlers, retryPolicies, timeouts, chain, events, clock);
	}

	/**
	 * Support of transactions, for tests with Spring's transactions on the class path.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(TransactionSynchronization.class)
	static class Transactions {

		@Bean
		TestTransactions ojsTestTransactions() {
			return new SpringTestTransactions();
		}

	}

}
