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
		// A subclass of the exception says that there are several.
		if (missing == null || cause.getNumberOfBeansFound() > 0 || !isCalled(missing)) {
			return null;
		}
		if (missing == OjsOperations.class) {
			return new FailureAnalysis(
					"There is no %s, because the application has no ConnectionFactory for RabbitMQ, or because ojs.enabled is not true."
						.formatted(missing.getSimpleName()),
					"Add spring-boot-starter-amqp with Spring Boot 4.1 (spring-boot-starter-rabbitmq from 4.2 on), or "
							+ "declare a ConnectionFactory; and set ojs.enabled to true, or remove it.",
					cause);
		}
		return new FailureAnalysis(
				"There is no %s, because the application has no job store, or because its feature is switched off."
					.formatted(missing.getSimpleName()),
				"Give the application a DataSource and spring-jdbc, such as by spring-boot-starter-jdbc; leave "
						+ "ojs.enabled and ojs.store.enabled at true, and look for the property 'enabled' of the feature.",
				cause);
	}

	/** What applications inject, and not what they implement or get as an argument. */
	private static boolean isCalled(Class<?> type) {
		String name = type.getName();
		return type == OjsOperations.class || (type.isInterface() && name.startsWith("io.ojs.")
				&& !name.matches("io\\.ojs\\.(.*\\.internal|amqp|client|crypto|handler|middleware|test|web)\\..*")
				&& !type.isAnnotationPresent(FunctionalInterface.class));
	}

}
