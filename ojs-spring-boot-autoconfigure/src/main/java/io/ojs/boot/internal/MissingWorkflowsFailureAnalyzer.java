package io.ojs.boot.internal;

import io.ojs.workflow.Workflows;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Explains why there is no bean of type {@link Workflows}: the application has no job
 * store.
 */
@Order(0)
public final class MissingWorkflowsFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		if (cause.getBeanType() != Workflows.class) {
			return null;
		}
		return new FailureAnalysis("Workflows are kept in the job store, and there is none.",
				"Give the application a DataSource and spring-jdbc, such as by spring-boot-starter-jdbc, and leave "
						+ "ojs.enabled, ojs.store.enabled and ojs.workflows.enabled at true.",
				cause);
	}

}
