package io.ojs.boot.internal;

import java.util.List;

import io.ojs.boot.OjsConnectionFactory;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is a connection factory. {@code @ConditionalOnBean} would miss a
 * connection factory that is marked for jobs and, as {@link OjsConnectionFactory}
 * recommends, is not a default candidate.
 */
public final class OnConnectionFactory extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("OJS");
		ConfigurableListableBeanFactory beanFactory = context.getBeanFactory();
		List<String> found = (beanFactory != null) ? List
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, ConnectionFactory.class, true, false))
				: List.of();
		return found.isEmpty() ? ConditionOutcome.noMatch(message.didNotFind("a connection factory").atAll())
				: ConditionOutcome.match(message.found("connection factory", "connection factories").items(found));
	}

}
