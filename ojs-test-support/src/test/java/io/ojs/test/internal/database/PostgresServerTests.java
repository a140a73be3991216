package io.ojs.test.internal.database;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Crashing, stopping and freezing a PostgreSQL.
 */
class PostgresServerTests {

	@SuppressWarnings("NullAway.Init")
	private static PostgresServer server;

	@BeforeAll
	static void start() {
		server = PostgresServer.start("max_connections = 17");
	}

	@AfterAll
	static void close() {
		List<ProcessHandle> processes = server.processes();
		assertThat(processes).hasSizeGreaterThan(3);
		server.close();
		server.close();
		assertThat(server.isRunning()).isFalse();
		assertThat(processes).noneMatch(ServerRun::runs);
		assertThat(server.folder()).doesNotExist();
		assertThatIllegalStateException().isThrownBy(server::restart).withMessageContaining("closed");
	}

	@Test
	void isDurableAndTakesFurtherConfiguration() throws Exception {
		try (PostgresDatabase database = server.newDatabase()) {
			assertThat(ask(database, "SHOW fsync")).isEqualTo("on");
			assertThat(ask(database, "SHOW synchronous_commit")).isEqualTo("on");
			assertThat(ask(database, "SHOW full_page_writes")).isEqualTo("on");
			assertThat(ask(database, "SHOW max_connections")).isEqualTo("17");
			assertThat(ask(database, "SELECT version()")).contains("PostgreSQL " + server.version());
		}
	}

	@Test
	void databasesAreApart() throws Exception {
		try (PostgresDatabase one = server.newDatabase(); PostgresDatabase other = server.newDatabase()) {
			execute(one, "CREATE TABLE jobs (id int)");
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ask(other, "SELECT count(*) FROM jobs"))
				.withMessageContaining("\"jobs\" does not exist");
			assertThat(one.name()).isNotEqualTo(other.name());
		}
	}

	@Test
	void copyHasWhatItsTemplateHadAndIsApartFromIt() throws Exception {
		try (PostgresDatabase template = server.newDatabase()) {
			execute(template, "CREATE TABLE jobs (id int)", "INSERT INTO jobs VALUES (42)");
			try (PostgresDatabase copy = server.newDatabase(template)) {
				execute(copy, "INSERT INTO jobs VALUES (43)");
				assertThat(ask(copy, "SELECT count(*) FROM jobs")).isEqualTo("2");
				assertThat(ask(template, "SELECT count(*) FROM jobs")).isEqualTo("1");
			}
		}
	}

	@Test
	void closedDatabaseIsGoneWithItsConnections() throws Exception {
		PostgresDatabase database = server.newDatabase();
		try (Connection connection = connect(database)) {
			assertThat(connection.isValid(5)).isTrue();
			database.close();
			database.close();
			assertThat(connection.isValid(5)).isFalse();
		}
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connect(database))
			.withMessageContaining("does not exist");
	}

	@Test
	void committedDataSurvivesACrash() throws Exception {
		try (PostgresDatabase database = server.newDatabase()) {
			execute(database, "CREATE TABLE jobs (id int)", "INSERT INTO jobs VALUES (42)");
			Connection open = connect(database);
			open.setAutoCommit(false);
			open.createStatement().execute("INSERT INTO jobs VALUES (43)");
			List<ProcessHandle> processes = server.processes();

			server.kill();
			assertThat(server.isRunning()).isFalse();
			assertThat(processes).noneMatch(ServerRun::runs);
			assertThat(open.isValid(5)).isFalse();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connect(database));
			assertThatIllegalStateException().isThrownBy(server::newDatabase)
				.withMessageContaining("restart() it first");

			server.restart();
			assertThat(ask(database, "SELECT string_agg(id::text, ',') FROM jobs")).isEqualTo("42");
		}
	}

	@Test
	void restartOfARunningServerIsInOrder() throws Exception {
		try (PostgresDatabase database = server.newDatabase()) {
			execute(database, "CREATE TABLE jobs (id int)", "INSERT INTO jobs VALUES (1)");
			Connection open = connect(database);
			server.restart();
			assertThat(open.isValid(5)).isFalse();
			assertThat(ask(database, "SELECT count(*) FROM jobs")).isEqualTo("1");
		}
	}

	@Test
	void frozenServerAnswersWhenItGoesOn() throws Exception {
		try (PostgresDatabase database = server.newDatabase(); Connection connection = connect(database)) {
			CompletableFuture<String> answer;
			server.pause();
			try {
				answer = CompletableFuture.supplyAsync(() -> askPatiently(connection));
				assertThatExceptionOfType(TimeoutException.class)
					.isThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS));
				assertThat(server.isRunning()).isTrue();
				try (Socket socket = new Socket()) {
					socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), 2_000);
				}
			}
			finally {
				server.resume();
			}
			assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("7");
		}
	}

	@Test
	void stopsAndDiesEvenWhenFrozen() {
		server.pause();
		server.stop();
		assertThat(server.isRunning()).isFalse();
		assertThatIllegalStateException().isThrownBy(server::pause).withMessageContaining("restart() it first");
		server.stop();
		server.kill();
		server.restart();
		server.pause();
		server.kill();
		server.restart();
		assertThat(server.isRunning()).isTrue();
	}

	@Test
	void failedStartTellsTheServersReason() {
		assertThatExceptionOfType(DatabaseUnavailableException.class)
			.isThrownBy(() -> PostgresServer.start("no_such_setting = 1"))
			.withMessageContaining("ended while it was starting")
			.withMessageContaining("no_such_setting");
	}

	@Test
	void sharedServerIsOneAndCannotBeHarmed() throws Exception {
		PostgresServer shared = PostgresServer.shared();
		assertThat(PostgresServer.shared()).isSameAs(shared);
		try (PostgresDatabase database = shared.newDatabase()) {
			assertThat(ask(database, "SHOW fsync")).isEqualTo("off");
			assertThatIllegalStateException().isThrownBy(shared::kill).withMessageContaining("shared");
			assertThatIllegalStateException().isThrownBy(shared::pause).withMessageContaining("shared");
			assertThatIllegalStateException().isThrownBy(shared::restart).withMessageContaining("shared");
			assertThatIllegalStateException().isThrownBy(shared::close).withMessageContaining("shared");
			assertThat(ask(database, "SELECT 1")).isEqualTo("1");
		}
	}

	private static Connection connect(PostgresDatabase database) throws SQLException {
		return DriverManager.getConnection(database.url(), database.username(), database.password());
	}

	private static void execute(PostgresDatabase database, String... sql) throws SQLException {
		try (Connection connection = connect(database); Statement statement = connection.createStatement()) {
			for (String each : sql) {
				statement.execute(each);
			}
		}
	}

	private static String ask(PostgresDatabase database, String sql) throws SQLException {
		try (Connection connection = connect(database)) {
			return ask(connection, sql);
		}
	}

	private static String askPatiently(Connection connection) {
		try {
			return ask(connection, "SELECT 3 + 4");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String ask(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getString(1);
		}
	}

}
