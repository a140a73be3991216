package io.ojs.boot;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.ojs.crypto.internal.JobEncryption;
import io.ojs.middleware.EnqueueMiddleware;
import io.ojs.middleware.EnqueueMiddlewareCustomizer;
import io.ojs.middleware.ExecutionMiddleware;
import io.ojs.middleware.ExecutionMiddlewareCustomizer;
import io.ojs.middleware.MiddlewareChain;
import io.ojs.middleware.internal.Decryption;
import io.ojs.middleware.internal.EnqueueChain;
import io.ojs.middleware.internal.ExecutionChain;
import io.ojs.middleware.internal.OrderedMiddleware;
import io.ojs.tenant.internal.ThreadTenants;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The middleware around enqueueing and around handlers: the application's beans in their
 * order, then the changes of its customizers.
 */
@Configuration(proxyBeanMethods = false)
class MiddlewareConfiguration {

	@Bean
	EnqueueChain ojsEnqueueChain(ListableBeanFactory beans, ObjectProvider<EnqueueMiddlewareCustomizer> customizers) {
		OrderedMiddleware<EnqueueMiddleware> chain = OrderedMiddleware.ofEnqueueing();
		addBeans(beans, EnqueueMiddleware.class, chain::add);
		customizers.orderedStream().forEach((customizer) -> customizer.customize(chain));
		return new EnqueueChain(chain);
	}

	@Bean
	ExecutionChain ojsExecutionChain(ListableBeanFactory beans,
			ObjectProvider<ExecutionMiddlewareCustomizer> customizers, ThreadTenants tenants,
			ObjectProvider<JobEncryption> encryption) {
		OrderedMiddleware<ExecutionMiddleware> chain = OrderedMiddleware.ofExecution();
		addBeans(beans, ExecutionMiddleware.class, chain::add);
		customizers.orderedStream().forEach((customizer) -> customizer.customize(chain));
		return new ExecutionChain(chain,
				Map.of(MiddlewareChain.DECRYPT, new Decryption(encryption.getIfAvailable(() -> JobEncryption.OFF)),
						MiddlewareChain.TENANT,
						(context, next) -> tenants.call(context.job(), () -> next.proceed(context))));
	}

	/**
	 * Adds beans in their order, under their names, which an ordered stream does not
	 * have.
	 */
	private static <M> void addBeans(ListableBeanFactory beans, Class<M> type, BiConsumer<String, M> to) {
		Map<String, M> byName = beans.getBeansOfType(type);
		beans.getBeanProvider(type).orderedStream().distinct().forEach((bean) -> {
			List<String> names = byName.entrySet()
				.stream()
				.filter((entry) -> entry.getValue() == bean)
				.map(Map.Entry::getKey)
				.toList();
			// Each lookup of a prototype gives another instance, so its name is unknown.
			(names.isEmpty() ? List.of(bean.getClass().getName()) : names).forEach((name) -> to.accept(name, bean));
		});
	}

}
