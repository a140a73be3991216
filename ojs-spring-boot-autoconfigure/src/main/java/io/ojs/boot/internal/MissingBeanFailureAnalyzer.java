package io.ojs.boot.internal;

import io.ojs.client.OjsOperations;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Explains why there is no bean of an interface of the API: the application has no
 * connection factory, or no job store.
 */
@Order(0)
public final class MissingBeanFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		Class<?> missing = cause.getBeanType();
		if (missing == null || !isCalled(missing)) {
			return null;
		}
		if (missing == OjsOperations.class || missing.getName().startsWith("io.ojs.amqp.")) {
			return new FailureAnalysis(
					"There is no %s, because the application has no ConnectionFactory for RabbitMQ."
						.formatted(missing.getSimpleName()),
					"Add spring-boot-starter-amqp with Spring Boot 4.1 (spring-boot-starter-rabbitmq from 4.2 on), or "
							+ "declare a ConnectionFactory; and leave ojs.enabled at true.",
					cause);
		}
		return new FailureAnalysis(
				"There is no %s, because the application has no job store, or because its feature is switched off."
					.formatted(missing.getSimpleName()),
				"Give the application a DataSource and spring-jdbc, such as by spring-boot-starter-jdbc; leave "
						+ "ojs.enabled and ojs.store.enabled at true, and look for the property 'enabled' of the feature.",
				cause);
	}

	/** Functional interfaces, and those of keys, are implemented by applications. */
	private static boolean isCalled(Class<?> type) {
		String name = type.getName();
		return type.isInterface() && name.startsWith("io.ojs.") && !name.contains(".internal.")
				&& !name.startsWith("io.ojs.crypto.") && !type.isAnnotationPresent(FunctionalInterface.class);
	}

}
