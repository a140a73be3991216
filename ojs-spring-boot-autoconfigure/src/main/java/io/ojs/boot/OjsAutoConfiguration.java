package io.ojs.boot;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ojs.boot.internal.Clocks;
import io.ojs.boot.internal.ConfiguredTenantLimits;
import io.ojs.boot.internal.GroupValueCheck;
import io.ojs.boot.internal.PropertiesCheck;
import io.ojs.boot.internal.QueueSettingsFactory;
import io.ojs.event.JobEventListener;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.JobUpcaster;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.JobUpcasters;
import io.ojs.internal.json.JobCodec;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.json.JsonValues;
import io.ojs.internal.process.ThisProcess;
import io.ojs.queue.internal.Producers;
import io.ojs.store.internal.relay.HandOver;
import io.ojs.tenant.TenantLimitSource;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.internal.ThreadTenants;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of handlers, JSON, events and all else that jobs need with any
 * transport.
 */
@AutoConfiguration(afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ojs.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OjsProperties.class)
@Import({ MiddlewareConfiguration.class, JobsConfiguration.class })
public final class OjsAutoConfiguration {

	@Bean
	static SecondBeanCheck ojsSecondBeanCheck() {
		return new SecondBeanCheck();
	}

	@Bean
	static GroupValueCheck ojsGroupValueCheck() {
		return new GroupValueCheck();
	}

	@Bean
	JobCodec ojsJobCodec() {
		return new JsonJobCodec();
	}

	@Bean
	JsonValues ojsJsonValues(ObjectProvider<JsonMapper> mapper) {
		return new JsonValues(mapper.getIfUnique(JsonMapper::shared));
	}

	@Bean
	JobHandlerScanner ojsJobHandlerScanner(ConfigurableListableBeanFactory beanFactory, JsonValues values) {
		return new JobHandlerScanner(beanFactory, values);
	}

	@Bean
	JobHandlers ojsJobHandlers(JobHandlerScanner scanner, JobUpcasters upcasters) {
		return scanner.scan(upcasters);
	}

	@Bean
	JobUpcasters ojsJobUpcasters(ListableBeanFactory beanFactory) {
		Map<String, JobUpcaster> named = new LinkedHashMap<>();
		beanFactory.getBeansOfType(JobUpcaster.class)
			.forEach((name, upcaster) -> named.put("bean '%s'".formatted(name), upcaster));
		return new JobUpcasters(named);
	}

	@Bean
	ThreadTenants ojsTenants(OjsProperties properties, ObjectProvider<TenantResolver> resolver) {
		return new ThreadTenants(properties.tenancy().enabled(), properties.tenancy().required(),
				resolver.getIfAvailable(() -> TenantResolver.NONE));
	}

	@Bean
	@ConditionalOnMissingBean
	TenantLimitSource ojsTenantLimits(OjsProperties properties) {
		PropertiesCheck.check(properties.tenancy());
		return new ConfiguredTenantLimits(properties.tenancy());
	}

	@Bean
	QueueSettingsFactory ojsQueueSettings(OjsProperties properties) {
		return new QueueSettingsFactory(properties);
	}

	@Bean
	HandOver ojsHandOver(OjsProperties properties) {
		return QueueDelivery.of(properties);
	}

	@Bean
	JobEvents ojsJobEvents(ObjectProvider<JobEventListener> listeners, ApplicationEventPublisher publisher) {
		List<JobEventListener> all = new ArrayList<>(listeners.orderedStream().toList());
		all.add(new JobApplicationEvents(publisher));
		return new JobEvents(all);
	}

	@Bean
	ThisProcess ojsThisProcess(Environment environment, ObjectProvider<Clock> clock) {
		return ThisProcess.named(environment.getProperty("spring.application.name"),
				environment.getProperty("spring.application.version"), Clocks.of(clock).instant());
	}

	@Bean
	Producers ojsProducers(OjsProperties properties, Environment environment) {
		String name = properties.producer();
		return new Producers((name != null) ? name : environment.getProperty("spring.application.name", "application"));
	}

}
