package io.ojs.test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.ojs.test.broker.RabbitBroker;
import io.ojs.test.broker.VirtualHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers no bean definition: it is a registrar because those run before any bean is
 * made, and so before anyone has read {@code spring.rabbitmq.*}.
 */
class LocalBrokerRegistrar implements ImportBeanDefinitionRegistrar {

	static final String VIRTUAL_HOST_BEAN = "ojsLocalBrokerVirtualHost";

	private static final String PREFIX = "spring.rabbitmq.";

	private static final Logger logger = LoggerFactory.getLogger(LocalBroker.class);

	private final ConfigurableEnvironment environment;

	LocalBrokerRegistrar(Environment environment) {
		this.environment = (ConfigurableEnvironment) environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		Optional<String> configured = configured();
		if (configured.isPresent()) {
			logger.info("{} is configured, so no local broker is used", configured.get());
			return;
		}
		RabbitBroker broker = RabbitBroker.shared();
		VirtualHost virtualHost = broker.newVirtualHost();
		// First: a user name that goes with no host was meant for some other broker.
		this.environment.getPropertySources()
			.addFirst(new MapPropertySource("ojsLocalBroker",
					Map.of(PREFIX + "host", broker.host(), PREFIX + "port", broker.port(), PREFIX + "username",
							broker.username(), PREFIX + "password", broker.password(), PREFIX + "virtual-host",
							virtualHost.name())));
		logger.info("Using the virtual host {} of {}", virtualHost, broker);
		if (registry instanceof DefaultSingletonBeanRegistry singletons) {
			// Singletons are destroyed last to first. This one comes before all
			// others, so it goes when nobody uses a connection any more.
			singletons.registerSingleton(VIRTUAL_HOST_BEAN, virtualHost);
			singletons.registerDisposableBean(VIRTUAL_HOST_BEAN, virtualHost::close);
		}
	}

	private Optional<String> configured() {
		Binder binder = Binder.get(this.environment);
		return Stream.of("host", "port", "addresses")
			.map((key) -> PREFIX + key)
			.filter((key) -> binder.bind(key, Bindable.listOf(String.class))
				.orElse(List.of())
				.stream()
				.anyMatch((value) -> !value.isBlank()))
			.findFirst();
	}

}
