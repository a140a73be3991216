package io.ojs.replay;

import java.io.PrintWriter;

import picocli.CommandLine;

/**
 * Reports an error of the command line: the option, its value and the fix.
 */
final class UsageErrors implements CommandLine.IParameterExceptionHandler {

	@Override
	public int handleParseException(CommandLine.ParameterException ex, String[] arguments) {
		PrintWriter err = ex.getCommandLine().getErr();
		err.println(ex.getMessage());
		CommandLine.UnmatchedArgumentException.printSuggestions(ex, err);
		err.println("ojs-replay --help lists all options.");
		err.flush();
		return CommandLine.ExitCode.USAGE;
	}

}
