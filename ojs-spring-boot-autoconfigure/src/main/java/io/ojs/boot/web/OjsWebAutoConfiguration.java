package io.ojs.boot.web;

import java.time.Clock;
import java.util.Collection;
import java.util.EnumSet;
import java.util.function.Supplier;

import io.ojs.boot.HttpProperties;
import io.ojs.boot.InvalidConfigurationException;
import io.ojs.boot.OjsAmqpAutoConfiguration;
import io.ojs.boot.OjsAutoConfiguration;
import io.ojs.boot.OjsProperties;
import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.EffectiveAccess;
import io.ojs.client.internal.JobFactory;
import io.ojs.cron.CronJobs;
import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.process.ThisProcess;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.queue.internal.Producers;
import io.ojs.store.internal.JobStore;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.internal.ThreadTenants;
import io.ojs.web.Access;
import io.ojs.web.AccessControl;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.EnqueueRules;
import io.ojs.web.internal.HttpOptions;
import io.ojs.web.internal.OjsExceptionResolver;
import io.ojs.web.internal.OjsHandlerMapping;
import io.ojs.web.internal.OjsRequestHandler;
import io.ojs.web.internal.broker.BrokerReports;
import io.ojs.web.internal.endpoint.CallerEndpoints;
import io.ojs.web.internal.endpoint.OpenApiEndpoints;
import io.ojs.web.internal.endpoint.SystemEndpoints;
import io.ojs.workflow.Workflows;
import org.slf4j.Logger;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

/**
 * Auto-configuration of the OJS HTTP API, for applications with Spring MVC. Most
 * endpoints need a job store.
 */
@AutoConfiguration(after = OjsAutoConfiguration.class, before = OjsAmqpAutoConfiguration.class,
		beforeName = "io.ojs.boot.store.OjsStoreAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "ojs.http.enabled")
@ConditionalOnClass({ OjsHandlerMapping.class, org.springframework.web.servlet.HandlerMapping.class })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public final class OjsWebAutoConfiguration {

	/** Bodies are held in memory. */
	private static final DataSize LARGEST_BODY = DataSize.ofMegabytes(256);

	private static final Logger logger = SafeLogger.of(OjsWebAutoConfiguration.class);

	private final HttpProperties properties;

	private final Clock clock;

	private final boolean stored;

	OjsWebAutoConfiguration(OjsProperties properties, ObjectProvider<Clock> clock, ObjectProvider<JobStore> store) {
		check(properties.http());
		this.stored = store.getIfAvailable() != null;
		if (!this.stored) {
			logger
				.info("Without a job store, the HTTP API at /ojs has the endpoints that RabbitMQ alone can answer. For "
						+ "all others give the application a DataSource and spring-jdbc, such as by "
						+ "spring-boot-starter-jdbc, and leave ojs.store.enabled at true");
		}
		this.properties = properties.http();
		if (this.properties.allowAnonymous()) {
			logger.warn("ojs.http.allow-anonymous=true: every caller that reaches this application may enqueue, work, "
					+ "read and delete all jobs at /ojs. Set it to false and give callers authorities, unless only "
					+ "trusted callers reach it");
		}
		this.clock = Clocks.of(clock);
	}

	private static void check(HttpProperties http) {
		if (http.maxBodySize().toBytes() < 1 || http.maxBodySize().compareTo(LARGEST_BODY) > 0) {
			throw new InvalidConfigurationException("ojs.http.max-body-size", http.maxBodySize(),
					"must be between 1B and " + LARGEST_BODY.toMegabytes() + "MB",
					"Choose a size in that range, such as 10MB.");
		}
		if (http.maxTotalBodySize().compareTo(http.maxBodySize()) < 0) {
			throw new InvalidConfigurationException("ojs.http.max-total-body-size", http.maxTotalBodySize(),
					"must be at least ojs.http.max-body-size, which is " + http.maxBodySize(),
					"Raise it, or lower ojs.http.max-body-size.");
		}
		if (http.maxNewQueues() < 0 || http.maxQueues() < 0) {
			boolean single = http.maxNewQueues() < 0;
			throw new InvalidConfigurationException("ojs.http." + (single ? "max-new-queues" : "max-queues"),
					single ? http.maxNewQueues() : http.maxQueues(), "must not be negative",
					"Set it to 0 to have queues created by POST /ojs/v1/queues alone.");
		}
		if (http.maxStreams() < 0) {
			throw new InvalidConfigurationException("ojs.http.max-streams", http.maxStreams(), "must not be negative",
					"Set it to 0 for no streams, or more.");
		}
		if (http.requestsPerSecond() < 0) {
			throw new InvalidConfigurationException("ojs.http.requests-per-second", http.requestsPerSecond(),
					"must not be negative", "Set it to 0 for any number, or more.");
		}
		if (http.allowAnonymous() && !http.anonymousRights().isEmpty()) {
			throw new InvalidConfigurationException("ojs.http.anonymous-rights", http.anonymousRights(),
					"contradicts ojs.http.allow-anonymous=true, which gives every caller all of them",
					"Remove one of the two.");
		}
	}

	@Bean
	OjsRequestHandler ojsRequestHandler(ObjectProvider<Endpoints> endpoints, EffectiveAccess access,
			ThreadTenants tenants, TenantAccess tenantAccess, Producers producers) {
		return new OjsRequestHandler(endpoints.orderedStream().toList(), access.control(), tenants,
				tenants.isEnabled() ? tenantAccess : TenantAccess.OFF, producers,
				new HttpOptions(this.properties.maxBodySize().toBytes(), this.properties.maxTotalBodySize().toBytes(),
						this.properties.requestsPerSecond(), this.properties.includeStacktrace(),
						this.stored ? HttpOptions.ALL_THERE : HttpOptions.NO_STORE),
				this.clock);
	}

	@Bean
	EffectiveAccess ojsEffectiveAccess(AccessControl accessControl) {
		return EffectiveAccess.of(this.properties, accessControl);
	}

	@Bean
	OjsHandlerMapping ojsHandlerMapping(OjsRequestHandler handler) {
		return new OjsHandlerMapping(handler);
	}

	@Bean
	OjsExceptionResolver ojsExceptionResolver(OjsRequestHandler handler) {
		return new OjsExceptionResolver(handler);
	}

	@Bean
	EnqueueRules ojsEnqueueRules(ObjectProvider<LiveQueues> queues, ObjectProvider<CronJobs> crons,
			JobFactory factory) {
		Supplier<Collection<String>> ofCrons = () -> crons.stream()
			.flatMap((each) -> each.list().stream())
			.map((cron) -> factory.queue(cron.request().job()))
			.toList();
		return new EnqueueRules(queues.getIfAvailable(() -> LiveQueues.UNMANAGED), ofCrons, factory::queue,
				this.properties.maxNewQueues(), this.properties.maxQueues(), this.properties.reservedRateLimits());
	}

	@Bean
	SystemEndpoints ojsSystemEndpoints(ObjectProvider<JobStore> store, ObjectProvider<BrokerReports> broker,
			ObjectProvider<CronJobs> crons, ObjectProvider<Workflows> workflows) {
		JobStore known = store.getIfAvailable();
		SystemEndpoints.Backend backend = (known != null) ? SystemEndpoints.Backend.of(known)
				: SystemEndpoints.Backend.ofBroker(() -> broker.stream().allMatch((each) -> each.report().reachable()));
		return new SystemEndpoints(backend, this.properties.rootEndpoints(), crons.getIfAvailable() != null,
				workflows.getIfAvailable() != null, this.clock);
	}

	@Bean
	CallerEndpoints ojsCallerEndpoints(ThisProcess process, ThreadTenants tenants, OjsProperties properties) {
		return new CallerEndpoints(process, tenants.isEnabled(), properties.store().labels());
	}

	@Bean
	OpenApiEndpoints ojsOpenApiEndpoints() {
		return new OpenApiEndpoints();
	}

	/**
	 * With Spring Security, callers need authorities.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.security.core.context.SecurityContextHolder")
	static class Secured {

		@Bean
		@ConditionalOnMissingBean(AccessControl.class)
		AccessControl ojsAccessControl(OjsProperties properties) {
			return new SecurityAccessControl(properties.http().authorities());
		}

		@Bean
		@ConditionalOnMissingBean(TenantAccess.class)
		TenantAccess ojsTenantAccess(OjsProperties properties, ObjectProvider<TenantResolver> resolver) {
			TenantResolver told = resolver.getIfAvailable(() -> TenantResolver.NONE);
			return properties.http().allowAnonymous() ? new ResolvedTenantAccess(told, EnumSet.allOf(Access.class))
					: new SecurityTenantAccess(properties.http().authorities(), told,
							EffectiveAccess.anonymous(properties.http()));
		}

	}

	/**
	 * Without Spring Security, ojs.http.allow-anonymous=true or a bean of the application
	 * has to decide about access.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("org.springframework.security.core.context.SecurityContextHolder")
	static class Unsecured {

		/** For callers that have {@code ojs.http.anonymous-rights} and no others. */
		private static final AccessControl NOTHING_ELSE = (access, request) -> AccessControl.Decision.REFUSED;

		@Bean
		@ConditionalOnMissingBean(AccessControl.class)
		AccessControl ojsAccessControl(OjsProperties properties) {
			if (!properties.http().anonymousRights().isEmpty()) {
				return NOTHING_ELSE;
			}
			if (!properties.http().allowAnonymous()) {
				throw new InvalidConfigurationException("ojs.http.enabled", true,
						"would let every caller that reaches this application enqueue jobs and delete queues, because "
								+ "Spring Security is not there",
						"Add spring-boot-starter-security and let callers have the authorities SCOPE_ojs:read, "
								+ "SCOPE_ojs:write and SCOPE_ojs:admin; or set ojs.http.allow-anonymous=true, or "
								+ "ojs.http.anonymous-rights=read to have them look only, if only those reach it who "
								+ "may.");
			}
			return AccessControl.ANYBODY;
		}

		@Bean
		@ConditionalOnMissingBean(TenantAccess.class)
		TenantAccess ojsTenantAccess(OjsProperties properties, ObjectProvider<TenantResolver> resolver,
				AccessControl accessControl) {
			TenantResolver told = resolver.getIfAvailable();
			boolean all = properties.http().allowAnonymous();
			if (properties.tenancy().enabled() && !all && accessControl != NOTHING_ELSE && told == null) {
				throw new InvalidConfigurationException("ojs.tenancy.enabled", true,
						"would let every caller work for every tenant, because Spring Security is not there, and the "
								+ "application's own AccessControl says nothing of tenants",
						"Declare a bean of type TenantResolver or TenantAccess; or add spring-boot-starter-security.");
			}
			return new ResolvedTenantAccess((told != null) ? told : TenantResolver.NONE,
					all ? EnumSet.allOf(Access.class) : EffectiveAccess.anonymous(properties.http()));
		}

	}

}
