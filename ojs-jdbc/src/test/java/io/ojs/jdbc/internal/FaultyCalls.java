package io.ojs.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts calls, and has one of them fail as if the process had died there: before the
 * call, or after it.
 */
final class FaultyCalls {

	private final List<String> names = new ArrayList<>();

	private int points;

	private int failAt = Integer.MAX_VALUE;

	private boolean failed;

	/** Fails at a point; each call is two of them. */
	void failAt(int point) {
		this.points = 0;
		this.failAt = point;
	}

	boolean hasFailed() {
		return this.failed;
	}

	long count(String method) {
		return this.names.stream().filter(method::equals).count();
	}

	/** Goes by a point, or does not. */
	void point(String where) {
		this.points++;
		if (this.points == this.failAt) {
			this.failed = true;
			throw new Died(where);
		}
	}

	<T> T around(Class<T> type, T target) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				this.names.add(method.getName());
				point("before " + method.getName());
				try {
					Object answer = method.invoke(target, arguments);
					point("after " + method.getName());
					return answer;
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

	static final class Died extends RuntimeException {

		private static final long serialVersionUID = 1L;

		Died(String where) {
			super("died " + where);
		}

	}

}
