package io.ojs.internal.log;

import io.ojs.job.internal.ForeignText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.spi.LocationAwareLogger;

/**
 * The logger of this library, which escapes arguments and exceptions. They contain values
 * from outside, such as headers, which could otherwise write lines of their own into a
 * log or send control sequences to a terminal. The pattern is the library's own and stays
 * unchanged.
 */
public final class SafeLogger extends AbstractLogger {

	private static final long serialVersionUID = 1L;

	private final transient Logger target;

	SafeLogger(Logger target) {
		this.name = target.getName();
		this.target = target;
	}

	/**
	 * Creates the logger of a class.
	 * @return a logger with the name of the class
	 */
	public static Logger of(Class<?> type) {
		return of(type.getName());
	}

	/** Creates a logger. */
	public static Logger of(String name) {
		return new SafeLogger(LoggerFactory.getLogger(name));
	}

	@Override
	protected String getFullyQualifiedCallerName() {
		return AbstractLogger.class.getName();
	}

	@Override
	protected void handleNormalizedLoggingCall(Level level, @Nullable Marker marker, String pattern,
			@Nullable Object @Nullable [] arguments, @Nullable Throwable throwable) {
		@Nullable Object[] escaped = escape(arguments);
		Throwable shown = (throwable != null) ? ForeignText.escape(throwable) : null;
		if (this.target instanceof LocationAwareLogger located) {
			located.log(marker, getFullyQualifiedCallerName(), level.toInt(), pattern, escaped, shown);
		}
		else {
			this.target.atLevel(level).setCause(shown).log(pattern, escaped);
		}
	}

	private static @Nullable Object[] escape(@Nullable Object @Nullable [] arguments) {
		@Nullable Object[] escaped = new Object[(arguments != null) ? arguments.length : 0];
		for (int i = 0; i < escaped.length; i++) {
			Object argument = arguments[i];
			escaped[i] = (argument == null || argument instanceof Number || argument instanceof Boolean) ? argument
					: ForeignText.escape(ForeignText.text(argument));
		}
		return escaped;
	}

	@Override
	public boolean isTraceEnabled() {
		return this.target.isTraceEnabled();
	}

	@Override
	public boolean isTraceEnabled(Marker marker) {
		return this.target.isTraceEnabled(marker);
	}

	@Override
	public boolean isDebugEnabled() {
		return this.target.isDebugEnabled();
	}

	@Override
	public boolean isDebugEnabled(Marker marker) {
		return this.target.isDebugEnabled(marker);
	}

	@Override
	public boolean isInfoEnabled() {
		return this.target.isInfoEnabled();
	}

	@Override
	public boolean isInfoEnabled(Marker marker) {
		return this.target.isInfoEnabled(marker);
	}

	@Override
	public boolean isWarnEnabled() {
		return this.target.isWarnEnabled();
	}

	@Override
	public boolean isWarnEnabled(Marker marker) {
		return this.target.isWarnEnabled(marker);
	}

	@Override
	public boolean isErrorEnabled() {
		return this.target.isErrorEnabled();
	}

	@Override
	public boolean isErrorEnabled(Marker marker) {
		return this.target.isErrorEnabled(marker);
	}

}
