package io.ojs.boot.tenant;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import io.ojs.boot.OjsProperties;
import io.ojs.boot.TenancyProperties;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConditionalOnHttpApi;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.internal.admin.AdminStore;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.tenant.JdbcTenantUsage;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.tenant.TenantEventListener;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.tenant.internal.limit.FairShares;
import io.ojs.tenant.internal.limit.TenantEvents;
import io.ojs.tenant.internal.limit.TenantGate;
import io.ojs.tenant.internal.limit.TenantUsage;
import io.ojs.web.internal.tenant.TenantEndpoints;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of tenants in a job store, for applications with
 * {@code ojs.tenancy.enabled=true}: their limits, which are checked when jobs are
 * enqueued, and their shares of a queue.
 */
@AutoConfiguration(afterName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty("ojs.tenancy.enabled")
@ConditionalOnClass(StoreDatabase.class)
@ConditionalOnBean(StoreDatabase.class)
public final class OjsTenancyAutoConfiguration {

	@Bean
	FairShares ojsFairShares(OjsProperties properties) {
		TenancyProperties tenancy = properties.tenancy();
		PropertiesCheck.check(tenancy);
		return new FairShares(tenancy.fairShares(), tenancy.maxWindow());
	}

	@Bean
	BegunWork ojsBegunWork() {
		return new BegunWork();
	}

	@Bean
	JdbcTenantUsage ojsTenantUsage(StoreDatabase database) {
		return new JdbcTenantUsage(database);
	}

	@Bean
	TenantEvents ojsTenantEvents(ObjectProvider<TenantEventListener> listeners, ApplicationEventPublisher publisher) {
		List<TenantEventListener> all = new ArrayList<>(listeners.orderedStream().toList());
		all.add(publisher::publishEvent);
		return new TenantEvents(all);
	}

	@Bean
	TenantGate ojsTenantGate(ThreadTenants tenants, TenantLimitSource limits, TenantUsage usage, BegunWork begun,
			TenantEvents events, StoreTransactions transactions, @Qualifier(Clocks.STORE) StoreClock clock) {
		return new TenantGate(tenants, limits, usage, begun, events, transactions::afterCommit, clock);
	}

	/**
	 * Endpoints of tenants.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHttpApi
	static class Http {

		@Bean
		TenantEndpoints ojsTenantEndpoints(AdminStore jobs, TenantLimitSource limits, TenantUsage usage,
				ObjectProvider<Clock> clock) {
			return new TenantEndpoints(jobs, limits, usage, Clocks.of(clock));
		}

	}

}
