package io.ojs.benchmark.contender;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

/** What the contenders with rows have in common. */
final class Databases {

	private Databases() {
	}

	/** A pool with the defaults of HikariCP, as an application has it. */
	static HikariDataSource pool(Site site) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(site.databaseUrl());
		pool.setUsername(site.username());
		pool.setPassword(site.password());
		return pool;
	}

	/** Runs statements, one after the other, where another process may do the same. */
	static void create(DataSource database, String table, String script) throws SQLException {
		try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("SELECT pg_advisory_xact_lock(1)");
			if (!answer(statement, "SELECT to_regclass('" + table + "') IS NOT NULL")) {
				statement.execute(script);
			}
			connection.commit();
			connection.setAutoCommit(true);
		}
	}

	/** The answer to a question of yes or no. */
	static boolean answer(DataSource database, String question) throws SQLException {
		try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
			return answer(statement, question);
		}
	}

	private static boolean answer(Statement statement, String question) throws SQLException {
		try (ResultSet answer = statement.executeQuery(question)) {
			answer.next();
			return answer.getBoolean(1);
		}
	}

}
