package io.ojs.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * A way to the same database on which statements are counted.
 */
final class CountedStatements {

	private final AtomicInteger count = new AtomicInteger();

	private final StoreDatabase database;

	CountedStatements(StoreDatabase database) {
		DataSource counting = new DelegatingDataSource(database.dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				return counted(super.getConnection());
			}

		};
		this.database = new StoreDatabase(counting, new JdbcTransactionManager(counting), database.options());
	}

	private Connection counted(Connection connection) {
		return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						this.count.incrementAndGet();
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	StoreDatabase database() {
		return this.database;
	}

	int count() {
		return this.count.get();
	}

	void reset() {
		this.count.set(0);
	}

}
