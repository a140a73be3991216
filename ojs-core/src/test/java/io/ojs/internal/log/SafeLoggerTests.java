package io.ojs.internal.log;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LocationAwareLogger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is written for an event of the log.
 */
class SafeLoggerTests {

	private final List<Object[]> written = new ArrayList<>();

	private final Logger logger = new SafeLogger((Logger) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { LocationAwareLogger.class }, (proxy, method, args) -> {
				if (method.getName().equals("log")) {
					this.written.add(args);
				}
				return method.getReturnType() == boolean.class ? (Object) !method.getName().startsWith("isTrace")
						: (method.getReturnType() == String.class) ? "io.ojs.Some" : null;
			}));

	@Test
	void argumentsAndExceptionsAreEscaped() {
		Exception failure = new Exception("a\nb");
		this.logger.warn("Job {} of {}\n{} failed {}", "x\u001b[31m", List.of("y\r"), 17, null, failure);
		assertThat(this.written).hasSize(1);
		Object[] event = this.written.get(0);
		assertThat(event[2]).isEqualTo(LocationAwareLogger.WARN_INT);
		assertThat(event[3]).isEqualTo("Job {} of {}\n{} failed {}");
		assertThat(Arrays.asList((Object[]) event[4])).containsExactly("x\\u001b[31m", "[y\\r]", 17, null);
		assertThat(event[5]).hasToString("java.lang.Exception: a\\nb");
	}

	@Test
	void whatCannotBeToldFailsNothing() {
		this.logger.info("{}", new Object() {

			@Override
			public String toString() {
				throw new IllegalStateException("does not say");
			}

		});
		assertThat((Object[]) this.written.get(0)[4]).singleElement().asString().contains("SafeLoggerTests");
	}

	@Test
	void levelsAreThoseOfTheTarget() {
		this.logger.trace("{}", "a");
		assertThat(this.written).isEmpty();
		assertThat(this.logger.isTraceEnabled()).isFalse();
		for (Level level : List.of(Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR)) {
			assertThat(this.logger.isEnabledForLevel(level)).isTrue();
			this.logger.atLevel(level).log("{}", "a");
		}
		assertThat(this.logger.getName()).isEqualTo("io.ojs.Some");
	}

}
