package io.ojs.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.ojs.json.JsonJobCodec;
import io.ojs.store.JobQuery;
import io.ojs.store.Retention;
import io.ojs.store.StoreException;
import io.ojs.store.StoreUnavailableException;
import io.ojs.test.database.PostgresServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StoreSchemaTests {

	private static final Retention RETENTION = new Retention(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1),
			Duration.ofDays(1));

	private final DataSource h2 = new DriverManagerDataSource(
			"jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));

	@Test
	void mayBeCreatedAnyNumberOfTimes() {
		try (var database = PostgresServer.shared().newDatabase()) {
			for (DataSource dataSource : new DataSource[] { this.h2,
					new DriverManagerDataSource(database.url(), database.username(), database.password()) }) {
				new StoreSchema(dataSource).create();
				new StoreSchema(dataSource).create();
				assertThat(new JdbcTemplate(dataSource).queryForObject("select count(*) from ojs_feed", Integer.class))
					.isEqualTo(1);
			}
		}
	}

	@Test
	void needsNobodyToCommitIt() {
		try (var database = PostgresServer.shared().newDatabase();
				HikariDataSource dataSource = new HikariDataSource()) {
			dataSource.setJdbcUrl(database.url());
			dataSource.setUsername(database.username());
			dataSource.setPassword(database.password());
			dataSource.setAutoCommit(false);
			new StoreSchema(dataSource).create();
			assertThat(new JdbcTemplate(dataSource).queryForObject("select count(*) from ojs_job", Integer.class))
				.isZero();
		}
	}

	@Test
	void manyInstancesMayCreateItAtTheSameTime() throws Exception {
		try (var database = PostgresServer.shared().newDatabase()) {
			DataSource dataSource = new DriverManagerDataSource(database.url(), database.username(),
					database.password());
			Threads.together(6, (thread) -> new StoreSchema(dataSource).create());
			assertThat(new JdbcTemplate(dataSource).queryForObject("select count(*) from ojs_job", Integer.class))
				.isZero();
		}
	}

	@Test
	void anotherDatabaseIsRefusedWithThoseThatAreNot() {
		DataSource oracle = new AbstractDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				return named(StoreSchemaTests.this.h2.getConnection(), "Oracle");
			}

			@Override
			public Connection getConnection(String username, String password) throws SQLException {
				return getConnection();
			}

		};
		assertThatExceptionOfType(UnsupportedDatabaseException.class).isThrownBy(() -> new StoreSchema(oracle).create())
			.withMessageContaining("Oracle")
			.withMessageContaining("PostgreSQL, H2");
		assertThatExceptionOfType(UnsupportedDatabaseException.class).isThrownBy(() -> new StoreSchema(oracle).check());
	}

	@Test
	void lookingAtADatabaseLeavesItAsItIs() {
		DataSource empty = new DriverManagerDataSource("jdbc:h2:mem:empty;DB_CLOSE_DELAY=-1");
		new StoreSchema(empty).check();
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> new JdbcJobStore(database(empty)).list(JobQuery.first(1)))
			.withMessageContaining("ojs.store.initialize-schema=always");
	}

	@Test
	void tablesOfAnotherVersionAreNamedAsSuch() {
		try (var database = PostgresServer.shared().newDatabase()) {
			for (DataSource dataSource : new DataSource[] { this.h2,
					new DriverManagerDataSource(database.url(), database.username(), database.password()) }) {
				new StoreSchema(dataSource).create();
				new JdbcTemplate(dataSource).execute("alter table ojs_job drop column relay_at");
				JdbcRelayStore relay = new JdbcRelayStore(database(dataSource));
				assertOfAnotherVersion(relay::nextAt);
				assertOfAnotherVersion(new StoreSchema(dataSource)::create);
			}
		}
	}

	private static void assertOfAnotherVersion(ThrowingCallable call) {
		assertThatExceptionOfType(StoreException.class).isThrownBy(call)
			.isNotInstanceOf(StoreUnavailableException.class)
			.withMessageContaining("are those of another version")
			.withMessageContaining("drop all whose names begin with ojs_")
			.withMessageNotContaining("initialize-schema");
	}

	private static StoreDatabase database(DataSource dataSource) {
		return new StoreDatabase(dataSource, new JdbcTransactionManager(dataSource), new StoreOptions(
				new JsonJobCodec(), Clock.systemUTC(), "ojs://test", (queue) -> RETENTION, UnaryOperator.identity()));
	}

	/** A connection that says that it leads to something else. */
	private static Connection named(Connection connection, String product) {
		ClassLoader loader = StoreSchemaTests.class.getClassLoader();
		DatabaseMetaData metaData = (DatabaseMetaData) Proxy.newProxyInstance(loader,
				new Class<?>[] { DatabaseMetaData.class }, (proxy, method, args) -> product);
		return (Connection) Proxy.newProxyInstance(loader, new Class<?>[] { Connection.class }, (proxy, method,
				args) -> method.getName().equals("getMetaData") ? metaData : method.invoke(connection, args));
	}

}
