package io.ojs.boot.it;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Named points at which an application in a process of its own stands still, there to be
 * killed by {@link ChildApplication#killAt}. Points are armed by
 * {@link ChildApplication.Starter#crashAt}; to reach any other does nothing.
 * <p>
 * A point is reached by {@link #reach} in a bean that only the test has, or by the calls
 * of a bean of the application that is wrapped {@link #around} its interface.
 */
final class CrashPoint {

	/** The names that are armed, each with a colon and the time at which it counts. */
	static final String ARMED = "test.crash-points";

	/**
	 * Of this process, whichever class loader and context the code that gets there is in.
	 */
	private static final Map<String, AtomicInteger> times = new ConcurrentHashMap<>();

	private CrashPoint() {
	}

	/**
	 * Stands still for ever if the point is armed, and does so from the time for which it
	 * is armed on, in every thread that gets here.
	 */
	static void reach(String point) {
		Integer armed = armed().get(point);
		if (armed != null && times.computeIfAbsent(point, (name) -> new AtomicInteger()).incrementAndGet() >= armed) {
			System.out.println(line(point));
			standStill();
		}
	}

	/**
	 * Wraps the beans of an interface, so that each call of a method reaches
	 * {@code before <Interface>.<method>}, and {@code after …} when it has returned. It
	 * belongs into a static {@code @Bean} method. Who wants the bean has to ask for it by
	 * an interface.
	 */
	static BeanPostProcessor around(Class<?> type) {
		armed().keySet().forEach((point) -> check(type, point));
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return type.isInstance(bean) ? wrap(type, bean) : bean;
			}

		};
	}

	/** Nobody would ever get to it, and whoever waits for that would wait for minutes. */
	private static void check(Class<?> type, String point) {
		String[] words = point.split("[ .]");
		if (words.length == 3 && words[1].equals(type.getSimpleName())
				&& Arrays.stream(type.getMethods()).noneMatch((method) -> method.getName().equals(words[2]))) {
			throw new IllegalArgumentException("%s has no method for the point '%s'".formatted(type, point));
		}
	}

	/** The line that a process writes when it stands at the point. */
	static String line(String point) {
		return "crash point: " + point + ".";
	}

	private static Object wrap(Class<?> type, Object bean) {
		return Proxy.newProxyInstance(type.getClassLoader(), ClassUtils.getAllInterfaces(bean),
				(proxy, method, arguments) -> {
					if (method.getDeclaringClass() == Object.class) {
						return method.invoke(bean, arguments);
					}
					String call = type.getSimpleName() + "." + method.getName();
					reach("before " + call);
					try {
						Object result = method.invoke(bean, arguments);
						reach("after " + call);
						return result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	private static Map<String, Integer> armed() {
		return Arrays.stream(System.getProperty(ARMED, "").split(","))
			.filter((each) -> !each.isEmpty())
			.map((each) -> each.split(":"))
			.collect(Collectors.toMap((each) -> each[0], (each) -> Integer.valueOf(each[1])));
	}

	private static void standStill() {
		while (true) {
			LockSupport.park();
			// A job's timeout interrupts its handler, which must not get it to go on.
			Thread.interrupted();
		}
	}

}
