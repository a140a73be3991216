package io.ojs.boot.rate;

import java.time.Duration;

import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.internal.rate.RateLimitStore;
import io.ojs.internal.rate.RateLimiter;
import io.ojs.jdbc.internal.StartLimits;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.limit.JdbcRateLimitStore;
import io.ojs.store.internal.PeriodicTask;
import io.ojs.store.internal.StoreClock;
import io.ojs.web.internal.rate.RateLimitEndpoints;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of rate limits, for applications with a job store. In an application
 * that excludes it, jobs that wait for a limit are let through by other processes alone.
 */
@AutoConfiguration(afterName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean(StoreDatabase.class)
public final class OjsRateLimitsAutoConfiguration {

	@Bean
	JdbcRateLimitStore ojsRateLimitStore(StoreDatabase database) {
		return new JdbcRateLimitStore(database);
	}

	@Bean
	PeriodicTask ojsRateLimitRelease(RateLimitStore store, @Qualifier(Clocks.STORE) StoreClock clock,
			StartLimits limits) {
		RateLimiter limiter = new RateLimiter(store, clock, limits.known().getAsBoolean());
		return new PeriodicTask("The job store cannot let jobs through that wait for a rate limit",
				Duration.ofSeconds(1), limiter::release);
	}

	/**
	 * Endpoints of rate limits.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	static class Http {

		@Bean
		RateLimitEndpoints ojsRateLimitEndpoints(RateLimitStore limits) {
			return new RateLimitEndpoints(limits);
		}

	}

}
