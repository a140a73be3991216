package io.ojs.replay;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import picocli.CommandLine;

/**
 * The command {@code ojs-replay}.
 */
public final class ReplayApplication {

	/** What a replay needs to settle what it holds. */
	private static final long SECONDS_TO_SETTLE = 10;

	private ReplayApplication() {
	}

	/**
	 * Replays dead letters, and exits with 0 if all went as asked, 1 if not, 2 if it was
	 * asked for something impossible.
	 * @param arguments see {@code --help}
	 */
	public static void main(String[] arguments) {
		ReplayCommand command = new ReplayCommand(new Terminal(System.console()), System::getenv);
		CountDownLatch ended = new CountDownLatch(1);
		// Ctrl-C: what it holds is settled first.
		Thread hook = new Thread(() -> {
			command.cancel();
			try {
				ended.await(SECONDS_TO_SETTLE, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		Runtime.getRuntime().addShutdownHook(hook);
		int exitCode = commandLine(command).execute(arguments);
		ended.countDown();
		System.exit(exitCode);
	}

	static CommandLine commandLine(ReplayCommand command) {
		return new CommandLine(command).setParameterExceptionHandler(new UsageErrors())
			.setExecutionExceptionHandler(new ReplayErrors())
			.registerConverter(Instant.class, new Moments(Clock.systemUTC()))
			.registerConverter(Long.class, number("a whole number such as 1000", Long::valueOf))
			.registerConverter(Integer.class, number("a whole number such as 5", Integer::valueOf))
			.registerConverter(Double.class, number("a number such as 50 or 0.5", Double::valueOf))
			.setUsageHelpWidth(110);
	}

	private static <T> CommandLine.ITypeConverter<T> number(String what, Function<String, T> parse) {
		return (value) -> {
			try {
				return parse.apply(value);
			}
			catch (NumberFormatException ex) {
				throw new CommandLine.TypeConversionException("'" + value + "' must be " + what);
			}
		};
	}

}
