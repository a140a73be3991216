package io.ojs.boot.it;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The database of a test, which can be out of reach. Whoever has it needs the property
 * {@code ojs.store.enabled}.
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
		pool.setMinimumIdle(1);
		return new GatedDataSource(pool);
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
