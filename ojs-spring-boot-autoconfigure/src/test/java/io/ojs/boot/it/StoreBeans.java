package io.ojs.boot.it;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;
import io.ojs.jdbc.JdbcAttemptStore;
import io.ojs.jdbc.JdbcJobStore;
import io.ojs.jdbc.StoreDatabase;
import io.ojs.jdbc.StoreOptions;
import io.ojs.jdbc.StoreSchema;
import io.ojs.json.JsonJobCodec;
import io.ojs.store.Retention;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * A job store as an application may have it, on the database of a test.
 */
class StoreBeans {

	@Bean
	GatedDataSource gatedDataSource(@Value("${test.database.url}") String url,
			@Value("${test.database.username}") String username, @Value("${test.database.password}") String password) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername(username);
		pool.setPassword(password);
		pool.setMaximumPoolSize(4);
		return new GatedDataSource(pool);
	}

	@Bean
	StoreDatabase storeDatabase(GatedDataSource dataSource) {
		new StoreSchema(dataSource).create();
		return new StoreDatabase(dataSource, new JdbcTransactionManager(dataSource), new StoreOptions(
				new JsonJobCodec(), Clock.systemUTC(), "ojs://test/store", (queue) -> Retention.DEFAULT));
	}

	@Bean
	JdbcJobStore jobStore(StoreDatabase database) {
		return new JdbcJobStore(database);
	}

	@Bean
	JdbcAttemptStore attemptStore(StoreDatabase database) {
		return new JdbcAttemptStore(database);
	}

	/**
	 * A database that can be out of reach.
	 */
	static final class GatedDataSource extends DelegatingDataSource implements AutoCloseable {

		final AtomicBoolean away = new AtomicBoolean();

		private final HikariDataSource pool;

		GatedDataSource(HikariDataSource pool) {
			super(pool);
			this.pool = pool;
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.away.get()) {
				throw new SQLTransientConnectionException("The test keeps the database away.");
			}
			return super.getConnection();
		}

		@Override
		public void close() {
			this.pool.close();
		}

	}

}
