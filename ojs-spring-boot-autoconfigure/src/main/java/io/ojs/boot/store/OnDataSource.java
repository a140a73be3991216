package io.ojs.boot.store;

import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import io.ojs.boot.OjsDataSource;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if there is one data source for jobs: the one marked with
 * {@link OjsDataSource}, the only one, or the primary one. It does not match if there are
 * several and none is marked or primary.
 */
final class OnDataSource extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("OJS");
		ConfigurableListableBeanFactory beanFactory = context.getBeanFactory();
		List<String> found = (beanFactory != null)
				? List
					.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, DataSource.class, true, false))
				: List.of();
		if (beanFactory == null || found.isEmpty()) {
			return ConditionOutcome.noMatch(message.didNotFind("a data source").atAll());
		}
		List<String> marked = found.stream()
			.filter((name) -> beanFactory.findAnnotationOnBean(name, OjsDataSource.class, false) != null)
			.toList();
		if (!marked.isEmpty()) {
			return ConditionOutcome.match(message.found("marked data source").items(marked));
		}
		List<String> candidates = new ArrayList<>();
		List<String> primary = new ArrayList<>();
		for (String name : found) {
			BeanDefinition definition = beanFactory.containsBeanDefinition(name)
					? beanFactory.getMergedBeanDefinition(name) : null;
			if (definition == null || isDefault(definition)) {
				candidates.add(name);
			}
			if (definition != null && definition.isPrimary()) {
				primary.add(name);
			}
		}
		boolean chosen = candidates.size() == 1 || primary.size() == 1;
		return chosen ? ConditionOutcome.match(message.found("data source", "data sources").items(found))
				: ConditionOutcome.noMatch(message
					.because("of the data sources %s none is @Primary or marked with @OjsDataSource".formatted(found)));
	}

	private static boolean isDefault(BeanDefinition definition) {
		return definition.isAutowireCandidate()
				&& !(definition instanceof AbstractBeanDefinition bean && !bean.isDefaultCandidate());
	}

}
