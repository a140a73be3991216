package io.ojs.test.internal.database;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The operating system user that a server runs as. PostgreSQL refuses to run as root, so
 * root runs it as {@code nobody}; every other user runs it as itself.
 */
final class ServerUser {

	private static final String NOBODY = "nobody";

	private static final List<Path> SETPRIV = List.of(Path.of("/usr/bin/setpriv"), Path.of("/bin/setpriv"));

	private ServerUser() {
	}

	static boolean isRoot() {
		return System.getProperty("user.name").equals("root");
	}

	/**
	 * Makes the user the owner of a file or folder.
	 */
	static void own(Path path) throws IOException {
		if (isRoot()) {
			Files.setOwner(path,
					FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
		}
	}

	/**
	 * The command that runs a program as the user. It replaces itself with the program,
	 * so signals reach the program.
	 */
	static List<String> command(List<String> program) {
		if (!isRoot()) {
			return program;
		}
		Path setpriv = SETPRIV.stream()
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new DatabaseUnavailableException(
					"PostgreSQL does not run as root, and there is no setpriv (of util-linux) to run it as " + NOBODY
							+ ": install it, or run the tests as another user"));
		return Stream
			.concat(Stream.of(setpriv.toString(), "--reuid=" + NOBODY, "--regid=65534", "--clear-groups", "--"),
					program.stream())
			.toList();
	}

}
