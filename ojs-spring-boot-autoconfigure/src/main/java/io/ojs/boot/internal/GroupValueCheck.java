package io.ojs.boot.internal;

import java.util.Map;
import java.util.stream.StreamSupport;

import io.ojs.boot.InvalidConfigurationException;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;

/**
 * Rejects a value where a group of properties belongs, as in
 * {@code ojs.queues.email.retry=5}. Binding would ignore it. As with unknown keys,
 * environment variables are not checked.
 */
public final class GroupValueCheck implements ConfigurationPropertiesBindHandlerAdvisor {

	private static final ConfigurationPropertyName OJS = ConfigurationPropertyName.of("ojs");

	@Override
	public BindHandler apply(BindHandler handler) {
		return new AbstractBindHandler(handler) {

			@Override
			public <T> Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
				if (OJS.isAncestorOf(name)) {
					check(name, target.getType().toClass(), context);
				}
				return super.onStart(name, target, context);
			}

		};
	}

	private static void check(ConfigurationPropertyName name, Class<?> type, BindContext context) {
		if (!type.isRecord() && !Map.class.isAssignableFrom(type)) {
			return;
		}
		StreamSupport.stream(context.getSources().spliterator(), false)
			.filter(new UnboundElementsSourceFilter()::apply)
			.map((source) -> source.getConfigurationProperty(name))
			.filter((property) -> property != null && !"".equals(property.getValue()))
			.findFirst()
			.ifPresent((property) -> {
				throw new InvalidConfigurationException(name.toString(), property.getValue(),
						"is a group of properties, which has no value of its own",
						type.isRecord()
								? "Below %s there are: %s.".formatted(name, UnknownPropertyFailureAnalyzer.keys(type))
								: "Write a key below it, such as %s.name=….".formatted(name));
			});
	}

}
