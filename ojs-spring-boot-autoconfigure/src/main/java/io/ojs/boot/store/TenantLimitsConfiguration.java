package io.ojs.boot.store;

import java.util.ArrayList;
import java.util.List;

import io.ojs.boot.internal.Clocks;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.jdbc.internal.tenant.JdbcTenantUsage;
import io.ojs.store.internal.StoreClock;
import io.ojs.store.internal.StoreTransactions;
import io.ojs.tenant.TenantEventListener;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.Tenants;
import io.ojs.tenant.internal.limit.BegunWork;
import io.ojs.tenant.internal.limit.TenantEvents;
import io.ojs.tenant.internal.limit.TenantGate;
import io.ojs.tenant.internal.limit.TenantUsage;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Limits of tenants, which are checked when jobs are enqueued.
 */
@Configuration(proxyBeanMethods = false)
class TenantLimitsConfiguration {

	@Bean
	@ConditionalOnMissingBean
	BegunWork ojsBegunWork() {
		return new BegunWork();
	}

	@Bean
	@ConditionalOnMissingBean(TenantUsage.class)
	JdbcTenantUsage ojsTenantUsage(StoreDatabase database) {
		return new JdbcTenantUsage(database);
	}

	@Bean
	@ConditionalOnMissingBean
	TenantEvents ojsTenantEvents(ObjectProvider<TenantEventListener> listeners, ApplicationEventPublisher publisher) {
		List<TenantEventListener> all = new ArrayList<>(listeners.orderedStream().toList());
		all.add(publisher::publishEvent);
		return new TenantEvents(all);
	}

	@Bean
	@ConditionalOnMissingBean
	TenantGate ojsTenantGate(Tenants tenants, TenantLimitSource limits, TenantUsage usage, BegunWork begun,
			TenantEvents events, StoreTransactions transactions, @Qualifier(Clocks.STORE) StoreClock clock) {
		return new TenantGate(tenants, limits, usage, begun, events, transactions::afterCommit, clock);
	}

}
