package io.ojs.replay;

import io.ojs.OjsException;
import picocli.CommandLine;

import org.springframework.amqp.AmqpException;
import org.springframework.core.NestedExceptionUtils;

/**
 * Reports why a replay did not begin.
 */
final class ReplayErrors implements CommandLine.IExecutionExceptionHandler {

	@Override
	public int handleExecutionException(Exception ex, CommandLine commandLine, CommandLine.ParseResult parsed)
			throws Exception {
		String message;
		if (ex instanceof OjsException) {
			message = ex.getMessage();
		}
		else if (ex instanceof AmqpException) {
			message = "The broker cannot be reached: " + NestedExceptionUtils.getMostSpecificCause(ex)
					+ ". Check --uri: its host, port, user, password and virtual host.";
		}
		else {
			throw ex;
		}
		commandLine.getErr().println(message);
		commandLine.getErr().flush();
		return CommandLine.ExitCode.SOFTWARE;
	}

}
