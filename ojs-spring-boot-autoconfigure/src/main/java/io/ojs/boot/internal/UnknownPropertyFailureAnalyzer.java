package io.ojs.boot.internal;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.ojs.boot.OjsProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Names the key below {@code ojs} that does not exist, and hints at those that do.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName QUEUES = ConfigurationPropertyName.of("ojs.queues");

	/** Elements of a key such as {@code ojs.queues.mail}. */
	private static final int QUEUE = 3;

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!(cause.getCause() instanceof UnboundConfigurationPropertiesException unbound)
				|| !ConfigurationPropertyName.of("ojs").isAncestorOf(first(unbound).getName())) {
			return null;
		}
		ConfigurationProperty property = first(unbound);
		return new FailureAnalysis("There is no property %s (value %s, from %s).".formatted(property.getName(),
				property.getValue(), property.getOrigin()), action(property.getName()), cause);
	}

	private static ConfigurationProperty first(UnboundConfigurationPropertiesException unbound) {
		return unbound.getUnboundProperties().iterator().next();
	}

	/** Names the keys beside the first element that is unknown. */
	private static String action(ConfigurationPropertyName name) {
		Class<?> group = OjsProperties.class;
		int depth = 1;
		while (depth < name.getNumberOfElements() - 1) {
			ResolvableType type = type(group, name.getElement(depth, Form.DASHED));
			boolean map = Map.class.isAssignableFrom(type.toClass());
			Class<?> inner = (map ? type.getGeneric(1) : type).toClass();
			int deeper = depth + (map ? 2 : 1);
			if (!inner.isRecord() || deeper >= name.getNumberOfElements()) {
				break;
			}
			group = inner;
			depth = deeper;
		}
		String hint = "Check its spelling. Below %s there are: %s.".formatted(name.chop(depth), keys(group));
		return (QUEUES.isAncestorOf(name) && depth == QUEUE && name.getNumberOfElements() > QUEUE + 1)
				? hint + " A queue name with dots is written in brackets: ojs.queues.[%s.%s].…"
					.formatted(name.getElement(QUEUE - 1, Form.ORIGINAL), name.getElement(QUEUE, Form.ORIGINAL))
				: hint;
	}

	static String keys(Class<?> group) {
		return Arrays.stream(group.getRecordComponents())
			.map(UnknownPropertyFailureAnalyzer::key)
			.collect(Collectors.joining(", "));
	}

	private static ResolvableType type(Class<?> group, String key) {
		return Arrays.stream(group.getRecordComponents())
			.filter((component) -> key(component).equals(key))
			.findFirst()
			.map((component) -> ResolvableType.forType(component.getGenericType()))
			.orElse(ResolvableType.NONE);
	}

	private static String key(RecordComponent component) {
		return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

}
