package io.ojs.boot.rate;

import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.internal.rate.RateLimitStore;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.web.internal.rate.RateLimitEndpoints;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the endpoints of rate limits. The limits themselves are part of
 * the job store: where it is, they hold.
 */
@AutoConfiguration(afterName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean(StoreDatabase.class)
@ConditionalOnHttpApi
public final class OjsRateLimitsAutoConfiguration {

	@Bean
	RateLimitEndpoints ojsRateLimitEndpoints(RateLimitStore limits) {
		return new RateLimitEndpoints(limits);
	}

}
