package io.ojs.handler.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The same fault hashes alike, and another one does not.
 */
class StackHashTests {

	@Test
	void isSixteenHexadecimalDigits() {
		assertThat(StackHash.of(new IllegalStateException())).matches("[0-9a-f]{16}");
	}

	@Test
	void isTheSameInEveryRun() {
		IllegalStateException thrown = new IllegalStateException("no", new IllegalArgumentException("why"));
		thrown.setStackTrace(frames(17));
		thrown.getCause().setStackTrace(frames(4));
		// sha256 of the classes and the two frames below each, one a line.
		assertThat(StackHash.of(thrown)).isEqualTo("145c9afec5248098");
	}

	@Test
	void seesNeitherMessagesNorLineNumbers() {
		assertThat(hash(new IllegalStateException("a"), 1)).isEqualTo(hash(new IllegalStateException("b"), 2));
	}

	@Test
	void seesClassesMethodsAndCauses() {
		assertThat(IntStream.range(0, 4).mapToObj((i) -> switch (i) {
			case 0 -> hash(new IllegalStateException(), 1);
			case 1 -> hash(new IllegalArgumentException(), 1);
			case 2 -> hash(new IllegalStateException(new IllegalArgumentException()), 1);
			default -> StackHash.of(thrownWith(new StackTraceElement("io.example.Mails", "render", null, 1)));
		})).doesNotHaveDuplicates();
	}

	private static String hash(Exception thrown, int line) {
		thrown.setStackTrace(frames(line));
		return StackHash.of(thrown);
	}

	private static StackTraceElement[] frames(int line) {
		return new StackTraceElement[] { new StackTraceElement("io.example.Mails", "send", "Mails.java", line),
				new StackTraceElement("io.example.Main", "main", "Main.java", line + 1) };
	}

	private static Exception thrownWith(StackTraceElement... frames) {
		Exception thrown = new IllegalStateException();
		thrown.setStackTrace(frames);
		return thrown;
	}

	@Test
	void isTheSameHoweverOftenTheMethodWasCalledByReflection() throws Exception {
		Method method = StackHashTests.class.getDeclaredMethod("fail");
		// Java 17 replaces the accessor of a method after fifteen calls.
		assertThat(IntStream.range(0, 40).mapToObj((i) -> {
			try {
				return method.invoke(null);
			}
			catch (InvocationTargetException ex) {
				return StackHash.of(ex.getCause());
			}
			catch (IllegalAccessException ex) {
				throw new IllegalStateException(ex);
			}
		}).distinct()).hasSize(1);
	}

	static void fail() {
		throw new IllegalStateException();
	}

	@Test
	void isTheSameThroughAnyProxyOfAnInterface() {
		assertThat(StackHash.of(thrownWith(new StackTraceElement("jdk.proxy2.$Proxy57", "run", null, -1))))
			.isEqualTo(StackHash.of(thrownWith(new StackTraceElement("jdk.proxy3.$Proxy8", "run", null, -1))));
		Callable<?> proxy = (Callable<?>) Proxy.newProxyInstance(StackHashTests.class.getClassLoader(),
				new Class<?>[] { Callable.class }, (target, method, arguments) -> {
					throw new IllegalStateException();
				});
		assertThat(catchThrowable(proxy::call).getStackTrace())
			.anyMatch((frame) -> frame.getClassName().contains("$Proxy"));
	}

	@Test
	void isTheSameHoweverDeepARecursionWent() {
		assertThat(StackHash.of(recursion(10))).isEqualTo(StackHash.of(recursion(500)));
	}

	private static Exception recursion(int depth) {
		return (depth > 0) ? recursion(depth - 1) : new IllegalStateException();
	}

	@Test
	void endsWithCausesInACircleAndExceptionsThatFailThemselves() {
		Exception first = new IllegalStateException();
		first.initCause(new IllegalArgumentException(first));
		assertThat(StackHash.of(first)).isNotEmpty();
		class Broken extends RuntimeException {

			private static final long serialVersionUID = 1L;

			@Override
			public synchronized Throwable getCause() {
				throw new IllegalStateException("no cause");
			}

			@Override
			public StackTraceElement[] getStackTrace() {
				throw new IllegalStateException("no trace");
			}

		}
		assertThat(StackHash.of(new Broken())).isNotEmpty();
		Exception deep = new IllegalStateException();
		for (int i = 0; i < 10_000; i++) {
			// With a message of its own: the default one repeats those of all causes.
			deep = new IllegalStateException("deep", deep);
		}
		assertThat(StackHash.of(deep)).isNotEmpty();
	}

}
