package io.ojs.boot;

import java.lang.reflect.Method;

import io.ojs.handler.InvalidJobHandlerException;
import io.ojs.handler.internal.MethodJobHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a method on a bean, through its proxy if it has one, so that
 * {@code @Transactional} and similar annotations work on handlers.
 */
final class BeanMethodInvoker implements MethodJobHandler.Invoker {

	private final BeanFactory beanFactory;

	private final String bean;

	private final Method method;

	BeanMethodInvoker(BeanFactory beanFactory, String bean, Method method) {
		this.beanFactory = beanFactory;
		this.bean = bean;
		this.method = method;
	}

	@Override
	public @Nullable Object invoke(@Nullable Object[] arguments) throws ReflectiveOperationException {
		// Looks up the bean for each job: the bean may be lazy, or of a scope with many
		// instances.
		Object target = this.beanFactory.getBean(this.bean);
		return invocable(target).invoke(target, arguments);
	}

	/**
	 * Checks that the method can be called on the bean or its proxy.
	 * @param origin the place where the handler was declared
	 * @throws InvalidJobHandlerException if the proxy does not have the method
	 */
	void check(String origin) {
		try {
			invocable(this.beanFactory.getBean(this.bean));
		}
		catch (IllegalStateException ex) {
			throw new InvalidJobHandlerException(origin, ex.getMessage(),
					"Make the method non-private and, if the bean's proxy is one of interfaces, declare it in the "
							+ "interface or set spring.aop.proxy-target-class=true.",
					ex);
		}
	}

	private Method invocable(Object target) {
		Method invocable = AopUtils.selectInvocableMethod(this.method, target.getClass());
		ReflectionUtils.makeAccessible(invocable);
		return invocable;
	}

}
