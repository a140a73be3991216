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

	/** Time for the replay to settle the messages that it holds. */
	private static final long SECONDS_TO_SETTLE = 10;

	private ReplayApplication() {
	}

	/**
	 * Replays dead letters. The exit code is 0 if all went as requested, 1 if not, and 2
	 * if the command line is invalid.
	 * @param arguments see {@code --help}
	 */
	public static void main(String[] arguments) {
		ReplayCommand command = new ReplayCommand(new Terminal(System.console()), System::getenv);
		CountDownLatch ended = new CountDownLatch(1);
		// At Ctrl-C, the replay first settles the messages that it holds.
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
