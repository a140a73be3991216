package io.ojs.test.internal.database;

/**
 * A database on a {@link PostgresServer}, for one test class or application context.
 * Closing it drops it with all its contents.
 */
public final class PostgresDatabase implements AutoCloseable {

	private final String name;

	private final String url;

	private final PostgresServer server;

	PostgresDatabase(String name, String url, PostgresServer server) {
		this.name = name;
		this.url = url;
		this.server = server;
	}

	/**
	 * Returns the name.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the JDBC URL without credentials, for {@code spring.datasource.url}. It
	 * stays the same when the server restarts.
	 * @return the URL
	 */
	public String url() {
		return this.url;
	}

	/**
	 * Returns the user, who has all rights.
	 * @return the user's name
	 */
	public String username() {
		return this.server.username();
	}

	/**
	 * Returns the user's password.
	 * @return the password
	 */
	public String password() {
		return this.server.password();
	}

	/**
	 * Drops the database, and ends the connections to it. Does nothing if it no longer
	 * exists, or if its server does not run: the server's files are deleted with the
	 * server.
	 */
	@Override
	public void close() {
		this.server.drop(this.name);
	}

	@Override
	public String toString() {
		return this.url;
	}

}
