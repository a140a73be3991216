package io.ojs.test.broker;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
 * Prepares the environment for {@link LocalBroker} and registers no bean definition. It
 * is a registrar because registrars run before any bean is created, so before any bean
 * has read {@code spring.rabbitmq.*}.
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
		// First, because a configured user name without a host is for another broker.
		this.environment.getPropertySources()
			.addFirst(new MapPropertySource("ojsLocalBroker",
					Map.of(PREFIX + "host", broker.host(), PREFIX + "port", broker.port(), PREFIX + "username",
							broker.username(), PREFIX + "password", broker.password(), PREFIX + "virtual-host",
							virtualHost.name())));
		logger.info("Using the virtual host {} of {}", virtualHost, broker);
		if (registry instanceof DefaultSingletonBeanRegistry singletons) {
			// Spring destroys singletons in reverse order. This one is registered before
			// all others, so it is closed when no bean uses a connection any more.
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
