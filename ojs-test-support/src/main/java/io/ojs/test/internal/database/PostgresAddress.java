package io.ojs.test.internal.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * The address of a server, with the credentials of a user that has all rights.
 */
record PostgresAddress(int port, String username, String password) {

	static final String HOST = "127.0.0.1";

	/** A database that every server has. */
	private static final String ADMINISTRATION = "postgres";

	String url(String database) {
		return "jdbc:postgresql://" + HOST + ":" + this.port + "/" + database;
	}

	void requireDriver() {
		try {
			DriverManager.getDriver(url(ADMINISTRATION));
		}
		catch (SQLException ex) {
			throw new DatabaseUnavailableException("There is no JDBC driver for " + url(ADMINISTRATION)
					+ ": add the dependency org.postgresql:postgresql", ex);
		}
	}

	String askVersion() throws SQLException {
		try (Connection connection = connect();
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery("SHOW server_version")) {
			result.next();
			return result.getString(1);
		}
	}

	void execute(String sql) {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("PostgreSQL on " + HOST + ":" + this.port + " failed at: " + sql, ex);
		}
	}

	private Connection connect() throws SQLException {
		Properties properties = new Properties();
		properties.setProperty("user", this.username);
		properties.setProperty("password", this.password);
		// In seconds, because a frozen server does not answer.
		properties.setProperty("connectTimeout", "10");
		properties.setProperty("socketTimeout", "60");
		return DriverManager.getConnection(url(ADMINISTRATION), properties);
	}

}
